import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Turn } from '../canonical/request.js';
import { isObject } from '../wire/json.js';
import { encodePart } from './content.js';
import { encodeOwnServers } from './mcp.js';
import { bagOf, DIALECT, encodeCache, hasShape, put, restore } from './nodes.js';
import { encodeOwnThinking } from './thinking.js';
import { encodeOwnToolChoice } from './tool-choice.js';
import { encodeOwnTool } from './tools.js';

/** A request of this dialect as it came (translation.md 0.5). */
export function printOwn(request: CanonicalRequest): JsonObject {
  const at = request.at ?? {};
  const out: JsonObject = { model: request.model };
  if (request.maxOutput !== undefined) out.max_tokens = request.maxOutput;
  out.messages = request.turns.map(encodeTurn);
  if (at.instructions !== undefined) out.system = encodeSystem(request);
  if (request.tools.length > 0) {
    const tools = request.tools.flatMap((tool) => encodeOwnTool(tool) ?? []);
    if (tools.length > 0) out.tools = tools;
    const servers = encodeOwnServers(request.tools);
    if (servers.length > 0) out.mcp_servers = servers;
  }
  if (at.tools !== undefined) out.tools ??= [];
  if (at.mcp !== undefined) out.mcp_servers ??= [];
  if (request.toolChoice !== undefined) out.tool_choice = encodeOwnToolChoice(request.toolChoice, request.tools);
  printSettings(out, request, at);
  printOutput(out, request, at);
  const bag = bagOf(request);
  const rest: JsonObject = {};
  for (const key in bag) {
    const value = bag[key];
    // What a key called `__proto__` would find is nothing of ours.
    const printed = Object.hasOwn(out, key) ? out[key] : undefined;
    // Fields the model has taken apart keep what it has no place for under their own name.
    if (isObject(value) && isObject(printed)) for (const inner of Object.keys(value)) put(printed, inner, value[inner]);
    else put(rest, key, value);
  }
  return restore(out, { src: request.src, ext: { [DIALECT]: rest } });
}

function encodeTurn(turn: Turn): JsonObject {
  const role = turn.role === 'instruction' ? 'system' : turn.role;
  const first = turn.parts[0];
  if (hasShape(turn, 'string') && turn.parts.length === 1 && first?.kind === 'text') {
    return restore({ role, content: first.text }, turn);
  }
  return restore({ role, content: turn.parts.map((part) => encodePart(part, true)) }, turn);
}

function encodeSystem(request: CanonicalRequest): string | JsonObject[] {
  const [only] = request.instructions;
  const first = only?.parts[0];
  if (only !== undefined && hasShape(only, 'string') && first?.kind === 'text') return first.text;
  return request.instructions.flatMap(({ parts }) => parts.map((part) => encodePart(part, true)));
}

function printSettings(out: JsonObject, request: CanonicalRequest, at: Readonly<Record<string, string>>): void {
  if (at.stream !== undefined || request.stream) out.stream = request.stream;
  const { sampling, reasoning, cache } = request;
  if (sampling?.temperature !== undefined) out.temperature = sampling.temperature;
  if (sampling?.topP !== undefined) out.top_p = sampling.topP;
  if (sampling?.topK !== undefined) out.top_k = sampling.topK;
  if (request.stop !== undefined) out.stop_sequences = request.stop;
  if (at.metadata !== undefined) out.metadata = request.user === undefined ? {} : { user_id: request.user };
  if (request.tier !== undefined) out.service_tier = request.tier.value;
  if (cache?.auto === true) out.cache_control = encodeCache(cache);
  const thinking = reasoning && encodeOwnThinking(reasoning, at);
  if (thinking !== undefined) out.thinking = thinking;
}

function printOutput(out: JsonObject, request: CanonicalRequest, at: Readonly<Record<string, string>>): void {
  const { output, reasoning } = request;
  const format = output && restore({ type: 'json_schema', schema: output.schema }, output);
  const config: JsonObject = {};
  if (reasoning?.effort !== undefined) config.effort = reasoning.effort;
  if (format !== undefined && output?.src?.ptr === '/output_format') out.output_format = format;
  else if (format !== undefined) config.format = format;
  if (at.output !== undefined || Object.keys(config).length > 0) out.output_config = config;
}
