import type { AnswerHeaders } from '../backend.js';
import { Failure } from '../http/failure.js';

const JSON_TYPE = /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/json)\s*(?:;|$)/i;
const SSE_TYPE = /^\s*text\/event-stream\s*(?:;|$)/i;

/** Refuses an answer that cannot be what was asked for (hardening.md section 4, rows 18 and 23). */
export function checkAnswerType(headers: AnswerHeaders, expected: 'json' | 'sse'): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Failure({ kind: 'upstream', message: 'the backend answered in an encoding that was not asked for' });
  }
  const type = headers['content-type'];
  if (type === undefined || (expected === 'json' ? JSON_TYPE : SSE_TYPE).test(type)) return;
  throw new Failure({
    kind: 'upstream',
    message: expected === 'json' ? 'the backend did not answer with JSON' : 'the backend did not answer with a stream',
  });
}

/** The JSON object in the bytes of an answer. */
export function parseAnswer(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw new Failure({ kind: 'upstream', message: 'the backend answered with broken JSON' }, { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Failure({ kind: 'upstream', message: 'the backend did not answer with a JSON object' });
}
