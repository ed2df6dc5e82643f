import { createToolIndex, DEFAULT_DISPLAY, dropTool } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { NO_MCP } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ClientTool, FunctionTool, Tool, ToolChoice } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, type RootResult, rawSchema } from '../../schema/index.js';
import { DIALECT, encodeCache, finish, remembered } from '../nodes.js';
import { encodeToolSchema } from '../schema/encode.js';
import { countOptional, encodeStrictSchema } from '../schema/strict.js';
import { encodeForeignToolChoice, filtered } from './choice.js';
import type { EncodedTool } from './hosted/codec.js';
import { encodeHostedTool } from './hosted/families.js';
import { foreignTools } from './hosted/foreign.js';
import { encodeToolset, LONE_SERVER } from './hosted/mcp-servers.js';
import { reportCap } from './hosted/tools.js';

/** A tool as it came. MCP servers that came without a toolset are not in the list. */
export function encodeOwnTool(tool: Tool): JsonObject | undefined {
  const form = remembered(tool);
  if (form !== undefined) return form;
  switch (tool.kind) {
    case 'function':
      return finish(encodeFunction(tool), tool, true);
    case 'hosted':
      if (tool.family === 'mcp') return encodeToolset(tool, true);
      return finish(encodeHostedTool(tool), tool, true);
    case 'client':
      return finish(encodeClient(tool), tool, true);
    case 'opaque':
      return tool.type === LONE_SERVER ? undefined : tool.raw;
    case 'custom':
      throw new TypeError('custom tools do not exist in this dialect');
    default:
      return tool satisfies never;
  }
}

function encodeFunction(tool: FunctionTool): JsonObject {
  const out: JsonObject = { type: 'custom', name: tool.name };
  if (tool.description !== undefined) out.description = tool.description;
  out.input_schema = tool.schema ?? { type: 'object', properties: {} };
  if (tool.strict !== undefined) out.strict = tool.strict;
  if (tool.inputExamples !== undefined) out.input_examples = tool.inputExamples;
  return out;
}

/** A built-in tool of the client. */
function encodeClient(tool: ClientTool): JsonObject {
  const out: JsonObject = { type: tool.type };
  if (tool.name !== undefined) out.name = tool.name;
  if (tool.display?.width !== undefined) out.display_width_px = tool.display.width;
  if (tool.display?.height !== undefined) out.display_height_px = tool.display.height;
  return out;
}

/** The tools of a foreign request as the service takes them, and the choice among them. */
interface EncodedTools {
  readonly tools: readonly JsonObject[];
  readonly servers: readonly JsonObject[];
  readonly choice?: JsonObject;
}

/** Grammars of strict tools share one budget [M §2.8]. */
const MAX_STRICT = 20;
const MAX_OPTIONAL = 24;

/** Declares what the service can have of a request's tools (translation.md 2.8, 2.9). */
export function encodeTools(request: CanonicalRequest, context: EncodeRequestContext): EncodedTools {
  const strict = strictBudget(context, request.toolChoice?.validated === true);
  const all: EncodedTool[] = [];
  const hosted = new Set<string>();
  for (const tool of request.tools) {
    if (tool.kind === 'hosted') {
      const key = tool.settings.server === undefined ? tool.family : `server ${tool.settings.server.label}`;
      if (hosted.has(key)) {
        context.losses.add(tool, 'tool.duplicate', 'dropped', 'a hosted tool can be declared only once');
        continue;
      }
      hosted.add(key);
    }
    const declaration = encodeForeignTool(tool, request, strict, context);
    if (declaration === undefined) continue;
    // A tool that is dropped is one loss, whatever keys it had.
    dropTool(tool, DIALECT, context.losses);
    all.push(declaration);
  }
  const { toolChoice } = request;
  if (toolChoice !== undefined) refuseLost(toolChoice, request, all);
  reportCap(request, all, context);
  const chosen = toolChoice === undefined || all.length === 0 ? all : filtered(all, toolChoice, context);
  return {
    tools: chosen.map(({ node }) => node),
    servers: chosen.flatMap(({ server }) => (server === undefined ? [] : [server])),
    ...(toolChoice !== undefined &&
      chosen.length > 0 && { choice: encodeForeignToolChoice(toolChoice, request, context) }),
  };
}

/** Forcing a tool that cannot be had is refused, as is forcing any when none is left (translation.md 0.10). */
function refuseLost(choice: ToolChoice, request: CanonicalRequest, all: readonly EncodedTool[]): void {
  const path = ptrOf(choice);
  if (choice.mode !== 'required') return;
  if (all.length === 0 && request.tools.length > 0) {
    throw new TranslationError('unsupported', 'a call is forced, but the backend can have none of the tools', { path });
  }
  const { only } = choice;
  if (only === undefined) return;
  const declared = createToolIndex(all.map(({ tool }) => tool));
  if (!only.some((ref) => declared.has(ref))) {
    throw new TranslationError('unsupported', 'the forced tool cannot be had on this backend', { path });
  }
}

type StrictBudget = (tool: FunctionTool) => JsonObject | undefined;

/** Hands out strict schemas as long as the budget lasts; undefined = the tool is not strict. */
function strictBudget({ losses, target }: EncodeRequestContext, validated: boolean): StrictBudget {
  let tools = 0;
  let optional = 0;
  return (tool) => {
    if (tool.strict !== true && !(validated && target.strictTools)) return undefined;
    if (!target.strictTools) {
      losses.add(tool, 'tool.strict', 'dropped', 'the model does not enforce tool schemas');
      return undefined;
    }
    const result = encodeStrictSchema(tool.schema);
    const loose = countOptional(result.schema);
    if (tools + 1 > MAX_STRICT || optional + loose > MAX_OPTIONAL) {
      if (tool.strict === true)
        losses.add(tool, 'tool.strict', 'approximated', 'the limit for strict tools is reached');
      return undefined;
    }
    if (tool.strict !== true && !qualifies(result)) return undefined;
    tools += 1;
    optional += loose;
    if (result.wrapped)
      losses.add(tool, 'schema.root', 'approximated', 'the arguments are wrapped under the key value');
    const changes = describeChanges(result.changes);
    if (changes !== undefined) losses.add(tool, 'tool.schema', 'approximated', changes);
    return result.schema;
  };
}

/** Whether a schema is as good as strict: nothing of it changes but that its objects are closed. */
function qualifies({ changes, wrapped }: RootResult): boolean {
  return !wrapped && changes.every(({ effect, keyword }) => effect === 'same' || keyword === 'additionalProperties');
}

function encodeForeignTool(
  tool: Tool,
  request: CanonicalRequest,
  strict: StrictBudget,
  context: EncodeRequestContext,
): EncodedTool | undefined {
  const { losses } = context;
  switch (tool.kind) {
    case 'function':
      return { tool, node: encodeForeignFunction(tool, strict, context) };
    case 'hosted':
      if (tool.family !== 'mcp' || !context.target.unsupported.has('mcp'))
        return foreignTools[tool.family](tool, request, context);
      losses.add(tool, 'tool.hosted', 'dropped', NO_MCP);
      return undefined;
    case 'client':
      return encodeForeignClient(tool, context);
    case 'opaque':
      losses.add(tool, 'tool.opaque', 'dropped', `only supported by the ${tool.dialect} dialect`);
      return undefined;
    case 'custom':
      losses.add(tool, 'tool.custom', 'dropped', 'the service does not support tools with free text input');
      return undefined;
    default:
      return tool satisfies never;
  }
}

/** A built-in tool in the version that the model lists; others have no counterpart (translation.md 2.8). */
function encodeForeignClient(tool: ClientTool, { losses }: EncodeRequestContext): EncodedTool | undefined {
  if (tool.dialect !== DIALECT) {
    losses.add(tool, 'tool.client', 'dropped', `there is no counterpart of the built-in ${tool.family} tool`);
    return undefined;
  }
  if (tool.environment !== undefined) {
    losses.add(tool, 'tool.client', 'approximated', 'the target accepts no computer environment');
  }
  const display = tool.family === 'computer' ? displayOf(tool, losses) : undefined;
  const node = encodeClient({ ...tool, display });
  if (tool.cache !== undefined) node.cache_control = encodeCache(tool.cache);
  return { tool, node };
}

function displayOf(tool: ClientTool, losses: EncodeRequestContext['losses']): ClientTool['display'] {
  const { width, height } = tool.display ?? {};
  if (width !== undefined && height !== undefined) return tool.display;
  losses.add(tool, 'tool.client', 'invented', 'the size of the display');
  return DEFAULT_DISPLAY;
}

function encodeForeignFunction(
  tool: FunctionTool,
  strict: StrictBudget,
  { losses, target }: EncodeRequestContext,
): JsonObject {
  const out: JsonObject = { name: tool.name };
  if (tool.description !== undefined && tool.description !== '') out.description = tool.description;
  const held = strict(tool);
  if (held !== undefined) {
    out.input_schema = held;
    out.strict = true;
  } else {
    const demanded = encodeToolSchema(tool.schema, tool.strict);
    const result = target.rawSchemas === true ? rawSchema(tool.schema, demanded) : demanded;
    if (result.wrapped)
      losses.add(tool, 'schema.root', 'approximated', 'the arguments are wrapped under the key value');
    const changes = describeChanges(result.changes);
    if (changes !== undefined) losses.add(tool, 'tool.schema', 'approximated', changes);
    out.input_schema = result.schema;
  }
  if (tool.inputExamples !== undefined) out.input_examples = tool.inputExamples;
  if (tool.cache !== undefined) out.cache_control = encodeCache(tool.cache);
  return out;
}
