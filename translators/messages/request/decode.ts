import { keepRest } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ClientFamily, Tool } from '../../canonical/tools.js';
import type { DecodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { readerOf } from '../../wire/member-coders.js';
import { knownKeys, schemaOf, settlerOf } from '../../wire/members.js';
import { decodeMessage, decodeSystem } from '../content/turns.js';
import { check, DIALECT, invalid, keep, type Mutable, remember, type Scope } from '../nodes.js';
import { decodeToolChoice } from '../tools/choice.js';
import { decodeTool } from '../tools/decode.js';
import { joinServers } from '../tools/hosted/mcp-servers.js';
import { members, type Request } from './members.js';
import { decodeOutput } from './output.js';
import { decodeReasoningSettings } from './reasoning.js';

const REQUEST = schemaOf(members);
const KNOWN = knownKeys(members);
const read = readerOf(members, keepRest);
const settle = settlerOf(members);

/**
 * A request body as the model. Throws TranslationError `invalid_request` with the path of the fault. Keys without a
 * field in the model are in the own bags; a body of token counting may lack what only generation needs.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  if (!isObject(body)) throw invalid('', 'expected a JSON object');
  const request = check(REQUEST, body, '');
  const kept = keep(body, KNOWN, '');
  const bag: JsonObject = { ...kept.ext?.[DIALECT] };
  const at: Record<string, string> = {};
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
  const { max_tokens: cap } = request;
  if ((cap === undefined || cap === null) && context.counting !== true) throw invalid('/max_tokens', 'field required');
  read(request, body, { out, bag, at });
  const { tool_choice: choice } = request;
  if (choice && isObject(body.tool_choice)) out.toolChoice = decodeToolChoice(choice, body.tool_choice, tools);
  const reasoning = decodeReasoningSettings(request, body, at);
  if (reasoning !== undefined) out.reasoning = reasoning;
  decodeOutput(out, request, body, bag, at);
  const native = settle(bag);
  if (Object.keys(bag).length > 0) out.ext = { [DIALECT]: bag };
  if (native.length > 0) out.nativeOnly = native;
  // What the context adds is not in the body.
  return out.model === body.model && out.stream === (body.stream ?? false) ? remember(out, body) : out;
}

function modelOf(request: Request, context: DecodeRequestContext): string {
  const model = request.model ?? context.model;
  if (model === undefined) throw invalid('/model', 'field required');
  return model;
}

function decodeTools(request: Request): readonly Tool[] {
  const tools = (request.tools ?? []).map((tool, index) => decodeTool(tool, `/tools/${index}`));
  return request.mcp_servers ? joinServers(tools, request.mcp_servers, '/mcp_servers') : tools;
}

const NO_NAMES: ReadonlyMap<string, ClientFamily> = new Map();

function clientNames(tools: readonly Tool[]): ReadonlyMap<string, ClientFamily> {
  let names: Map<string, ClientFamily> | undefined;
  for (const tool of tools) {
    if (tool.kind !== 'client' || tool.name === undefined) continue;
    names ??= new Map();
    names.set(tool.name, tool.family);
  }
  return names ?? NO_NAMES;
}
