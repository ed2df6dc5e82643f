import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createGateway, loadConfig } from '../../src/index.js';
import { ASK, send } from '../support/gateway/harness.js';

/** A configuration that is read while it is written, cut at any place (attacks.md finding 17). */

const folder = mkdtempSync(join(tmpdir(), 'interlingua-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = `log: { level: silent }
backends:
  sim: { dialect: messages, simulator: true }
models:
  sim: { backend: sim }
keys:
  - { name: a, key: the-key-of-team-a-0001 }
  - { name: b, key: the-key-of-team-b-0002 }
`;

test('never opens the gateway: who has no key gets 401 whatever the file says', async () => {
  const path = join(folder, 'gateway.yaml');
  writeFileSync(path, TEXT);
  const gateway = createGateway(loadConfig(path));
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const { path: route, body } = ASK.messages('sim');
  let followed = 0;
  let refused = 0;
  try {
    for (let end = 0; end < TEXT.length; end += 1) {
      writeFileSync(path, TEXT.slice(0, end));
      try {
        gateway.reload(() => loadConfig(path));
        followed += 1;
      } catch {
        refused += 1;
      }
      const { status } = await send(url, route, { body });
      if (status !== 401) throw new Error(`${status} after ${JSON.stringify(TEXT.slice(0, end))}`);
    }
  } finally {
    await gateway.close();
  }
  // Some beginnings are whole configurations, with keys and without.
  expect(followed).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(TEXT.indexOf('keys:'));
});
