import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/load.js';
import { createVideoOwners } from '../../src/media/video-owners.js';
import { createMemoryStorage } from '../../src/store/memory.js';

const REF = { backend: 'v', id: 'video_1' };
const OTHER = { backend: 'v', id: 'video_2' };

test('whose a video is can be told of new notes, and of those that version 0.1.0 left', async () => {
  const config = parseConfig({
    backends: { v: { dialect: 'responses', simulator: true } },
    keys: [{ name: 'a', key: 'the-key-of-team-a-0001' }],
  });
  const storage = createMemoryStorage();
  const owners = createVideoOwners(config, storage);
  await owners.note('key-1', REF);
  const early = createHash('sha256')
    .update(JSON.stringify(['key-2', 'v', 'video_2']))
    .digest('hex');
  await storage.area('videos', { ttlMs: 1000, maxBytes: 1000, entryBytes: 1000 }).set([{ key: early, value: 1 }]);
  expect(await owners.own('key-1', [REF, OTHER])).toEqual([true, false]);
  expect(await owners.own('key-2', [REF, OTHER])).toEqual([false, true]);
});
