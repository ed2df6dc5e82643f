import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { DecodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { decodeMessages } from '../content/turns.js';
import { check, DIALECT, invalid, keep, keysOf, type Mutable, remember, type Scope } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeSettings } from './settings.js';

const REQUEST = keysOf(wire.request);

/**
 * A request body as the model. Throws TranslationError `invalid_request` with the path of the fault. Keys without a
 * field in the model are in the own bags; a body of token counting may lack what only generation needs.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  if (!isObject(body)) throw invalid('', 'expected a JSON object');
  const request = check(wire.request, body, '');
  const kept = keep(body, REQUEST, '');
  const bag: JsonObject = { ...kept.ext?.[DIALECT] };
  const at: Record<string, string> = { turns: '/messages' };
  if (request.messages.length === 0) {
    throw new TranslationError('invalid_request', 'at least one message is required', {
      path: '/messages',
      dialect: DIALECT,
      code: 'empty_array',
    });
  }
  const scope: Scope = { losses: context.losses, domain: `unknown:${DIALECT}` };
  const out: Mutable<CanonicalRequest> = {
    source: DIALECT,
    model: modelOf(request, context),
    stream: request.stream ?? context.stream ?? false,
    ...decodeMessages(request.messages, scope),
    tools: [],
    at,
  };
  const raw: JsonObject = {};
  decodeSettings({ out, bag, at, raw, losses: context.losses }, request);
  decodePrefill(out, request, at);
  out.src = Object.keys(raw).length > 0 ? { ...kept.src, raw } : kept.src;
  if (Object.keys(bag).length > 0) out.ext = { [DIALECT]: bag };
  // What the context adds is not in the body.
  return out.model === body.model && out.stream === (body.stream ?? false) ? remember(out, body) : out;
}

/** The path of the URL may name the model, which then wins over the body [H §1.1]. */
function modelOf({ model }: wire.Request, context: DecodeRequestContext): string {
  const named = context.model ?? model;
  if (named === undefined || named === null || named === '') throw invalid('/model', 'the name of a model is missing');
  return named;
}

/** The marks under which servers continue the last message of the assistant [H §2.2, §3.1]. */
function decodePrefill(out: Mutable<CanonicalRequest>, request: wire.Request, at: Record<string, string>): void {
  const last = request.messages.at(-1);
  if (!isObject(last) || last.role !== 'assistant') return;
  if (request.continue_final_message === true) at.prefill = '/continue_final_message';
  else if (request.add_generation_prompt === false) at.prefill = '/add_generation_prompt';
  else if (last.prefix === true) at.prefill = `/messages/${request.messages.length - 1}/prefix`;
  if (at.prefill !== undefined) out.prefill = true;
}
