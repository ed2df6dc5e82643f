import { dialects } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { Failure, MB } from '../ground/index.js';
import { checkAnswerType, errorInAnswer, isWhole, parseAnswer } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnsweredCall, Attempt } from './call-plan.js';
import { reportInAnswer } from './refusal.js';

/**
 * The answer to a request for a stream. One that came whole all the same, as some servers send it with tools or with a
 * setting that they do not stream, is paid: it goes on as the stream that the dialect's service would have sent. Rejects with what
 * to tell the client where it is none, or an error.
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
  const body = parseAnswer(await collectBody(answer, limits.eventMb * MB, running.abort), limits);
  const failed = errorInAnswer(backend, body);
  if (failed !== undefined) {
    const headers = exchangeHeaders(call, target, answer.headers, []);
    throw new Failure(reportInAnswer(gateway, backend, failed), { headers });
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
