import { type DialectId, encodeResponse, type JsonObject } from '../../translators/index.js';
import { checkModels } from '../exchange/named-models.js';
import type { Ask } from '../exchange/passage.js';
import { editMembers } from '../exchange/raw-json.js';
import { drawnTargets, restedFirst } from '../exchange/target.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { Failure, sendJson } from '../http/failure.js';
import { answerHeaders } from '../http/own-headers.js';
import { isObject } from '../json.js';
import { checkShare } from '../limits/shares.js';
import { randomHex } from '../random.js';
import { EntryTooLarge } from '../store.js';
import type { Conversation } from './conversation.js';
import { followRun } from './follow.js';
import { startRun } from './run.js';
import { aliveRun } from './run-record.js';

/** An ask whose conversation was looked up. */
export type ConversingAsk = Ask & { readonly conversation: Conversation };

/** Whether the gateway itself has to make this answer in the background. */
export function runsHere(gateway: Gateway, call: ClientCall, ask: Ask): boolean {
  const { value } = ask.json;
  if (!isObject(value) || value.background !== true) return false;
  const [first] = restedFirst(gateway.backends, drawnTargets(gateway.targets, call, ask.model));
  return first !== undefined && (first.backend.dialect !== call.dialect || first.backend.state === 'none');
}

/** Answers at once with a queued answer, or with its stream, and makes it whether the client stays or not. */
export async function serveBackground(gateway: Gateway, call: ClientCall, ask: ConversingAsk): Promise<void> {
  const { archive } = gateway;
  const { conversation } = ask;
  const { echo } = conversation;
  if (archive === undefined || echo.store === false) {
    const message = 'background answers have to be stored: store must not be false';
    throw new Failure({ kind: 'invalid_request', message, path: '/background' });
  }
  checkModels(call, ask);
  // As many as there may be exchanges, beside those: who asks for an answer, or ends it, is not shut out by answers.
  const { exchanges } = gateway.config.limits;
  if (gateway.runs.size >= exchanges) {
    const message = `the gateway has reached its limit of background answers (limits.exchanges: ${exchanges})`;
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 });
  }
  const { tenant } = conversation;
  checkShare(gateway.config, gateway.runs.held(tenant), exchanges, 'limits.exchanges');
  const queued = queuedAnswer(call.dialect, ask, echo);
  const id = String(queued.id);
  call.record.facts = { ...call.record.facts, model: ask.model, stream: ask.stream, answer: id };
  // What cannot be served is refused before anything is promised.
  conversation.choose(drawnTargets(gateway.targets, call, ask.model));
  const exchanged = conversation.exchanged();
  await archive.promise(tenant, queued, aliveRun(ask.stream), exchanged).catch(refuseTooLarge);
  const edits = { background: 'remove', stream: { json: 'true', add: true } } as const;
  const text = editMembers(ask.json.text, edits);
  const run = startRun({
    gateway,
    archive,
    tenant,
    call,
    ask: {
      ...ask,
      stream: true,
      json: { text, value: JSON.parse(text) },
      conversation: { ...conversation, keeperOf: () => undefined },
    },
    queued,
    exchanged,
    streamed: ask.stream,
  });
  gateway.runs.add(tenant, id, run);
  await run.begun;
  if (ask.stream) return followRun(gateway, call, run, -1);
  sendJson(call.response, 200, queued, answerHeaders(call));
}

function refuseTooLarge(thrown: unknown): never {
  if (!(thrown instanceof EntryTooLarge)) throw thrown;
  const message = 'the request is too large to be stored, as background answers must be';
  throw new Failure({ kind: 'too_large', message, path: '/input' });
}

function queuedAnswer(dialect: DialectId, ask: Ask, echo: JsonObject): JsonObject {
  const empty = {
    source: '',
    id: '',
    model: ask.model,
    parts: [],
    finish: { kind: 'end', raw: '', dialect: '' },
  } as const;
  const { value } = encodeResponse(dialect, empty, {
    request: ask.json.value,
    now: Math.floor(Date.now() / 1000),
    model: ask.model,
  });
  return {
    ...value,
    id: `resp_il${randomHex()}`,
    store: true,
    background: true,
    previous_response_id: echo.previous_response_id ?? null,
    status: 'queued',
    completed_at: null,
    output: [],
    usage: null,
  };
}
