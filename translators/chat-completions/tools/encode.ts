import { createToolIndex, dropTool } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { CustomTool, FunctionTool, Tool, ToolChoice } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { encodeStrictSchema } from '../../schema/index.js';
import { DIALECT, finish, remembered, typeOf } from '../nodes.js';
import { encodeSchema } from '../schema/encode.js';
import { serverFlags } from '../servers/index.js';
import { hostedCodecs } from './hosted/families.js';
import { encodeGoogleSearch, encodeOwnWebSearch } from './hosted/web-search.js';

/** Tools as they were declared: `tools`, `functions` and `web_search_options` of a request. */
export function encodeOwnTools(tools: readonly Tool[]): JsonObject {
  const list: JsonObject[] = [];
  const legacy: JsonObject[] = [];
  const out: JsonObject = {};
  for (const tool of tools) {
    if (tool.kind === 'hosted' && tool.type === 'web_search_options') out.web_search_options = encodeOwnWebSearch(tool);
    else if (isLegacy(tool)) legacy.push(remembered(tool) ?? finish(functionFields(tool), tool, true));
    else list.push(encodeOwnTool(tool));
  }
  if (list.length > 0) out.tools = list;
  if (legacy.length > 0) out.functions = legacy;
  return out;
}

/** A function that was declared in the older list [H §4.5]. */
function isLegacy(tool: Tool): tool is FunctionTool {
  return tool.kind === 'function' && tool.src?.ptr.startsWith('/functions/') === true;
}

/** A tool as it came. */
function encodeOwnTool(tool: Tool): JsonObject {
  const form = remembered(tool);
  if (form !== undefined) return form;
  switch (tool.kind) {
    case 'function':
      return finish({ ...typeOf(tool, 'function'), function: functionFields(tool) }, tool, true);
    case 'custom':
      return finish({ type: 'custom', custom: customFields(tool) }, tool, true);
    case 'opaque':
      return tool.raw;
    case 'hosted':
      return encodeGoogleSearch(tool);
    case 'client':
      throw new TypeError(`a ${tool.kind} tool has no place in the list of tools`);
    default:
      return tool satisfies never;
  }
}

function functionFields({ name, description, schema, strict }: FunctionTool): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: schema }),
    ...(strict !== undefined && { strict }),
  };
}

function customFields({ name, description, grammar }: CustomTool): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(grammar !== undefined && { format: { type: 'grammar', grammar } }),
  };
}

/** A tool of a foreign request, and how it is declared. */
export interface EncodedTool {
  readonly tool: Tool;
  readonly node: JsonObject;
}

/** What a foreign request declares: tools of the list, and members of the request for those that the server runs. */
export interface EncodedTools {
  readonly list: readonly EncodedTool[];
  readonly members: JsonObject;
}

/**
 * Declares what the server can have of a request's tools (translation.md 2.8). Losses go to the context; throws
 * `unsupported` where a tool is forced that it cannot have, and for more tools than it takes.
 */
export function encodeTools(request: CanonicalRequest, context: EncodeRequestContext): EncodedTools {
  const { losses, target } = context;
  const list: EncodedTool[] = [];
  const kept: Tool[] = [];
  const members: JsonObject = {};
  for (const tool of request.tools) {
    const node = encodeForeignTool(tool, request.toolChoice, context);
    if (node === undefined) continue;
    // A tool that is dropped is one loss, whatever keys it had.
    dropTool(tool, DIALECT, losses);
    kept.push(tool);
    if (tool.kind === 'hosted') Object.assign(members, node);
    else list.push({ tool, node });
  }
  refuseLost(request, kept);
  const { maxTools } = serverFlags(target);
  if (list.length > maxTools) {
    const message =
      maxTools === 0 ? 'the server does not support tools' : `the server accepts at most ${maxTools} tools`;
    throw new TranslationError('unsupported', message, { path: ptrOf(list[maxTools]?.tool) });
  }
  return { list, members };
}

/** Forcing a tool that cannot be had is refused, as is forcing any when none is left (translation.md 0.10). */
function refuseLost({ toolChoice: choice, tools }: CanonicalRequest, kept: readonly Tool[]): void {
  if (choice?.mode !== 'required' || tools.length === 0) return;
  const available = createToolIndex(kept);
  const able = choice.only === undefined ? kept.length > 0 : choice.only.some((ref) => available.has(ref));
  if (able) return;
  throw new TranslationError('unsupported', 'tool choice forces a tool that the target does not have', {
    path: ptrOf(choice),
  });
}

function encodeForeignTool(
  tool: Tool,
  choice: ToolChoice | undefined,
  context: EncodeRequestContext,
): JsonObject | undefined {
  const { losses } = context;
  switch (tool.kind) {
    case 'function':
      return encodeForeignFunction(tool, choice?.validated === true && choice.only === undefined, context);
    case 'custom':
      return { type: 'custom', custom: customFields(tool) };
    case 'hosted':
      return hostedCodecs[tool.family].encodeForeignTool(tool, context);
    case 'client':
      losses.add(tool, 'tool.client', 'dropped', `there is no counterpart of the built-in ${tool.family} tool`);
      return undefined;
    case 'opaque':
      losses.add(tool, 'tool.opaque', 'dropped', `only supported by the ${tool.dialect} dialect`);
      return undefined;
    default:
      return tool satisfies never;
  }
}

/** `strict` is written only where it holds: servers that do not know the key refuse it (hard case H-TOOL-05). */
function encodeForeignFunction(tool: FunctionTool, holds: boolean, context: EncodeRequestContext): JsonObject {
  const { losses, target } = context;
  if (tool.strict === true && !target.strictTools)
    losses.add(tool, 'tool.strict', 'dropped', 'the server does not enforce tool schemas');
  const wanted = target.strictTools && (tool.strict === true || (holds && tool.strict === undefined && isStrict(tool)));
  const { schema, strict } = encodeSchema(
    tool.schema,
    {
      of: 'arguments',
      strict: wanted,
      plain: serverFlags(target).plainSchemas,
      node: tool,
      features: { schema: 'tool.schema', strict: 'tool.strict' },
    },
    losses,
  );
  const description = [tool.description, examplesText(tool, context)].filter((text) => text).join('\n\n');
  return {
    type: 'function',
    function: {
      name: tool.name,
      ...(description !== '' && { description }),
      parameters: schema,
      ...(strict && { strict }),
    },
  };
}

/** Whether the schema is strict without changes (translation.md 2.9 `validated`). */
function isStrict({ schema }: FunctionTool): boolean {
  const projected = encodeStrictSchema(schema);
  return !('refused' in projected) && !projected.wrapped && projected.changes.length === 0;
}

function examplesText(tool: FunctionTool, { losses }: EncodeRequestContext): string | undefined {
  const { inputExamples: examples } = tool;
  if (examples === undefined || examples.length === 0) return undefined;
  losses.add(tool, 'tool.examples', 'moved', 'the examples are moved to the description');
  return `Examples of input:\n${examples.map((example) => JSON.stringify(example)).join('\n')}`;
}
