import { type Backend, type BackendAsk, collectBody } from '../backend/index.js';

/** The most bytes of one answer that are read. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A question about models holds a place of its backend: it is given up after this time. */
const MOST_MS = 15_000;

/**
 * A backend's answer to a question about its models; `body` is undefined for one that is no success. Rejects for what is no
 * JSON, and for what takes too long. Its failures take no breaker of conversations out.
 */
export async function askBackend(
  backend: Backend,
  ask: BackendAsk,
): Promise<{ readonly status: number; readonly body?: unknown }> {
  const call = backend.call(ask, { kind: 'others' });
  const late = setTimeout(() => call.abort(), MOST_MS);
  try {
    const answer = await call.answer;
    const text = await collectBody(answer, MAX_BYTES, call.abort);
    const { status } = answer;
    return status === 200 ? { status, body: JSON.parse(text.toString()) } : { status };
  } finally {
    clearTimeout(late);
  }
}
