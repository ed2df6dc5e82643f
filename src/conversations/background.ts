import {
  type DialectId,
  editMembers,
  encodeResponse,
  type JsonObject,
  storedResponses,
} from '../../translators/index.js';
import {
  availableFirst,
  checkModels,
  type GenerationRequest,
  isExplained,
  pickTargets,
  serveExchange,
} from '../exchange/index.js';
import { Failure, isObject, timedHex } from '../ground/index.js';
import { answerHeaders, type ClientCall, checkShare, createFacts, type Served, sendJson } from '../http/index.js';
import { EntryTooLarge } from '../store/index.js';
import type { Conversation } from './conversation.js';
import { followJob } from './follow.js';
import { aliveJob } from './job-record.js';
import { startJob } from './job-run.js';
import type { ConversationServices } from './services.js';

/** An ask whose conversation was looked up. */
export type ConversingAsk = GenerationRequest & { readonly conversation: Conversation };

/** Whether the gateway itself has to make this answer in the background. */
export function runsHere(gateway: ConversationServices, call: ClientCall, ask: GenerationRequest): boolean {
  const { value } = ask.json;
  if (!isObject(value) || value.background !== true) return false;
  const [first] = availableFirst({ gateway, call }, pickTargets(gateway.targets, call, ask.model));
  if (first === undefined) return false;
  const { dialect, state, unsupported } = first.backend;
  return dialect !== call.dialect || state === 'none' || unsupported.includes('background');
}

/** Answers at once with a queued answer, or with its stream, and makes it whether the client stays or not. */
export async function serveBackground(
  gateway: ConversationServices,
  call: ClientCall,
  ask: ConversingAsk,
): Promise<Served> {
  const { archive } = gateway;
  const { conversation } = ask;
  const { echo } = conversation;
  if (archive === undefined || echo.store === false) {
    const message = 'background answers have to be stored: store must not be false';
    throw new Failure({ kind: 'invalid_request', message, path: '/background' });
  }
  checkModels(call, ask);
  const asked = jobAsk(ask);
  if (isExplained(call)) return serveExchange(gateway, call, asked);
  // As many as there may be exchanges, beside those: who asks for an answer, or ends it, is not shut out by answers.
  const { exchanges } = gateway.config.limits;
  if (gateway.jobs.size >= exchanges) {
    const message = `the gateway has reached its limit of background answers (limits.exchanges: ${exchanges})`;
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 });
  }
  const { tenant } = conversation;
  checkShare(gateway.config, gateway.jobs.held(tenant), exchanges, 'limits.exchanges');
  const queued = queuedAnswer(call.dialect, ask, echo);
  const id = String(queued.id);
  call.record.facts ??= createFacts();
  Object.assign(call.record.facts, { model: ask.model, stream: ask.stream, answer: id });
  // What cannot be served is refused before anything is promised.
  conversation.choose(pickTargets(gateway.targets, call, ask.model));
  const exchanged = conversation.exchanged(id);
  await archive.promise(tenant, queued, aliveJob(ask.stream), exchanged).catch(refuseTooLarge);
  const job = startJob({
    gateway,
    archive,
    tenant,
    call,
    ask: asked,
    queued,
    exchanged,
    streamed: ask.stream,
  });
  gateway.jobs.add(tenant, id, job);
  await job.begun;
  if (ask.stream) await followJob(gateway, call, job, -1);
  else sendJson(call.response, 200, queued, answerHeaders(call));
  return 'answered';
}

/** What is asked of a backend for an answer in the background. */
function jobAsk(ask: ConversingAsk): ConversingAsk {
  const edits = { background: 'remove', stream: { json: 'true', add: true } } as const;
  const text = editMembers(ask.json.text, edits);
  return {
    ...ask,
    stream: true,
    json: { text, value: JSON.parse(text) },
    conversation: { ...ask.conversation, storageOf: () => undefined },
  };
}

function refuseTooLarge(thrown: unknown): never {
  if (!(thrown instanceof EntryTooLarge)) throw thrown;
  const message = 'the request is too large to be stored, as background answers must be';
  throw new Failure({ kind: 'too_large', message, path: '/input' });
}

function queuedAnswer(dialect: DialectId, ask: GenerationRequest, echo: JsonObject): JsonObject {
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
  return storedResponses.queuedAnswer(value, `resp_il${timedHex()}`, echo.previous_response_id);
}
