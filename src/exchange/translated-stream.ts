import type { StreamExchange } from '../../translators/index.js';
import { Failure, toCanonicalError } from '../ground/index.js';
import { noteFirstToken, noteLastToken, noteLosses } from '../http/index.js';
import { checkAnswerType, INCOMPLETE } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';

import type { AnsweredCall } from './call-plan.js';
import { createClientStream, endFailed } from './client-stream.js';
import { directStage } from './persister.js';
import type { Translation } from './translation.js';

/** How long, in ms, a backend may go on after its last word before the call is ended. */
const TRAILER_MS = 1000;

const STREAM_TYPES = { sse: 'text/event-stream; charset=utf-8', array: 'application/json; charset=utf-8' } as const;

/**
 * Translates a stream as it comes. Every chunk is one synchronous step and at most one write. The head goes out with the
 * first text, so that what fails before it is answered with a status of its own.
 */
export function streamTranslated(translation: Translation, answered: AnsweredCall): Promise<void> {
  const { attempt, exchange, losses } = translation;
  const { call, ask, target, gateway } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answered.answer.headers, 'sse');
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
  return new Promise((resolve, reject) => {
    let current = answered;
    let over = false;
    let received = false;
    let shown = false;
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
    const advance = (text: string): void => {
      if (stream.failed !== undefined && !clientStream.begun) {
        finish(new Failure(stream.failed));
        current.running.abort();
        return;
      }
      if (text !== '') {
        stage.write(stream.failed === undefined ? text : gateway.redact(text));
        silence.refresh();
        if (!shown && stream.content) {
          shown = true;
          noteFirstToken(call);
        }
      }
      if (!stream.done) return;
      over = true;
      noteLastToken(call);
      clearTimeout(silence);
      if (stream.failed === undefined) {
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
      if (text !== '') stage.write(text);
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

/** Asks for what comes after a pause. */
async function resume(
  { attempt, askFor }: Translation,
  sent: NonNullable<ReturnType<StreamExchange['takeResume']>>,
): Promise<AnsweredCall> {
  const next = await attempt.callWithRetry(askFor(sent));
  if (next.answer.status !== 200) throw await attempt.refusal(next);
  checkAnswerType(next.answer.headers, 'sse');
  return next;
}
