import { storedResponses } from '../../translators/index.js';
import type { ConversationServices } from './services.js';

/** The answer with its current status: cancelled when another process cancelled it, failed when its maker died. */
export async function readJobStatus(
  { archive, jobs }: Pick<ConversationServices, 'archive' | 'jobs'>,
  tenant: string,
  id: string,
  stored: storedResponses.StoredAnswer,
): Promise<storedResponses.StoredAnswer> {
  if (archive === undefined || !storedResponses.isUnfinished(stored) || jobs.get(tenant, id) !== undefined)
    return stored;
  const keys = storedResponses.keysOf(tenant, id);
  const [value, stop] = await archive.store.get([keys.run, keys.stop]);
  const job = storedResponses.readRecord<storedResponses.StoredRun>(value);
  if (job !== undefined && job.until > Date.now()) {
    return stop === undefined ? stored : { ...stored, response: { ...stored.response, status: 'cancelled' } };
  }
  // It may have been finished between the two looks.
  const again = await archive.answer(tenant, id);
  if (again === undefined || !storedResponses.isUnfinished(again)) return again ?? stored;
  const error = { code: 'server_error', message: 'the process that made this answer ended' };
  const response = { ...stored.response, status: 'failed', error };
  await archive.update(tenant, id, response, stored.pieces);
  return { ...stored, response };
}
