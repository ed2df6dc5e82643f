import { type CanonicalError, createWatcher, dialects, type StreamExchange } from '../../translators/index.js';
import { Failure, toCanonicalError } from '../ground/index.js';
import { noteFirstToken, noteLastToken, noteLosses } from '../http/index.js';
import { INCOMPLETE } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';

import type { AnsweredCall, Attempt } from './call-plan.js';
import { createClientStream, endFailed } from './client-stream.js';
import { createTextExit, leakOf } from './exit.js';
import { directStage } from './persister.js';
import { isAboutRequest, StreamRefusal } from './refusal.js';
import type { Translation } from './translation.js';
import { asStream } from './whole-as-stream.js';

/** How long, in ms, a backend may go on after its last word before the call is ended. */
const TRAILER_MS = 1000;

const STREAM_TYPES = { sse: 'text/event-stream; charset=utf-8', array: 'application/json; charset=utf-8' } as const;

/**
 * Translates a stream as it comes. Every chunk is one synchronous step and at most one write. The head goes out with the
 * first text, so that what fails before it is answered with a status of its own.
 */
export async function streamTranslated(translation: Translation, came: AnsweredCall): Promise<void> {
  const answered = await asStream(translation.attempt, came);
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
  const stage = attempt.persister?.translated(clientStream) ?? directStage(clientStream);
  const exit = createTextExit(target.backend, ask.framing);
  return new Promise((resolve, reject) => {
    let current = answered;
    let over = false;
    let received = false;
    let shown = false;
    let said: Ends | undefined;
    call.record.soFar = stream.facts;
    let trailer: NodeJS.Timeout | undefined;

    const beat = (): void => {
      silence.refresh();
      if (clientStream.blocked) return;
      const text = stream.heartbeat();
      if (text === '') clientStream.open();
      else stage.write(text);
    };
    const silence = setTimeout(beat, limits.heartbeatSeconds * 1000);

    const note = (): void => {
      noteLosses(call, losses.list);
      call.record.error = stream.failed?.kind;
    };
    const finish = (failure?: Failure): void => {
      over = true;
      clearTimeout(silence);
      note();
      if (failure !== undefined) reject(failure);
      else resolve();
    };
    /** Ends the answer in the place of its rest, which holds a secret. */
    const endLeaking = (): void => {
      const failure = leakOf(attempt);
      over = true;
      current.running.abort();
      if (!clientStream.begun) {
        finish(failure);
        return;
      }
      stage.flush();
      // What was cut out of an array cannot be reported in it.
      if (ask.framing === 'array') clientStream.breakOff();
      else clientStream.write(endingOf(call, said, failure.error));
      clearTimeout(silence);
      note();
      call.record.error = failure.error.kind;
      if (ask.framing === 'array') resolve();
      else endFailed(clientStream, attempt).then(resolve);
    };
    /** Writes what may leave; false when the answer ends here. */
    const say = (text: string): boolean => {
      const shown = exit.pass(stream.failed === undefined ? text : gateway.redact(text));
      const rest = stream.done ? exit.rest() : '';
      if (exit.leaked) {
        endLeaking();
        return false;
      }
      if (shown + rest === '') return true;
      stage.write(shown + rest);
      said = { first: said?.first ?? shown + rest, last: shown + rest };
      return true;
    };
    const advance = (text: string): void => {
      if (stream.failed !== undefined && !clientStream.begun) {
        finish(new (isAboutRequest(stream.failed) ? StreamRefusal : Failure)(stream.failed));
        current.running.abort();
        return;
      }
      if (text !== '') {
        if (!say(text)) return;
        silence.refresh();
        if (!shown && stream.content) {
          shown = true;
          noteFirstToken(call);
          translation.answered();
        }
      }
      if (!stream.done) return;
      over = true;
      noteLastToken(call);
      clearTimeout(silence);
      if (stream.failed === undefined) {
        if (!shown) translation.answered();
        stage.end().then(() => finish(), reject);
      } else {
        stage.flush();
        // What is known is reported when the connection is gone.
        note();
        endFailed(clientStream, attempt).then(resolve);
      }
      if (stream.cut || stream.failed !== undefined) current.running.abort();
      else if (!received) trailer = setTimeout(current.running.abort, TRAILER_MS);
    };
    const closed = (): void => {
      received = true;
      clearTimeout(trailer);
    };
    const attach = (next: AnsweredCall): void => {
      current = next;
      received = false;
      clientStream.source = next.answer;
      next.answer.pipe({
        data(chunk) {
          if (!over) advance(stream.push(chunk));
        },
        end() {
          closed();
          if (!over) goOn(stream.end());
        },
        fail(failure) {
          closed();
          if (over) return;
          // Nobody hears how it ended: what was said so far, which may be long, is not repeated.
          if (!call.gone) return advance(stream.fail(failure.error));
          finish();
          call.record.error = failure.error.kind;
        },
      });
    };
    const goOn = (text: string): void => {
      const sent = stream.done ? undefined : stream.takeResume();
      if (sent === undefined) {
        advance(text + (stream.done ? '' : stream.fail(INCOMPLETE)));
        return;
      }
      if (text !== '' && !say(text)) return;
      resume(translation, sent).then(
        (next) => {
          if (!over) attach(next);
        },
        (thrown: unknown) => {
          if (!over) advance(stream.fail(toCanonicalError(thrown)));
        },
      );
    };
    attach(answered);
  });
}

/** The first and the last text that a client got of a stream. */
interface Ends {
  readonly first: string;
  readonly last: string;
}

/** Frames that end a stream with a failure: they name the answer that the first frames began, and go on counting. */
function endingOf({ dialect, id }: Attempt['call'], said: Ends | undefined, error: CanonicalError): string {
  const watcher = createWatcher(dialects[dialect], 'sse');
  if (said !== undefined) for (const text of new Set([said.first, said.last])) watcher.push(text);
  watcher.retract();
  return watcher.ending(error, { requestId: id });
}

/** Asks for what comes after a pause. */
async function resume(
  { attempt, askFor }: Translation,
  sent: NonNullable<ReturnType<StreamExchange['takeResume']>>,
): Promise<AnsweredCall> {
  const next = await attempt.callWithRetry(askFor(sent));
  if (next.answer.status !== 200) throw await attempt.refusal(next);
  return asStream(attempt, next);
}
