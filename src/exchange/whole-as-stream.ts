import { dialects } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import type { LimitsConfig } from '../config/index.js';
import { Failure, MB } from '../ground/index.js';
import { takeTurn } from '../http/index.js';
import { checkAnswerType, errorInAnswer, isWhole, parseAnswer } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnsweredCall, Attempt } from './call-plan.js';
import { isAboutRequest, reportInAnswer, StreamRefusal } from './refusal.js';

/** What an event has beside a whole answer that it tells, in bytes: its frame, and members that the server left out. */
const FRAME_BYTES = 64 * 1024;

/** How large an event may be: the last one of a stream that was made of a whole answer tells all of it. */
export function eventBytes({ eventMb }: Pick<LimitsConfig, 'eventMb'>): number {
  return eventMb * MB + FRAME_BYTES;
}

/**
 * The answer to a request for a stream. One that came whole all the same, as some servers send it with tools or with a
 * setting that they do not stream, is paid: it goes on as the stream that the dialect's service would have sent. Rejects with what
 * to tell the client where it is none, or an error: StreamRefusal where that is about the request.
 */
export function asStream(attempt: Attempt, answered: AnsweredCall): AnsweredCall | Promise<AnsweredCall> {
  const { headers } = answered.answer;
  if (isWhole(headers)) return streamed(attempt, answered);
  checkAnswerType(headers, 'sse');
  return answered;
}

async function streamed(attempt: Attempt, { answer, running }: AnsweredCall): Promise<AnsweredCall> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  const { backend } = target;
  checkAnswerType(answer.headers, 'json');
  const collected = await collectBody(answer, limits.eventMb * MB, running.abort);
  await takeTurn(gateway, call, collected.length);
  const body = parseAnswer(collected, limits);
  const failed = errorInAnswer(backend, body);
  if (failed !== undefined) {
    const headers = exchangeHeaders(call, target, answer.headers, []);
    const reported = reportInAnswer(gateway, backend, failed);
    throw new (isAboutRequest(reported) ? StreamRefusal : Failure)(reported, { headers });
  }
  const bytes = Buffer.from(dialects[backend.dialect].wholeAsStream(body));
  return {
    running,
    answer: {
      status: answer.status,
      headers: { ...answer.headers, 'content-type': 'text/event-stream' },
      pipe(sink) {
        sink.data(bytes);
        sink.end();
      },
      pause() {},
      resume() {},
    },
  };
}
