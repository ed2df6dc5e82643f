import {
  type CanonicalError,
  createWatcher,
  dialects,
  type FitHostContext,
  type HostRestorer,
  type Loss,
  restoreAnswer,
  TranslationError,
  type Watcher,
} from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { asStream, watch } from '../call/index.js';
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
import type { AnsweredCall, Attempt, CallPlan } from './call-plan.js';
import { type ClientStream, createClientStream, endFailed } from './client-stream.js';
import { callOf, restoredStage } from './host.js';
import { withMedia } from './inlining.js';
import { createOutputFilter, leakOf, tellsSecret } from './output-filter.js';
import { reportInAnswer, StreamRefusal } from './refusal.js';
import { beforeFailure, createRelayGuard, guarded } from './relay-guard.js';
import { isRestricting, MAX_RESTRICTIONS } from './relayed-restrictions.js';
import { capIn, noteRestriction, relayedCap, unsupportedIn } from './restrictions.js';
import { eventBytes, TRANSPORT } from './transport.js';

/**
 * The way through a backend of the client's own dialect: nothing is decoded. In the request the model's name and the
 * credentials change, in the answer nothing (http.md#same-dialect), but for what the host lacks of the dialect (hosts.md#presets).
 * `media` = pictures that were fetched for it.
 */
export function planRelay(given: Attempt, operation: 'create' | 'count', media?: FitHostContext['media']): CallPlan {
  const { ask, target } = given;
  const mostOutput = operation === 'create' ? relayedCap(given) : undefined;
  const { json, sent, losses, restore } = callOf(given, { operation, media, mostOutput });
  const attempt = json === ask.json ? given : { ...given, ask: { ...ask, json } };
  return {
    sent,
    losses,
    once: media !== undefined,
    deliver(answered) {
      const { learned, learnedCap } = given;
      const noteLearned = (): void => {
        if (learnedCap !== undefined) noteRestriction(attempt, { kind: 'cap', tokens: learnedCap });
        if (learned !== undefined) noteRestriction(attempt, { kind: 'unsupported', unsupported: learned });
      };
      if (ask.stream) return relayStream(attempt, answered, losses, { restore, noteLearned });
      // Only now it is known to have been right.
      noteLearned();
      return relayWhole(attempt, answered, losses, restore);
    },
    without(error) {
      const { conversation } = ask;
      if (error.code !== 'previous_response_not_found')
        return retryWithoutUnsupported(given, attempt, error, sent.body, operation);
      if (conversation?.rebuild(target) !== true) return undefined;
      const storage = conversation.storageOf(target);
      return planRelay({ ...given, ask: conversation.askOf(target, ask), storage }, operation, media);
    },
  };
}

/**
 * The plan of a request whose host refused a member that it may not support, without that member: by the first rule that changes
 * what was sent. undefined where none does, and where the member cannot be done without.
 */
async function retryWithoutUnsupported(
  given: Attempt,
  { ask }: Attempt,
  error: CanonicalError,
  sent: string,
  operation: 'create' | 'count',
): Promise<CallPlan | undefined> {
  const { restrictions = 0 } = given;
  if (restrictions === MAX_RESTRICTIONS) return undefined;
  const { config } = given.backend;
  const cap = capIn(config, error, ask.json.value);
  const learnedCap = cap ?? given.learnedCap;
  const tries = [...(cap === undefined ? [] : [[]]), ...unsupportedIn(config, error, ask.json.value)];
  for (const unsupported of tries) {
    const all = [...new Set([...(given.learned ?? []), ...unsupported])];
    const learned = all.length === 0 ? undefined : all;
    const next: Attempt = { ...given, learned, learnedCap, restrictions: restrictions + 1 };
    try {
      const plan = await withMedia(next, (media) => planRelay(next, operation, media));
      if (plan.sent.body !== sent) return plan;
    } catch (thrown) {
      // What the host said tells the client more than that it cannot be mended.
      if (!(thrown instanceof TranslationError) && !(thrown instanceof Failure)) throw thrown;
    }
  }
  return undefined;
}

async function relayWhole(
  attempt: Attempt,
  { answer, running }: AnsweredCall,
  losses: readonly Loss[],
  restore: HostRestorer | undefined,
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
 * begins with a refusal that reveals a restriction; `noteLearned` is called at the first content, and at the end of one that ends well without any.
 */
async function relayStream(
  attempt: Attempt,
  answered: AnsweredCall,
  losses: readonly Loss[],
  { restore, noteLearned }: { readonly restore: HostRestorer | undefined; noteLearned(): void },
): Promise<void> {
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
    restricts = before === '' && !clientStream.begun && isRestricting(attempt, failure.error);
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
        if (!shown && watcher.failure === undefined) noteLearned();
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
          noteLearned();
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
