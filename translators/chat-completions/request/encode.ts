import { adaptRequest } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodedRequest, EncodeRequestContext } from '../../dialect.js';
import { writerOf } from '../../wire/member-coders.js';
import { encodeForeignMessages, encodeOwnMessages, type Writer } from '../content/turns.js';
import { DIALECT, rawOf, remembered, restore } from '../nodes.js';
import { serverFlags } from '../servers/index.js';
import { encodeOwnToolChoice } from '../tools/choice.js';
import { encodeOwnTools } from '../tools/encode.js';
import { encodeMarks } from './cache.js';
import { encodeForeignSettings } from './foreign.js';
import { members } from './members.js';
import { encodeOwnOutput, isResponseFormat } from './output.js';
import { encodeOwnReasoningSettings } from './reasoning.js';

const write = writerOf(members);

/**
 * The body for a server of this dialect. Requests of this dialect are encoded as they came; others are arranged for the
 * profile first, with a loss for everything that has no field here.
 */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const { model, stream } = given;
  if (given.source === DIALECT) return { body: encodeOwn(given), model, stream };
  const request = adaptRequest(given, context);
  return { body: encodeForeign(request, context), model, stream };
}

/** A request of this dialect as it came (translation.md 0.5). */
function encodeOwn(request: CanonicalRequest): JsonObject {
  const form = remembered(request);
  if (form !== undefined) return { ...form };
  const messages = encodeOwnMessages(request);
  const { toolChoice, output, reasoning } = request;
  const out: JsonObject = { model: request.model, messages };
  write(out, request);
  if (request.at?.tools !== undefined) out.tools = [];
  Object.assign(out, encodeOwnTools(request.tools), toolChoice && encodeOwnToolChoice(toolChoice));
  if (output !== undefined && isResponseFormat(output)) out.response_format = encodeOwnOutput(output);
  if (reasoning !== undefined) Object.assign(out, encodeOwnReasoningSettings(reasoning));
  Object.assign(out, rawOf(request));
  markPrefill(out, messages, request);
  return restore(out, request);
}

/** Marks the last message as the beginning of the answer, in the way that its client did. */
function markPrefill(out: JsonObject, messages: JsonObject[], { at, prefill }: CanonicalRequest): void {
  if (prefill !== true) return;
  if (at?.prefill === '/continue_final_message') out.continue_final_message = true;
  if (at?.prefill === '/continue_final_message' || at?.prefill === '/add_generation_prompt') {
    out.add_generation_prompt = false;
  } else {
    messages[messages.length - 1] = { ...messages.at(-1), prefix: true };
  }
}

/** A request of another dialect, arranged for this one, as a body. Losses go to the context. */
function encodeForeign(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  const { losses, target } = context;
  const flags = serverFlags(target);
  const { members, instruction, detail } = encodeForeignSettings(request, context);
  const writer: Writer = {
    flags,
    printer: { forms: flags, marks: encodeMarks(request, context), detail },
    replay: { flags, tools: members.tools !== undefined, losses, reported: new Set() },
    losses,
  };
  const messages = encodeForeignMessages(request, instruction, writer);
  const out: JsonObject = { model: request.model, messages, ...members };
  if (request.prefill === true && target.prefill && messages.at(-1)?.role === 'assistant') {
    continueLast(out, messages, flags.prefillForm);
  }
  return out;
}

/** Asks for the last message to be continued, where the server does so (translation.md 2.4). */
function continueLast(out: JsonObject, messages: JsonObject[], form: 'plain' | 'prefix' | 'continue'): void {
  if (form === 'prefix') messages[messages.length - 1] = { ...messages.at(-1), prefix: true };
  if (form !== 'continue') return;
  out.continue_final_message = true;
  out.add_generation_prompt = false;
}
