import { type Headers, type JsonObject, jsonDepth } from '../../translators/index.js';
import { Failure, isObject } from '../ground/plain/index.js';

/** Content types of answers in one piece. */
export const JSON_TYPE = /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/json)\s*(?:;|$)/i;
const SSE_TYPE = /^\s*text\/event-stream\s*(?:;|$)/i;

/** Whether an answer to a request for a stream came in one piece. */
export function isWhole(headers: Headers): boolean {
  return JSON_TYPE.test(headers['content-type'] ?? '');
}

/** Refuses an answer that cannot be what was asked for (hardening.md section 4, rows 18 and 23). */
export function checkAnswerType(headers: Headers, expected: 'json' | 'sse'): void {
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

const UTF8 = new TextDecoder();

/** The JSON object in the bytes of an answer, which may nest as deeply as a request. Throws Failure (502) for what is none. */
export function parseAnswer(bytes: Uint8Array, { jsonDepth: depth }: { readonly jsonDepth: number }): JsonObject {
  const text = UTF8.decode(bytes);
  if (jsonDepth(text, depth)) {
    const message = `the backend sent an answer that is nested more than ${depth} levels deep (limits.jsonDepth)`;
    throw new Failure({ kind: 'upstream', message });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure({ kind: 'upstream', message: 'the backend answered with broken JSON' }, { cause: error });
  }
  if (isObject(value)) return value;
  throw new Failure({ kind: 'upstream', message: 'the backend did not answer with a JSON object' });
}
