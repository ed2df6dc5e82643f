import { createLosses, dialects } from '../translators/index.js';
import { CallFailure } from './backend.js';
import { JSON_TYPE } from './exchange/answer-type.js';
import { lossPolicy } from './exchange/losses.js';
import { checkModels } from './exchange/named-models.js';
import type { Ask, Attempt, Decoded, Passage, Reached } from './exchange/passage.js';
import { reach } from './exchange/reach.js';
import {
  noteCooling,
  type Refusal,
  readRefusal,
  refusalOf,
  type Told,
  unreachedRefusal,
  worthTelling,
} from './exchange/refusal.js';
import { relayPassage } from './exchange/relayed.js';
import { drawnTargets, isCooling, restedFirst, type Target } from './exchange/target.js';
import { translatePassage } from './exchange/translated.js';
import { unknownModel } from './exchange/unknown-model.js';
import type { Gateway } from './gateway.js';
import type { ClientCall } from './http/client-call.js';
import { Failure } from './http/failure.js';
import type { PassReason } from './observe/metrics.js';
import { Handover } from './offload/handover.js';
import { lookAhead } from './offload/look-ahead.js';

export type { Ask } from './exchange/passage.js';

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

/** Tries the model's targets in order until one serves, or refuses in a way that the others would not mend (contract.md 3.1). */
export async function tryTargets(
  gateway: Gateway,
  call: ClientCall,
  ask: Ask,
  decoded: () => Decoded,
  prepare: (attempt: Attempt) => Passage | Promise<Passage>,
): Promise<void> {
  checkModels(call, ask);
  if (call.admission !== undefined) call.admission.asked = ask.json.text;
  const found = drawnTargets(gateway.targets, call, ask.model);
  return tryEach({ gateway, call, ask, decoded }, ask.conversation?.choose(found) ?? found, prepare);
}

/** The same for targets that were found already, and that the caller may use. */
export async function tryEach(
  given: Pick<Attempt, 'gateway' | 'call' | 'ask' | 'decoded'>,
  found: readonly Target[],
  prepare: (attempt: Attempt) => Passage | Promise<Passage>,
): Promise<void> {
  const { gateway, call, ask } = given;
  const policy = lossPolicy(gateway.config.losses, call.request.headers['x-interlingua-losses']);
  const targets = restedFirst(gateway.backends, found);
  let told: Told | undefined;
  let passed = 0;
  for (const [index, target] of targets.entries()) {
    const attempt = createAttempt({ ...given, target, policy }, passed);
    let passage: Passage;
    try {
      const prepared = prepare(attempt);
      passage = prepared instanceof Promise ? await prepared : prepared;
    } catch (thrown) {
      // That a later target cannot take the request does not explain why an earlier one refused it, or is asked last.
      const late = targets.slice(index + 1).some((other) => isCooling(gateway.backends, other));
      if (told === undefined && !late) throw thrown;
      continue;
    }
    const refusal = await pass(attempt, passage);
    if (refusal === undefined) return;
    told = worthTelling(told, { refusal, target, passed });
    if (!refusal.next) break;
    if (index < targets.length - 1) passed += 1;
    notePassed(attempt, refusal.reason, index < targets.length - 1);
  }
  if (told === undefined) {
    throw unknownModel(gateway, call, ask.model);
  }
  noteTarget(call, ask, told.target, told.passed);
  return told.refusal.tell();
}

/** Tells the operator that a target did not serve; `followed` = by another one. */
function notePassed({ gateway, call, target }: Attempt, reason: PassReason, followed: boolean): void {
  const { name } = target.backend;
  // The operator alone can mend a key; a backend that is kept out for a while was told of when it failed.
  const level = reason === 'credentials' ? 'error' : reason === 'breaker' ? 'debug' : 'warn';
  gateway.logger[level]({ id: call.id, backend: name, model: target.model, reason }, 'the target did not serve');
  if (followed) gateway.meter.passed(name, reason);
}

/** Notes which target the exchange is about. */
function noteTarget({ record }: ClientCall, ask: Ask, { backend, model }: Target, passed: number): void {
  record.facts = {
    ...record.facts,
    model: ask.model === '' ? undefined : ask.model,
    stream: ask.stream,
    backend: backend.name,
    dialect: backend.dialect,
    target: model === '' ? undefined : model,
    passed: passed === 0 ? undefined : passed,
  };
}

function createAttempt(given: Omit<Attempt, 'backend' | 'reach' | 'refusal' | 'keeper'>, passed: number): Attempt {
  const { gateway, call, ask, target } = given;
  const backend = gateway.backends.get(target.backend.name);
  noteTarget(call, ask, target, passed);
  const { conversation } = ask;
  return {
    ...given,
    ask: conversation !== undefined && target.backend.dialect === call.dialect ? conversation.askOf(target, ask) : ask,
    keeper: conversation?.keeperOf(target),
    backend,
    reach: (request, waiting = call) => reach(gateway, call, target, request, waiting),
    refusal: async (reached) => new Failure((await readRefusal(gateway, target, reached)).error),
  };
}

/** Goes one way to its end. What is refused before anything was answered is given back and not thrown. */
async function pass(attempt: Attempt, passage: Passage, again = false): Promise<Refusal | undefined> {
  let reached: Reached;
  try {
    reached = await (passage.reach === undefined ? attempt.reach(passage.sent) : passage.reach());
  } catch (thrown) {
    if (!(thrown instanceof CallFailure) || thrown.connected || attempt.call.gone) throw thrown;
    return unreachedRefusal(thrown);
  }
  const { status } = reached.answer;
  if (status >= 200 && status < 300) {
    if (!again) reached = await handOverLarge(attempt, passage, reached);
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
  noteCooling(attempt, status, read);
  const next = status === 400 ? await passage.without(read.told) : undefined;
  return next === undefined ? refusalOf(attempt, reached, read, passage) : pass(attempt, next, true);
}

/**
 * Throws Handover for a large answer in one piece: a thread makes the same passage from the same request, and goes on with
 * this answer. Not where something was fetched for the passage, or it tells of what its backend refused: that cannot be
 * made a second time. Gives the answer to go on with here.
 */
async function handOverLarge(
  { gateway, call, ask, target }: Attempt,
  passage: Passage,
  reached: Reached,
): Promise<Reached> {
  const { offload } = gateway;
  const { text } = call;
  const whole = !ask.stream && JSON_TYPE.test(reached.answer.headers['content-type'] ?? '');
  if (offload === undefined || text === undefined || call.detached === true || !whole) return reached;
  if (passage.once === true || passage.reach !== undefined) return reached;
  const { large, answer } = await lookAhead(reached.answer, offload.largeBytes);
  if (large) throw new Handover([Buffer.from(text)], { target, answer, running: reached.running });
  return { ...reached, answer };
}
