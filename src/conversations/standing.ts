import type { Gateway } from '../gateway.js';
import { keysOf, readRecord, type StoredAnswer, type StoredRun } from './record.js';

const UNFINISHED = new Set<unknown>(['queued', 'in_progress']);

/** Whether an answer is still being made. */
export function isUnfinished({ response }: Pick<StoredAnswer, 'response'>): boolean {
  return UNFINISHED.has(response.status);
}

/** The answer as it stands: one that was cancelled elsewhere is, and one whose maker died has failed. */
export async function standing(
  { archive, runs }: Pick<Gateway, 'archive' | 'runs'>,
  tenant: string,
  id: string,
  stored: StoredAnswer,
): Promise<StoredAnswer> {
  if (archive === undefined || !isUnfinished(stored) || runs.get(tenant, id) !== undefined) return stored;
  const keys = keysOf(tenant, id);
  const [value, stop] = await archive.store.get([keys.run, keys.stop]);
  const run = readRecord<StoredRun>(value);
  if (run !== undefined && run.until > Date.now()) {
    return stop === undefined ? stored : { ...stored, response: { ...stored.response, status: 'cancelled' } };
  }
  // It may have been finished between the two looks.
  const again = await archive.answer(tenant, id);
  if (again === undefined || !isUnfinished(again)) return again ?? stored;
  const error = { code: 'server_error', message: 'the process that made this answer ended' };
  const response = { ...stored.response, status: 'failed', error };
  await archive.update(tenant, id, response, stored.pieces);
  return { ...stored, response };
}
