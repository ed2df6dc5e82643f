import { dialects, type StreamExchange } from '../../translators/index.js';
import { asStream, endOfBytes, STREAM_TYPES, StreamRefusal } from '../call/index.js';
import { Failure, toCanonicalError } from '../ground/index.js';
import { endingOf, type TextFilter } from '../guard/index.js';
import { noteFirstToken, noteLastToken, noteLosses } from '../http/index.js';
import { leakOf, textFilterFor } from './answer-guard.js';
import { exchangeHeaders } from './answer-head.js';
import { directStage, endAt, type Stage } from './answer-storage.js';
import type { AnsweredCall } from './attempt.js';
import { type ClientStream, createClientStream, endFailed } from './client-stream.js';
import { isAboutRequest } from './refusal.js';
import { callAgain, noteLearned, type TranslatedPlan } from './translation.js';
import { TRANSPORT } from './transport.js';

/** How long, in ms, a backend may go on after its last word before the call is ended. */
const TRAILER_MS = 1000;

/** The state of a stream that is being translated. */
interface Run {
  readonly translation: TranslatedPlan;
  readonly stream: StreamExchange;
  readonly clientStream: ClientStream;
  readonly stage: Stage;
  readonly filter: TextFilter;
  /** Gives a sign of life when nothing was said for a while. */
  readonly silence: NodeJS.Timeout;
  /** Limits how long a backend goes on after its last word. */
  trailer: NodeJS.Timeout | undefined;
  /** The answer that is being read. */
  current: AnsweredCall;
  /** All of it has come. */
  received: boolean;
  /** Nothing is said any more. */
  over: boolean;
  /** Content was written. */
  shown: boolean;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Translates a stream as it comes. Every chunk is one synchronous step and at most one write. The head goes out with the
 * first text, so that what fails before it is answered with a status of its own.
 */
export async function streamTranslated(translation: TranslatedPlan, came: AnsweredCall): Promise<void> {
  const answered = await asStream(TRANSPORT, translation.attempt, came);
  const { attempt, exchange, losses } = translation;
  const { call, ask, target, gateway } = attempt;
  const { limits } = gateway.config;
  const stream = exchange.stream(ask.framing);
  const clientStream = createClientStream(
    call,
    () => ({
      ...exchangeHeaders(call, target, answered.answer.headers, losses.list),
      'content-type': STREAM_TYPES[ask.framing],
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    }),
    limits.writeIdleSeconds,
  );
  call.record.soFar = stream.facts;
  return new Promise((resolve, reject) => {
    const run: Run = {
      translation,
      stream,
      clientStream,
      stage: attempt.storage?.translated(clientStream) ?? directStage(clientStream),
      filter: textFilterFor(target.backend, ask.framing),
      silence: setTimeout(() => beat(run), limits.heartbeatSeconds * 1000),
      trailer: undefined,
      current: answered,
      received: false,
      over: false,
      shown: false,
      resolve,
      reject,
    };
    attach(run, answered);
  });
}

/** Reads an answer. */
function attach(run: Run, next: AnsweredCall): void {
  const { stream, clientStream, translation } = run;
  const { call } = translation.attempt;
  run.current = next;
  run.received = false;
  clientStream.source = next.answer;
  next.answer.pipe({
    data(chunk) {
      if (!run.over) advance(run, stream.push(chunk));
    },
    end() {
      noteReceived(run);
      if (!run.over) goOn(run);
    },
    fail(failure) {
      noteReceived(run);
      if (run.over) return;
      // Nobody hears how it ended: what was said so far, which may be long, is not repeated.
      if (!call.gone) return advance(run, stream.fail(failure.error));
      finish(run);
      call.record.error = failure.error.kind;
    },
  });
}

function noteReceived(run: Run): void {
  run.received = true;
  clearTimeout(run.trailer);
}

/** Goes on behind the end of an answer: with the next one where that paused. */
function goOn(run: Run): void {
  const { stream, translation } = run;
  const { text, sent } = endOfBytes(stream);
  if (sent === undefined) {
    advance(run, text);
    return;
  }
  if (text !== '' && !say(run, text)) return;
  callAgain(translation, sent)
    .then((next) => asStream(TRANSPORT, translation.attempt, next))
    .then(
      (next) => {
        if (!run.over) attach(run, next);
      },
      (thrown: unknown) => {
        if (!run.over) advance(run, stream.fail(toCanonicalError(thrown)));
      },
    );
}

/** Takes one step of the translation to the client; the last one ends the answer. */
function advance(run: Run, text: string): void {
  const { stream, clientStream, silence, translation } = run;
  if (stream.failed !== undefined && !clientStream.begun) {
    finish(run, new (isAboutRequest(stream.failed) ? StreamRefusal : Failure)(stream.failed));
    run.current.running.abort();
    return;
  }
  if (text !== '') {
    if (!say(run, text)) return;
    silence.refresh();
    if (!run.shown && stream.content) {
      run.shown = true;
      noteFirstToken(translation.attempt.call);
      noteLearned(translation);
    }
  }
  if (stream.done) complete(run);
}

/** Ends the answer with its last word. */
function complete(run: Run): void {
  const { stream, clientStream, stage, translation, current } = run;
  const { attempt } = translation;
  run.over = true;
  noteLastToken(attempt.call);
  clearTimeout(run.silence);
  if (stream.failed === undefined) {
    if (!run.shown) noteLearned(translation);
    endAt(stage, attempt.call);
    finish(run);
  } else {
    stage.flush();
    // What is known is reported when the connection is gone.
    note(run);
    endFailed(clientStream, attempt).then(run.resolve);
  }
  if (stream.cut || stream.failed !== undefined) current.running.abort();
  else if (!run.received) run.trailer = setTimeout(current.running.abort, TRAILER_MS);
}

/** Writes what may leave; false when the answer ends here. */
function say(run: Run, text: string): boolean {
  const { stream, filter, stage, translation } = run;
  const clean = stream.failed === undefined ? text : translation.attempt.gateway.redact(text);
  const passed = filter.pass(clean, stream.done);
  if (filter.leaked) {
    endLeaking(run);
    return false;
  }
  if (passed !== '') stage.write(passed);
  return true;
}

/** Ends the answer in the place of its rest, which holds a secret. */
function endLeaking(run: Run): void {
  const { clientStream, stage, translation, filter } = run;
  const { attempt } = translation;
  const { call, ask } = attempt;
  const failure = leakOf(attempt);
  run.over = true;
  run.current.running.abort();
  if (!clientStream.begun) {
    finish(run, failure);
    return;
  }
  stage.flush();
  // What was cut out of an array cannot be reported in it.
  if (ask.framing === 'array') clientStream.breakOff();
  else clientStream.write(endingOf(dialects[call.dialect], filter.ends, failure.error, call.id));
  clearTimeout(run.silence);
  note(run);
  call.record.error = failure.error.kind;
  if (ask.framing === 'array') run.resolve();
  else endFailed(clientStream, attempt).then(run.resolve);
}

/** Notes how the answer ended, and settles its promise. */
function finish(run: Run, failure?: Failure): void {
  run.over = true;
  clearTimeout(run.silence);
  note(run);
  if (failure !== undefined) run.reject(failure);
  else run.resolve();
}

function note({ translation, stream }: Run): void {
  const { attempt, losses } = translation;
  noteLosses(attempt.call, losses.list);
  attempt.call.record.error = stream.failed?.kind;
}

function beat({ silence, clientStream, stream, stage }: Run): void {
  silence.refresh();
  if (clientStream.blocked) return;
  const text = stream.heartbeat();
  if (text === '') clientStream.open();
  else stage.write(text);
}
