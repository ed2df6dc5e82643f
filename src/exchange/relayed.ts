import {
  type CanonicalError,
  createWatcher,
  dialects,
  restoreAnswer,
  TranslationError,
  type Watcher,
} from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { asStream, type RelayedCall, StreamRefusal, watch } from '../call/index.js';
import { Failure, MB, withoutSecrets } from '../ground/index.js';
import {
  noteAnswer,
  noteFirstByte,
  noteFirstToken,
  noteLastToken,
  noteLosses,
  sendWhole,
  takeTurn,
} from '../http/index.js';
import { checkAnswerType, errorInAnswer, INCOMPLETE, parseAnswer } from '../protocol/index.js';
import { exchangeHeaders, relayedType } from './answer-head.js';
import { directStage } from './answer-storage.js';
import type { AnsweredCall, Attempt, Media, Planned } from './attempt.js';
import { type ClientStream, createClientStream, endFailed } from './client-stream.js';
import { callOf, restoredStage } from './host.js';
import { withMedia } from './inlining.js';
import { createOutputFilter, leakOf, tellsSecret } from './output-filter.js';
import { reportInAnswer } from './refusal.js';
import { beforeFailure, createRelayGuard, guarded } from './relay-guard.js';
import { type RelayRestrictions, restrictionsAfter, UNRESTRICTED } from './relayed-restrictions.js';
import { noteRestriction, relayedCap } from './restrictions.js';
import { eventBytes, TRANSPORT } from './transport.js';

/** A request that goes to a backend of the client's own dialect. */
export interface RelayedPlan extends Planned, Omit<RelayedCall, 'sent'> {
  readonly kind: 'relayed';
  readonly sent: RelayedCall['sent'];
  readonly operation: 'create' | 'count';
  readonly restrictions: RelayRestrictions;
}

/**
 * The way through a backend of the client's own dialect: nothing is decoded. In the request the model's name and the
 * credentials change, in the answer nothing (http.md#same-dialect), but for what the host lacks of the dialect (hosts.md#presets).
 * `media` = pictures that were fetched for it.
 */
export function planRelay(
  attempt: Attempt,
  operation: 'create' | 'count',
  media?: Media,
  restrictions: RelayRestrictions = UNRESTRICTED,
): RelayedPlan {
  const mostOutput = operation === 'create' ? relayedCap(attempt, restrictions.cap) : undefined;
  const call = callOf(attempt, { operation, media, mostOutput, learned: restrictions.unsupported });
  return { kind: 'relayed', attempt, operation, media, restrictions, ...call };
}

/** Brings the answer to the client as it came. */
export function deliverRelayed(plan: RelayedPlan, answered: AnsweredCall): Promise<void> {
  if (plan.attempt.ask.stream) return relayStream(plan, answered);
  // Only now it is known to have been right.
  noteLearned(plan);
  return relayWhole(plan, answered);
}

function noteLearned({ attempt, restrictions: { cap, unsupported } }: RelayedPlan): void {
  if (cap !== undefined) noteRestriction(attempt, { kind: 'cap', tokens: cap });
  if (unsupported.length > 0) noteRestriction(attempt, { kind: 'unsupported', unsupported });
}

/**
 * The same without what the host refused: the conversation that it does not know any more, or a member that it may not support, by the
 * first restriction that changes what was sent. undefined where none does, and where the member cannot be done without.
 */
export async function reviseRelayed(plan: RelayedPlan, error: CanonicalError): Promise<RelayedPlan | undefined> {
  const { attempt, operation, media, restrictions, sent } = plan;
  const { ask, target } = attempt;
  if (error.code === 'previous_response_not_found') {
    const { conversation } = ask;
    if (conversation?.rebuild(target) !== true) return undefined;
    const whole = { ...attempt, ask: conversation.askOf(target, ask), storage: conversation.storageOf(target) };
    return planRelay(whole, operation, media, restrictions);
  }
  for (const learned of restrictionsAfter(plan, error)) {
    try {
      const next = await withMedia(
        attempt,
        (found) => planRelay(attempt, operation, found, learned),
        learned.unsupported,
      );
      if (next.sent.body !== sent.body) return next;
    } catch (thrown) {
      // What the host said tells the client more than that it cannot be mended.
      if (!(thrown instanceof TranslationError) && !(thrown instanceof Failure)) throw thrown;
    }
  }
  return undefined;
}

async function relayWhole(
  { attempt, losses: { list: losses }, restore }: RelayedPlan,
  { answer, running }: AnsweredCall,
): Promise<void> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, 'json');
  const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
  await takeTurn(gateway, call, bytes.length);
  const parsed = parseAnswer(bytes, limits);
  const failed = errorInAnswer(attempt.backend.config, parsed);
  if (failed !== undefined) {
    const reported = reportInAnswer(gateway, target.backend, failed);
    throw new Failure(reported, { headers: exchangeHeaders(call, target, answer.headers, losses) });
  }
  noteAnswer(call, dialects[target.backend.dialect].relayedFacts.read([parsed]));
  const { storage } = attempt;
  const shown = guarded(bytes, gateway.redact);
  if (tellsSecret(target.backend, shown, shown === bytes ? parsed : undefined))
    throw leakOf(attempt, exchangeHeaders(call, target, answer.headers, losses));
  const own = restore === undefined ? shown : restoreAnswer(textOf(shown), restore, limits.jsonDepth);
  const body = storage === undefined ? own : await storage.text(typeof own === 'string' ? own : textOf(own));
  noteFirstByte(call);
  noteLosses(call, losses);
  sendWhole(call.response, answer.status, body, {
    ...exchangeHeaders(call, target, answer.headers, losses),
    'content-type': relayedType(target.backend, answer.headers, 'application/json'),
  });
}

const UTF8 = new TextDecoder();

/** The text of an answer, without a mark of its byte order. */
function textOf(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/**
 * Passes a stream on as it comes, and looks on to know whether it ended with its last word. Rejects with StreamRefusal for one that
 * begins with a refusal that reveals a restriction. What earlier ones revealed is noted at the first content, and at the end of one that ends well
 * without any.
 */
async function relayStream(plan: RelayedPlan, answered: AnsweredCall): Promise<void> {
  const {
    attempt,
    losses: { list: losses },
    restore,
  } = plan;
  const { gateway, call, ask, target } = attempt;
  const { limits } = gateway.config;
  if (ask.framing === 'array') checkAnswerType(answered.answer.headers, 'json');
  const { answer, running } = ask.framing === 'sse' ? await asStream(TRANSPORT, attempt, answered) : answered;
  noteLosses(call, losses);
  const clientStream = createClientStream(
    call,
    () => ({
      ...exchangeHeaders(call, target, answer.headers, losses),
      'content-type': relayedType(
        target.backend,
        answer.headers,
        ask.framing === 'sse' ? 'text/event-stream' : 'application/json',
      ),
      'cache-control': 'no-cache',
      // What stands in front, nginx say, would keep a stream back until its end.
      'x-accel-buffering': 'no',
    }),
    limits.writeIdleSeconds,
  );
  const kept = attempt.storage?.relayed(clientStream) ?? directStage(clientStream);
  const stage = restoredStage(kept, restore, limits.jsonDepth);
  const dialect = dialects[target.backend.dialect];
  const watcher = createWatcher(dialect, ask.framing, eventBytes(limits));
  let refused: CanonicalError | undefined;
  let restricts = false;
  const guard = createRelayGuard(watcher, (events) => {
    const { failure } = watcher;
    const before = failure && beforeFailure(events, failure, ask.framing);
    if (failure === undefined || before === undefined) return gateway.redact(events);
    const reported = reportInAnswer(gateway, target.backend, failure.error);
    restricts = before === '' && !clientStream.begun && restrictionsAfter(plan, failure.error).length > 0;
    if (reported === failure.error && !restricts) return gateway.redact(events);
    refused = reported;
    return gateway.redact(before);
  });
  const filter = createOutputFilter(target.backend, watcher, stage, ask.framing);
  let shown = false;
  call.record.soFar = watcher.facts;
  clientStream.source = answer;
  return new Promise((resolve, reject) => {
    let over = false;
    const finish = (failure: Failure | undefined): void => {
      if (over) return;
      over = true;
      noteLastToken(call);
      if (refused === undefined && (watcher.whole || (watcher.between && watcher.begun))) filter.write(guard.rest());
      filter.flush();
      const leak = filter.leaked ? leakOf(attempt) : undefined;
      if (refused !== undefined || (leak !== undefined && !filter.whole)) watcher.retract();
      if (watcher.whole) {
        call.record.error = watcher.failure?.error.kind;
        if (!shown && watcher.failure === undefined) noteLearned(plan);
        stage.end().then(resolve, reject);
        return;
      }
      const broken = leak ?? (refused === undefined ? (failure ?? new Failure(INCOMPLETE)) : new Failure(refused));
      stage.flush();
      // What was cut out of an array cannot be reported in it.
      const between = leak === undefined ? watcher.between : filter.between && ask.framing === 'sse';
      if (clientStream.begun) endBroken(attempt, watcher, broken, clientStream, between).then(resolve);
      else reject(restricts ? new StreamRefusal(broken.error) : broken);
    };
    answer.pipe({
      data(chunk) {
        const failure = watch(watcher, chunk);
        filter.write(guard.pass(chunk));
        if (!shown && watcher.content) {
          shown = true;
          noteFirstToken(call);
          noteLearned(plan);
        }
        if (failure === undefined && refused === undefined && !filter.leaked) return;
        finish(failure);
        running.abort();
      },
      end() {
        const failure = watch(watcher, undefined);
        finish(failure);
      },
      fail(failure) {
        watch(watcher, undefined);
        finish(failure);
      },
    });
  });
}

/** Says in the dialect's own frames that the answer broke off, where a frame can still be appended (translation.md 6.5). */
async function endBroken(
  attempt: Attempt,
  watcher: Watcher,
  { error }: Failure,
  clientStream: ClientStream,
  between: boolean,
): Promise<void> {
  const { call, gateway } = attempt;
  if (!watcher.finished || !between) call.record.error = error.kind;
  if (!between) {
    clientStream.breakOff();
    return;
  }
  clientStream.write(watcher.ending(withoutSecrets(error, gateway.redact), { requestId: call.id }));
  // Behind the finish nothing but the last line was missing.
  if (watcher.finished) clientStream.end();
  else await endFailed(clientStream, attempt);
}
