import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { type CustomTool, type FunctionTool, isNamed, type Tool } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { bagOf, complete, type Printer, remembered, rememberedAll } from '../nodes.js';
import { encodeClientTool } from './client.js';
import { encodeHostedTool } from './hosted/families.js';

/** Tools as declared; children of one namespace share a container. */
export function encodeTools(tools: readonly Tool[], printer: Printer): JsonObject[] {
  const out: JsonObject[] = [];
  let open: { readonly key: string; readonly children: JsonObject[] } | undefined;
  tools.forEach((tool, index) => {
    const encoded = printer.tool === undefined ? encodeOwnTool(tool, printer) : printer.tool(tool);
    if (encoded === undefined) return;
    const key = containerKey(tool, printer);
    if (key !== undefined && key === open?.key) {
      open.children.push(encoded);
      return;
    }
    if (key === undefined || !isNamed(tool)) {
      open = undefined;
      out.push(encoded);
      return;
    }
    const whole = printer.native ? wholeContainer(tools, index, key, printer) : undefined;
    open = { key, children: whole === undefined ? [encoded] : [] };
    out.push(whole ?? encodeContainer(tool, open.children));
  });
  return out;
}

/** What tells a container from the next: its place, or its name; undefined for tools that are in none. */
function containerKey(tool: Tool, { native }: Printer): string | undefined {
  if (!isNamed(tool) || tool.namespace === undefined) return undefined;
  return (native ? /^(.+)\/tools\/\d+$/.exec(ptrOf(tool))?.[1] : undefined) ?? tool.namespace;
}

/** The container that begins at `first` as it came, if nobody changed its children or it has others too. */
function wholeContainer(tools: readonly Tool[], first: number, key: string, printer: Printer): JsonObject | undefined {
  const run: Tool[] = [];
  for (
    let tool = tools[first];
    tool !== undefined && containerKey(tool, printer) === key;
    tool = tools[first + run.length]
  )
    run.push(tool);
  const rest = run[0] && bagOf(run[0])?.namespace;
  return rememberedAll(run) ?? (isObject(rest) ? { ...rest } : undefined);
}

function encodeContainer(tool: FunctionTool | CustomTool, tools: JsonObject[]): JsonObject {
  const { namespace, namespaceDescription = '' } = tool;
  return { type: 'namespace', name: namespace, tools, description: namespaceDescription };
}

function encodeOwnTool(tool: Tool, printer: Printer): JsonObject {
  const form = printer.native ? remembered(tool) : undefined;
  if (form !== undefined) return form;
  switch (tool.kind) {
    case 'function':
      return encodeFunction(tool);
    case 'custom':
      return encodeCustom(tool);
    case 'hosted':
      return encodeHostedTool(tool, printer);
    case 'client':
      return encodeClientTool(tool);
    case 'opaque':
      return tool.raw;
    default:
      return tool satisfies never;
  }
}

function encodeFunction(tool: FunctionTool): JsonObject {
  const fields: JsonObject = { type: 'function', name: tool.name };
  if (tool.description !== undefined) fields.description = tool.description;
  if (tool.schema !== undefined) fields.parameters = tool.schema;
  if (tool.strict !== undefined) fields.strict = tool.strict;
  return complete(fields, tool);
}

export function encodeCustom(tool: CustomTool): JsonObject {
  const fields: JsonObject = { type: 'custom', name: tool.name };
  if (tool.description !== undefined) fields.description = tool.description;
  if (tool.grammar !== undefined) fields.format = { type: 'grammar', ...tool.grammar };
  return complete(fields, tool);
}
