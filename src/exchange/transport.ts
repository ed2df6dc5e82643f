import { dialects } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { StreamRefusal, type Transport } from '../call/index.js';
import type { LimitsConfig } from '../config/index.js';
import { Failure, MB } from '../ground/index.js';
import { type ClientCall, takeTurn } from '../http/index.js';
import type { Caller } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnsweredCall, Attempt } from './attempt.js';
import { isAboutRequest, reportInAnswer } from './refusal.js';

/** What an event has beside a whole answer that it tells, in bytes: its frame, and members that the server left out. */
const FRAME_BYTES = 64 * 1024;

/** How large an event may be: the last one of a stream that was made of a whole answer tells all of it. */
export function eventBytes({ eventMb }: Pick<LimitsConfig, 'eventMb'>): number {
  return eventMb * MB + FRAME_BYTES;
}

/** Who asks, for the room of calls. */
export function callerOf({ dialect, request, query, id }: ClientCall): Caller {
  return { dialect, headers: request.headers, query, id };
}

/** Answers of backends, within the limits of the gateway. */
export const TRANSPORT: Transport<Attempt, AnsweredCall> = {
  host: ({ target }) => target.backend,
  service: ({ target }) => dialects[target.backend.dialect],
  depth: ({ gateway }) => gateway.config.limits.jsonDepth,
  headers: ({ answer }) => answer.headers,
  async bytes({ gateway, call }, { answer, running }) {
    const bytes = await collectBody(answer, gateway.config.limits.eventMb * MB, running.abort);
    const turn = takeTurn(gateway, call, bytes.length);
    if (turn !== undefined) await turn;
    return bytes;
  },
  streaming({ answer, running }, stream) {
    const bytes = Buffer.from(stream);
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
  },
  failure({ gateway, call, target }, { answer }, error) {
    const headers = exchangeHeaders(call, target, answer.headers, []);
    const reported = reportInAnswer(gateway, target.backend, error);
    return new (isAboutRequest(reported) ? StreamRefusal : Failure)(reported, { headers });
  },
};
