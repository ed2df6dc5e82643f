import { createHash } from 'node:crypto';
import type { Config } from '../config/index.js';
import { ownerOfKey } from '../http/index.js';
import type { Storage } from '../store/index.js';
import type { VideoRef } from './video-id.js';

/** Whose videos are whose. Only lists need to know: an id says it itself. */
export interface VideoOwners {
  note(tenant: string, ref: VideoRef): Promise<void>;
  /** Which of a backend's videos are a tenant's own, in the same order. */
  own(tenant: string, refs: readonly VideoRef[]): Promise<readonly boolean[]>;
}

const DAY_MS = 86_400_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Where there are no keys, nothing has to be kept apart: callers are one, or bring the backend's own credentials. */
export function createVideoOwners({ keys, store }: Config, storage: Storage): VideoOwners {
  if (keys.length === 0) return { note: async () => {}, own: async (_tenant, refs) => refs.map(() => true) };
  const limits = { ttlMs: store.ttlDays * DAY_MS, maxBytes: MAX_BYTES, entryBytes: 1024, ownerOf: ownerOfKey };
  const area = storage.area('videos', limits);
  return {
    note: (tenant, ref) => area.set([{ key: keyOf(tenant, ref), value: 1 }]),
    async own(tenant, refs) {
      const keys = refs.map((ref) => keyOf(tenant, ref));
      const [found, early] = await Promise.all([area.get(keys), area.get(keys.map(earlyKeyOf))]);
      return keys.map((_, index) => found[index] !== undefined || early[index] !== undefined);
    },
  };
}

function keyOf(tenant: string, { backend, id }: VideoRef): string {
  const digest = createHash('sha256').update(JSON.stringify([tenant, backend, id]));
  return `${tenant}:${digest.digest('hex')}`;
}

/** The key under which version 0.1.0 notes the same. */
function earlyKeyOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}
