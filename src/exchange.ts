import { setTimeout as delay } from 'node:timers/promises';
import { createLosses, dialects } from '../translators/index.js';
import { checkModel } from './access.js';
import { exchangeHeaders } from './answer-head.js';
import { type Backend, type BackendAsk, CallFailure, collectBody } from './backend.js';
import type { ClientCall } from './client-call.js';
import { errorCode, errorMessage } from './error-code.js';
import { Failure, sendWhole } from './failure.js';
import type { Gateway } from './gateway.js';
import { lossPolicy } from './losses.js';
import type { Ask, Attempt, Decoded, Passage, Reached, Waiting } from './passage.js';
import { relayPassage } from './relayed.js';
import type { Target } from './target.js';
import { translatePassage } from './translated.js';
import { readUpstreamError, type UpstreamError } from './upstream-error.js';

export type { Ask } from './passage.js';

/** An error body of a backend is read up to this size in bytes. */
const ERROR_BYTES = 1024 * 1024;

/** Why a target did not serve, and how the client is told when no other does. */
interface Refusal {
  /** The next target may be tried. */
  readonly next: boolean;
  /** Answers with it, or rejects with what is to be answered. */
  tell(): Promise<void>;
}

/** The way of one request: from the client to a backend and back. Rejects with what the client is told. */
export function serveExchange(gateway: Gateway, call: ClientCall, ask: Ask): Promise<void> {
  return tryTargets(gateway, call, ask, lazyDecode(call, ask, false), (attempt) => {
    const { config } = attempt.backend;
    const direct = config.dialect === call.dialect && (ask.stream || config.stream === 'client');
    return direct ? relayPassage(attempt, 'create') : translatePassage(attempt);
  });
}

/** Decodes the client's request when the first target of another dialect needs it, and then no more. */
export function lazyDecode(call: ClientCall, ask: Ask, counting: boolean): () => Decoded {
  let decoded: Decoded | undefined;
  return () => {
    if (decoded !== undefined) return decoded;
    const losses = createLosses();
    const context = { losses, model: ask.model, stream: ask.stream, counting, state: ask.conversation?.state };
    const dialect = dialects[call.dialect];
    const request = counting
      ? dialect.count.decodeRequest(ask.json.value, context)
      : dialect.decodeRequest(ask.json.value, context);
    decoded = { request, body: ask.conversation?.echo ?? (ask.json.value as Decoded['body']), losses: losses.list };
    return decoded;
  };
}

/** Takes a place within the limits of the caller's key, once for each request. Rejects with a Failure when there is none. */
export async function admitCall({ limiter }: Gateway, call: ClientCall): Promise<void> {
  if (call.key !== undefined && call.admission === undefined) call.admission = await limiter.admit(call.key);
}

/** Tries the model's targets in order. The last refusal of a backend is the one that is told (contract.md 3.1). */
export async function tryTargets(
  gateway: Gateway,
  call: ClientCall,
  ask: Ask,
  decoded: () => Decoded,
  prepare: (attempt: Attempt) => Passage | Promise<Passage>,
): Promise<void> {
  checkModel(call.key, ask.model);
  await admitCall(gateway, call);
  const policy = lossPolicy(gateway.config.losses, call.request.headers['x-interlingua-losses']);
  const found = gateway.targets.resolve(ask.model);
  const targets = ask.conversation?.choose(found) ?? found;
  let refusal: Refusal | undefined;
  for (const target of targets) {
    const attempt = createAttempt({ gateway, call, ask, target, policy, decoded });
    let passage: Passage;
    try {
      const prepared = prepare(attempt);
      passage = prepared instanceof Promise ? await prepared : prepared;
    } catch (thrown) {
      // That a later target cannot take the request does not explain why an earlier one refused it.
      if (refusal === undefined) throw thrown;
      continue;
    }
    refusal = await pass(attempt, passage);
    if (refusal === undefined) return;
    if (!refusal.next) break;
    gateway.logger.warn({ id: call.id, backend: target.backend.name, model: target.model }, 'the target did not serve');
  }
  if (refusal !== undefined) return refusal.tell();
  throw new Failure({ kind: 'not_found', message: `there is no model ${ask.model}`, model: ask.model });
}

function createAttempt(given: Omit<Attempt, 'backend' | 'reach' | 'refusal' | 'keeper'>): Attempt {
  const { gateway, call, ask, target } = given;
  const backend = gateway.backends.get(target.backend.name);
  call.record.facts = {
    ...call.record.facts,
    model: ask.model,
    stream: ask.stream,
    backend: target.backend.name,
    dialect: target.backend.dialect,
    target: target.model,
  };
  const { conversation } = ask;
  return {
    ...given,
    ask: conversation !== undefined && target.backend.dialect === call.dialect ? conversation.askOf(target, ask) : ask,
    keeper: conversation?.keeperOf(target),
    backend,
    reach: (request, waiting = call) => reach(gateway, call.id, waiting, backend, request),
    refusal: async (reached) => new Failure((await readRefusal(gateway, target, reached)).error),
  };
}

/** First and longest wait, in ms, before a connection that could not be made is tried again. */
const BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2000;

/** Calls a backend; connections that cannot be made are tried again, and nothing else is. */
export async function reach(
  gateway: Gateway,
  id: string,
  waiting: Waiting,
  backend: Backend,
  request: BackendAsk,
): Promise<Reached> {
  for (let repeats = 0; ; repeats += 1) {
    const running = backend.call(request);
    waiting.running = running;
    if (waiting.gone) running.abort();
    try {
      return { answer: await running.answer, running };
    } catch (thrown) {
      const { name, retries } = backend.config;
      const failure = thrown instanceof CallFailure ? thrown : undefined;
      if (!waiting.gone) gateway.logger.warn({ id, backend: name, reason: reasonOf(thrown) }, 'call failed');
      const most = Math.min(retries, failure?.repeats ?? 0);
      if (failure === undefined || failure.connected || waiting.gone || repeats >= most) throw thrown;
      await delay(Math.min(BACKOFF_MS * 2 ** repeats, MAX_BACKOFF_MS));
    }
  }
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown';
  const { cause } = thrown;
  return cause === undefined ? thrown.message : (errorCode(cause) ?? errorMessage(cause));
}

/** Goes one way to its end. What is refused before anything was answered is given back and not thrown. */
async function pass(attempt: Attempt, passage: Passage): Promise<Refusal | undefined> {
  let reached: Reached;
  try {
    reached = await (passage.reach === undefined ? attempt.reach(passage.sent) : passage.reach());
  } catch (thrown) {
    if (!(thrown instanceof CallFailure) || thrown.connected || attempt.call.gone) throw thrown;
    return { next: true, tell: () => Promise.reject(thrown) };
  }
  const { status } = reached.answer;
  if (status >= 200 && status < 300) {
    try {
      await passage.deliver(reached);
    } catch (thrown) {
      // Nobody reads what may still come of it.
      reached.running.abort();
      throw thrown;
    }
    return undefined;
  }
  const instead = passage.instead?.(status, reached);
  if (instead !== undefined) {
    await instead;
    return undefined;
  }
  const read = await readRefusal(attempt.gateway, attempt.target, reached);
  const again = status === 400 ? passage.without(read.told) : undefined;
  return again === undefined ? refusalOf(attempt, reached, read, passage) : pass(attempt, again);
}

interface ReadRefusal extends UpstreamError {
  readonly bytes: Buffer;
}

async function readRefusal(gateway: Gateway, target: Target, { answer, running }: Reached): Promise<ReadRefusal> {
  const bytes = await collectBody(answer, ERROR_BYTES, running.abort);
  const { backend } = target;
  const read = readUpstreamError(backend, answer.status, answer.headers, bytes);
  if (read.ours) {
    gateway.logger.error({ backend: backend.name, status: answer.status }, 'the backend refused our credentials');
  }
  return { ...read, bytes };
}

/** A refusal as the client will see it: as it came when it is of the client's own dialect, else translated. */
function refusalOf(
  { call, target, gateway }: Attempt,
  { answer }: Reached,
  read: ReadRefusal,
  passage: Passage,
): Refusal {
  const headers = exchangeHeaders(call, target, answer.headers, passage.losses);
  const own = passage.relaysErrors ?? target.backend.dialect === call.dialect;
  const relayed = own && read.shaped && !read.ours && call.detached !== true;
  return {
    next: read.next,
    async tell() {
      if (!relayed) throw new Failure(read.error, { headers });
      call.record.error = read.error.kind;
      sendWhole(call.response, answer.status, gateway.redact(read.bytes.toString()), {
        ...headers,
        'content-type': answer.headers['content-type'] ?? 'application/json',
      });
    },
  };
}
