import { type Archive, createArchive, soundRecords } from '../archive/index.js';
import type { StoreConfig } from '../config/index.js';
import { type Logger, MB } from '../ground/index.js';
import { ownerOfKey } from '../http/index.js';
import { reachable, type Storage } from '../store/index.js';
import { fromPiece } from './pieces.js';

const DAY_MS = 86_400_000;

/** The archive in a storage, with the sizes and times of the configuration. */
export function openArchive(
  storage: Pick<Storage, 'area'>,
  { ttlDays, maxMb, entryMb }: StoreConfig,
  logger: Logger,
): Archive {
  const ttlMs = ttlDays * DAY_MS;
  const limits = { ttlMs, maxBytes: maxMb * MB, entryBytes: entryMb * MB, ownerOf: ownerOfKey };
  const area = storage.area('conversations', limits);
  const store = soundRecords(reachable(area), (record) => logger.warn({ record }, 'a stored record is damaged'));
  return createArchive(store, ttlMs, fromPiece);
}
