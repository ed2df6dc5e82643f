import { adaptRequest, dropForeign } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodedRequest, EncodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { senderOf, withBag, writerOf } from '../../wire/member-coders.js';
import { unsentOf } from '../../wire/unsent.js';
import {
  encodeForeignSystem,
  encodeForeignTurn,
  encodeOwnSystem,
  encodeOwnTurn,
  reportAuthority,
} from '../content/turns.js';
import { bagOf, DIALECT, remembered } from '../nodes.js';
import { fitEncoded } from '../servers/index.js';
import { encodeOwnToolChoice } from '../tools/choice.js';
import { encodeOwnTool, encodeTools } from '../tools/encode.js';
import { encodeOwnServers } from '../tools/hosted/mcp-servers.js';
import { addMarks } from './auto-marks.js';
import { limitMarks, moveBlankMarks } from './cache.js';
import { members, unsent } from './members.js';
import { encodeOwnOutput, planOutput } from './output.js';
import { encodeOwnReasoningSettings } from './reasoning.js';
import type { Settled } from './settings.js';
import { planThinking } from './thinking-plan.js';

const write = writerOf(members);
const send = senderOf<Settled>(members);
const rest = unsentOf(unsent);

/**
 * The body for a service of this dialect. Requests of this dialect are encoded as they came; others are arranged for the
 * profile first, with a loss for everything that has no field here.
 */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const { model, stream } = given;
  if (given.source === DIALECT) return { body: encodeOwn(given), model, stream };
  const request = adaptRequest(moveBlankMarks(given, context.losses), context);
  const body = encodeForeign(request, context);
  return { body, model, stream, betas: betasOf(body) };
}

/** A request of this dialect as it came (translation.md 0.5). */
function encodeOwn(request: CanonicalRequest): JsonObject {
  const form = remembered(request);
  if (form !== undefined) return { ...form };
  const at = request.at ?? {};
  const out: JsonObject = { model: request.model };
  out.messages = request.turns.map(encodeOwnTurn);
  if (at.instructions !== undefined) out.system = encodeOwnSystem(request);
  if (request.tools.length > 0) {
    const tools = request.tools.flatMap((tool) => encodeOwnTool(tool) ?? []);
    if (tools.length > 0) out.tools = tools;
    const servers = encodeOwnServers(request.tools);
    if (servers.length > 0) out.mcp_servers = servers;
  }
  if (at.tools !== undefined) out.tools ??= [];
  if (at.mcp !== undefined) out.mcp_servers ??= [];
  if (request.toolChoice !== undefined) out.tool_choice = encodeOwnToolChoice(request.toolChoice, request.tools);
  write(out, request);
  const thinking = request.reasoning && encodeOwnReasoningSettings(request.reasoning, at);
  if (thinking !== undefined) out.thinking = thinking;
  encodeOwnOutput(out, request, at);
  return withBag(out, bagOf(request));
}

/** A request of another dialect, arranged for this one, as a body. Losses go to the context. */
function encodeForeign(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  rest.refuse(request, context);
  const encoded = encodeTools(request, context);
  const thinking = planThinking(request, encoded.choice, context);
  const output = planOutput(request, thinking.forces && !context.target.unsupported.has('toolChoice'), context);
  for (const node of [request.output, request.reasoning, request.toolChoice]) {
    if (node !== undefined) dropForeign(node, DIALECT, context.losses);
  }
  for (const turn of request.turns) {
    if (turn.role === 'instruction' && turn.authority === 'developer') reportAuthority(turn, context.losses);
  }
  const messages = request.turns.map((turn) => encodeForeignTurn(turn, output.closesCitations));
  const system = encodeForeignSystem(request, output.instruction, context);
  const out: JsonObject = { model: request.model, max_tokens: thinking.maxTokens, messages };
  if (system !== undefined) out.system = system;
  if (encoded.tools.length > 0) out.tools = encoded.tools;
  else if (output.tool !== undefined) {
    out.tools = [output.tool];
    out.tool_choice = { type: 'tool', name: output.tool.name, disable_parallel_tool_use: true };
  }
  if (encoded.servers.length > 0) out.mcp_servers = encoded.servers;
  if (thinking.choice !== undefined) out.tool_choice = thinking.choice;
  if (thinking.thinking !== undefined) out.thinking = thinking.thinking;
  const config = {
    ...(thinking.effort && { effort: thinking.effort }),
    ...(output.format && { format: output.format }),
  };
  if (Object.keys(config).length > 0) out.output_config = config;
  send(out, request, { ...context, thinks: thinking.on });
  rest.report(request, context);
  if (!limitMarks(out, request, context)) addMarks(out, request, context);
  return fitEncoded(out, request, context);
}

const MCP = 'mcp-client-2025-11-20';

/** The features of tools that are in beta, by their type [M §2.5]. */
const TOOLS: ReadonlyMap<unknown, string> = new Map([
  ['bash_20241022', 'computer-use-2024-10-22'],
  ['text_editor_20241022', 'computer-use-2024-10-22'],
  ['computer_20241022', 'computer-use-2024-10-22'],
  ['computer_20250124', 'computer-use-2025-01-24'],
  ['computer_20251124', 'computer-use-2025-11-24'],
  ['mcp_toolset', MCP],
]);

/** The same for blocks of a history [M §2.3]. */
const BLOCKS: ReadonlyMap<unknown, string> = new Map([
  ['mcp_tool_use', MCP],
  ['mcp_tool_result', MCP],
  ['compaction', 'compact-2026-01-12'],
]);

/**
 * The feature names that a body needs in `anthropic-beta` [M §1.2], each once: without them the service knows
 * neither the field, the tool nor the block.
 */
function betasOf({ tools, messages, mcp_servers: servers }: JsonObject): readonly string[] {
  const found = new Set<string>();
  const collect = (nodes: unknown, names: ReadonlyMap<unknown, string>): void => {
    if (!Array.isArray(nodes)) return;
    for (const node of nodes) {
      const name = isObject(node) ? names.get(node.type) : undefined;
      if (name !== undefined) found.add(name);
    }
  };
  if (servers !== undefined) found.add(MCP);
  collect(tools, TOOLS);
  for (const message of Array.isArray(messages) ? messages : []) {
    if (isObject(message)) collect(message.content, BLOCKS);
  }
  return [...found];
}
