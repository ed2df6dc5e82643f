import { adaptRequest } from '../adapt/index.js';
import { furtherKeys } from '../adapt/losses.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Instruction, OutputFormat, Turn } from '../canonical/request.js';
import type { ClientFamily, Tool } from '../canonical/tools.js';
import type { DecodeRequestContext, EncodedRequest, EncodeRequestContext } from '../dialect.js';
import { isObject } from '../wire/json.js';
import { betasOf } from './betas.js';
import { moveBlankMarks } from './blank-marks.js';
import { decodeBlock } from './content.js';
import { printForeign } from './foreign.js';
import { joinServers } from './mcp.js';
import { check, DEFAULTS, DIALECT, invalid, type Kept, keep, keysOf, type Mutable, put } from './nodes.js';
import { printOwn } from './own.js';
import { nativeOnly, sessionKey } from './own-only.js';
import { RULES } from './rules.js';
import type { Scope } from './scope.js';
import { decodeReasoning } from './thinking.js';
import { decodeToolChoice } from './tool-choice.js';
import { decodeTool } from './tools.js';
import * as wire from './wire.js';

const REQUEST = keysOf(wire.request);
const MESSAGE = keysOf(wire.message);
const FORMAT = keysOf(wire.outputFormat);
const METADATA = keysOf(wire.request.shape.metadata.unwrap().unwrap());
const OUTPUT_CONFIG = keysOf(wire.request.shape.output_config.unwrap().unwrap());

/**
 * A request body as the model. Throws TranslationError `invalid_request` with the place of the fault. Keys without a
 * field in the model are in the own bags; a body of token counting may lack what only generation needs.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  if (!isObject(body)) throw invalid('', 'expected a JSON object');
  const request = check(wire.request, body, '');
  const kept = keepRequest(body);
  const bag: JsonObject = { ...kept.ext?.[DIALECT] };
  const at: Record<string, string> = { turns: '/messages' };
  const tools = decodeTools(request);
  const scope: Scope = {
    losses: context.losses,
    domain: `unknown:${DIALECT}`,
    clientTools: clientNames(tools),
  };
  const out: Mutable<CanonicalRequest> = {
    source: DIALECT,
    model: modelOf(request, context),
    stream: request.stream ?? context.stream ?? false,
    instructions: decodeSystem(request.system, scope, at),
    turns: request.messages.map((node, index) => decodeMessage(node, index, scope)),
    tools,
    at,
    src: kept.src,
  };
  if (out.turns.length === 0) throw invalid('/messages', 'at least one message is required');
  if (out.turns.at(-1)?.role === 'assistant') out.prefill = true;
  readCap(out, request, context, bag, at);
  readSampling(out, request, at);
  readAccount(out, request, body, bag, at);
  if (request.tools) at.tools = '/tools';
  if (request.mcp_servers) at.mcp = '/mcp_servers';
  const { tool_choice: choice } = request;
  if (choice && isObject(body.tool_choice)) out.toolChoice = decodeToolChoice(choice, body.tool_choice, tools);
  const reasoning = decodeReasoning(request, body, at);
  if (reasoning !== undefined) out.reasoning = reasoning;
  readOutput(out, request, body, bag, at);
  if (Object.keys(bag).length > 0) out.ext = { [DIALECT]: bag };
  const native = nativeOnly(bag);
  if (native.length > 0) out.nativeOnly = native;
  return out;
}

function keepRequest(body: JsonObject): Kept {
  const said = Object.keys(DEFAULTS).filter((key) => body[key] === DEFAULTS[key]);
  if (said.length === 0) return keep(body, REQUEST, '');
  const words = said.map((key) => `default:${key}`);
  return keep(body, new Set([...REQUEST, ...said]), '', words);
}

function modelOf(request: wire.Request, context: DecodeRequestContext): string {
  const model = request.model ?? context.model;
  if (model === undefined) throw invalid('/model', 'field required');
  return model;
}

function decodeTools(request: wire.Request): readonly Tool[] {
  const tools = (request.tools ?? []).map((tool, index) => decodeTool(tool, `/tools/${index}`));
  return request.mcp_servers ? joinServers(tools, request.mcp_servers, '/mcp_servers') : tools;
}

function clientNames(tools: readonly Tool[]): ReadonlyMap<string, ClientFamily> {
  const names = new Map<string, ClientFamily>();
  for (const tool of tools) if (tool.kind === 'client' && tool.name !== undefined) names.set(tool.name, tool.family);
  return names;
}

/** `system` is one instruction, whichever way it is spelled. An empty list leaves its place in `at`. */
function decodeSystem(
  system: wire.Request['system'],
  scope: Scope,
  at: Record<string, string>,
): readonly Instruction[] {
  if (system === null || system === undefined) return [];
  at.instructions = '/system';
  if (typeof system === 'string') {
    const part = { kind: 'text', text: system, src: { ptr: '/system' } } as const;
    return [{ authority: 'system', parts: [part], src: { ptr: '/system', shape: ['string'] } }];
  }
  if (system.length === 0) return [];
  const parts = system.map((node, index) => {
    const part = decodeBlock(node, `/system/${index}`, 'system', scope);
    if (part.kind !== 'text') throw invalid(`/system/${index}/type`, 'only text blocks can be in system');
    return part;
  });
  return [{ authority: 'system', parts, src: { ptr: '/system' } }];
}

const ROLES: Readonly<Record<string, Turn['role']>> = { user: 'user', assistant: 'assistant', system: 'instruction' };

function decodeMessage(node: unknown, index: number, scope: Scope): Turn {
  const ptr = `/messages/${index}`;
  const { role: speaker, content } = check(wire.message, node, ptr);
  if (speaker !== 'user' && speaker !== 'assistant' && speaker !== 'system') {
    throw invalid(`${ptr}/role`, 'expected user, assistant or system');
  }
  const role = ROLES[speaker] ?? 'user';
  const authority = speaker === 'system' ? { authority: 'system' as const } : undefined;
  const at = `${ptr}/content`;
  if (typeof content === 'string') {
    const kept = keep(node as JsonObject, MESSAGE, ptr, ['string']);
    return { role, ...authority, parts: [{ kind: 'text', text: content, src: { ptr: at } }], ...kept };
  }
  const parts = content.map((block, place) => decodeBlock(block, `${at}/${place}`, speaker, scope));
  return { role, ...authority, parts, ...keep(node as JsonObject, MESSAGE, ptr) };
}

function readCap(
  out: Mutable<CanonicalRequest>,
  request: wire.Request,
  context: DecodeRequestContext,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  const { max_tokens: cap } = request;
  if (cap === undefined || cap === null) {
    if (context.counting !== true) throw invalid('/max_tokens', 'field required');
    return;
  }
  at.maxOutput = '/max_tokens';
  // Zero asks for the cache to be warmed, not for an answer of no tokens [M §2.1].
  if (cap === 0) bag.max_tokens = 0;
  else out.maxOutput = cap;
}

const SAMPLING = [
  ['temperature', 'temperature', 'sampling.temperature'],
  ['top_p', 'topP', 'sampling.topP'],
  ['top_k', 'topK', 'sampling.topK'],
] as const;

function readSampling(out: Mutable<CanonicalRequest>, request: wire.Request, at: Record<string, string>): void {
  for (const [key, field, feature] of SAMPLING) {
    const value = request[key];
    if (typeof value !== 'number') continue;
    out.sampling = { ...out.sampling, [field]: value };
    at[feature] = `/${key}`;
  }
  if (request.stop_sequences) {
    out.stop = request.stop_sequences;
    at.stop = '/stop_sequences';
  }
  if (typeof request.stream === 'boolean') at.stream = '/stream';
}

/** Who asks, at which tier, and how the prompt is cached. */
function readAccount(
  out: Mutable<CanonicalRequest>,
  request: wire.Request,
  body: JsonObject,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  if (request.metadata) {
    at.metadata = '/metadata';
    if (typeof request.metadata.user_id === 'string') {
      out.user = request.metadata.user_id;
      at.user = '/metadata/user_id';
    }
    keepRest(out, bag, 'metadata', body.metadata, METADATA);
  }
  if (typeof request.service_tier === 'string') {
    out.tier = { dialect: DIALECT, value: request.service_tier };
    at.tier = '/service_tier';
  }
  const key = out.user === undefined ? undefined : sessionKey(out.user);
  const mark = request.cache_control;
  if (key !== undefined || mark) {
    const ttl = mark?.ttl;
    out.cache = {
      ...(key !== undefined && { key }),
      ...(mark && { auto: true }),
      ...(typeof ttl === 'string' && { ttl }),
    };
    if (mark) at['cache.mark'] = '/cache_control';
    if (key !== undefined) at['cache.key'] = '/metadata/user_id';
  }
}

/** Keys of an object field that the model has no place for, kept under the field's own name; nulls join the shape. */
function keepRest(
  out: Mutable<CanonicalRequest>,
  bag: JsonObject,
  key: string,
  node: unknown,
  known: ReadonlySet<string>,
): void {
  if (!isObject(node)) return;
  const rest: JsonObject = {};
  const nulls: string[] = [];
  for (const child in node) {
    if (!known.has(child)) put(rest, child, node[child]);
    else if (node[child] === null) nulls.push(`null:${key}/${child}`);
  }
  if (Object.keys(rest).length > 0) bag[key] = furtherKeys(rest, `/${key}`);
  if (nulls.length > 0) out.src = { ptr: '', shape: [...(out.src?.shape ?? []), ...nulls] };
}

function readOutput(
  out: Mutable<CanonicalRequest>,
  request: wire.Request,
  body: JsonObject,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  const config = request.output_config;
  if (config) {
    at.output = '/output_config';
    keepRest(out, bag, 'output_config', body.output_config, OUTPUT_CONFIG);
    if (typeof config.effort === 'string' && out.reasoning?.effort === undefined) {
      const rest = isObject(bag.output_config) ? bag.output_config : {};
      bag.output_config = furtherKeys({ ...rest, effort: config.effort }, '/output_config');
    }
  }
  if (config?.format) out.output = decodeFormat(config.format, '/output_config/format');
  else if (request.output_format) out.output = decodeFormat(request.output_format, '/output_format');
}

function decodeFormat(node: JsonObject, ptr: string): OutputFormat {
  const format = check(wire.outputFormat, node, ptr);
  if (format.type !== 'json_schema') throw invalid(`${ptr}/type`, 'expected json_schema');
  if (!format.schema) throw invalid(`${ptr}/schema`, 'field required');
  return { kind: 'schema', schema: format.schema, ...keep(node, FORMAT, ptr) };
}

/**
 * The body for a service of this dialect. Requests of this dialect are printed as they came; others are arranged for the
 * profile first, with a loss for whatever has no place.
 */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const { model, stream } = given;
  if (given.source === DIALECT) return { body: printOwn(given), model, stream };
  const request = adaptRequest(moveBlankMarks(given, context.losses), RULES, context);
  const body = printForeign(request, context);
  return { body, model, stream, betas: betasOf(body) };
}
