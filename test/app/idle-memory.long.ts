import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { V8_FLAGS } from '../../src/cli/flags.js';
import { dialectIds } from '../../translators/index.js';
import { createWorkplace } from '../support/gateway/program.js';

const place = createWorkplace();
afterAll(() => place.end());

/** Later versions of V8 keep the pages for themselves, and are not asked to. */
const isGivenBack = V8_FLAGS.includes('--expose-gc');

(isGivenBack ? test : test.skip)(
  'a server that was warmed up gives memory back once it is idle',
  async () => {
    const backends = Object.fromEntries(dialectIds.map((id) => [id, { dialect: id, baseUrl: 'http://127.0.0.1:9' }]));
    const config = { backends, models: { m: { backend: 'messages' } } };
    const file = place.file('idle.json', JSON.stringify(config));
    const { child } = await place.serve(['--config', file], { flags: V8_FLAGS });
    // Once it has warmed up nothing changes for seconds until memory is given back.
    let held = 0;
    for (let last = -1; held !== last || held === 0; held = residentMb(child.pid)) {
      last = held;
      await delay(3000);
    }
    let now = held;
    for (
      const end = performance.now() + 180_000;
      now > held - 8 && performance.now() < end;
      now = residentMb(child.pid)
    )
      await delay(500);
    expect(now).toBeLessThanOrEqual(held - 8);
  },
  240_000,
);

/** Whole megabytes. */
function residentMb(pid = 0): number {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(found) / 1024);
}
