import { dropTool } from '../../adapt/index.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import {
  type CustomTool,
  type FunctionTool,
  type HostedFamily,
  type HostedTool,
  isNamed,
  type Tool,
} from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, objectRoot, rawSchema } from '../../schema/index.js';
import { isObject } from '../../wire/json.js';
import { bagOf, complete, DIALECT, type Printer, remembered, rememberedAll } from '../nodes.js';
import { encodeStrictSchema } from '../schema/encode.js';
import { encodeClientTool } from './client.js';
import { encodeForeignClient } from './computer.js';
import { encodeHostedTool, hostedCodecs } from './hosted/families.js';

/** Tools as declared; children of one namespace share a container. Losses of foreign ones are reported here. */
export function encodeTools(tools: readonly Tool[], printer: Printer): JsonObject[] {
  const out: JsonObject[] = [];
  let open: { readonly key: string; readonly children: JsonObject[] } | undefined;
  tools.forEach((tool, index) => {
    const encoded = encodeTool(tool, printer);
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

function encodeTool(tool: Tool, printer: Printer): JsonObject | undefined {
  if (printer.native || printer.context === undefined) return encodeOwnTool(tool, printer);
  const { losses } = printer.context;
  const encoded = encodeForeignTool(tool, printer, printer.context);
  // A tool that is dropped is one loss, whatever keys it had.
  if (encoded !== undefined) dropTool(tool, DIALECT, losses);
  return encoded;
}

function encodeForeignTool(tool: Tool, printer: Printer, context: EncodeRequestContext): JsonObject | undefined {
  const { losses } = context;
  switch (tool.kind) {
    case 'function':
      return encodeForeignFunction(tool, context, printer.holds === true);
    case 'custom':
      return encodeCustom(tool);
    case 'hosted':
      if (!isListed(tool, context)) {
        losses.add(tool, 'tool.hosted', 'dropped', 'the host does not support this tool');
        return undefined;
      }
      return hostedCodecs[tool.family].encodeForeignTool(tool, context);
    case 'client':
      return encodeForeignClient(tool, losses);
    case 'opaque':
      if (tool.dialect === DIALECT) return tool.raw;
      losses.add(tool, 'tool.opaque', 'dropped', `only supported by the ${tool.dialect} dialect`);
      return undefined;
    default:
      return tool satisfies never;
  }
}

/** Families that hosts of this dialect have or have not, by the word of the profile for them; others have no form here. */
const LISTED: Readonly<Partial<Record<HostedFamily, string>>> = {
  webSearch: 'webSearch',
  urlFetch: 'webSearch',
  codeExec: 'codeExec',
  imageGen: 'imageGen',
  mcp: 'mcp',
};

function isListed({ family }: HostedTool, { target }: EncodeRequestContext): boolean {
  const word = LISTED[family];
  return word === undefined || target.toolTypes[word] !== undefined;
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

function encodeCustom(tool: CustomTool): JsonObject {
  const fields: JsonObject = { type: 'custom', name: tool.name };
  if (tool.description !== undefined) fields.description = tool.description;
  if (tool.grammar !== undefined) fields.format = { type: 'grammar', ...tool.grammar };
  return complete(fields, tool);
}

/** `strict` is always written: left out, the service may take every property as required (hard case TOOL-16). */
function encodeForeignFunction(tool: FunctionTool, context: EncodeRequestContext, holds: boolean): JsonObject {
  const { parameters, strict } = (holds ? heldSchema(tool, context) : undefined) ?? encodeSchema(tool, context);
  const examples = examplesText(tool, context);
  const description = [tool.description, examples].filter((text) => text !== undefined && text !== '').join('\n\n');
  return { type: 'function', name: tool.name, ...(description !== '' && { description }), parameters, strict };
}

function examplesText(tool: FunctionTool, { losses }: EncodeRequestContext): string | undefined {
  if (tool.inputExamples === undefined || tool.inputExamples.length === 0) return undefined;
  losses.add(tool, 'tool.examples', 'moved', 'the examples are moved to the description');
  return `Examples of input:\n${tool.inputExamples.map((example) => JSON.stringify(example)).join('\n')}`;
}

/** A schema that is strict without changes (translation.md 2.9 `validated`). */
function heldSchema(
  tool: FunctionTool,
  { target }: EncodeRequestContext,
): { parameters: JsonObject; strict: boolean } | undefined {
  if (tool.strict !== undefined || !target.strictTools) return undefined;
  const projected = encodeStrictSchema(tool.schema);
  if ('refused' in projected || projected.wrapped || projected.changes.length > 0) return undefined;
  return { parameters: projected.schema, strict: true };
}

/** translation.md 3.1, 3.3, 3.4. */
function encodeSchema(tool: FunctionTool, context: EncodeRequestContext): { parameters: JsonObject; strict: boolean } {
  const { losses, target } = context;
  if (tool.strict === true && target.strictTools) {
    const projected = encodeStrictSchema(tool.schema);
    if (!('refused' in projected)) {
      reportChanges(projected.changes, tool, losses);
      if (projected.wrapped)
        losses.add(tool, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
      return { parameters: projected.schema, strict: true };
    }
    losses.add(tool, 'tool.strict', 'approximated', `the schema is not enforced: ${projected.refused}`);
  } else if (tool.strict === true) {
    losses.add(tool, 'tool.strict', 'approximated', 'the model does not enforce tool schemas');
  }
  const demanded = objectRoot(tool.schema, { combinators: 'wrap', bare: true });
  const rooted = target.rawSchemas === true ? rawSchema(tool.schema, demanded) : demanded;
  reportChanges(rooted.changes, tool, losses);
  if (rooted.wrapped)
    losses.add(tool, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
  return { parameters: rooted.schema, strict: false };
}

function reportChanges(
  changes: Parameters<typeof describeChanges>[0],
  tool: FunctionTool,
  losses: EncodeRequestContext['losses'],
): void {
  const detail = describeChanges(changes);
  if (detail !== undefined) losses.add(tool, 'tool.schema', 'approximated', detail);
}
