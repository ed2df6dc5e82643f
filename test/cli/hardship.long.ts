import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ASK, STREAM, send } from '../support/gateway/harness.js';
import { createWorkplace, until, type Workplace } from '../support/gateway/program.js';
import { endingOf, type SlowBackends, startSlowBackends } from '../support/gateway/slow-backends.js';

const KEY = 'a-gateway-key-of-tests';
const headers = { 'x-api-key': KEY };
const ask = ASK.messages('sim');

let slow: SlowBackends;
let place: Workplace;

beforeEach(async () => {
  slow = await startSlowBackends();
  place = createWorkplace();
});
afterEach(async () => {
  await place.end();
  await slow.close();
});

const configuration = (more: object = {}): string =>
  JSON.stringify({
    backends: { ...slow.backends, sim: { dialect: 'responses', simulator: true } },
    models: { ...slow.models, sim: { backend: 'sim' } },
    keys: [{ name: 'team', key: KEY }],
    store: { type: 'off' },
    ...more,
  });

test('a file that is gone changes nothing and is told; a signal to reload does not end what is finishing', async () => {
  // Found by its name, and without it a start would serve everybody.
  const file = place.file('interlingua.json', configuration());
  const served = await place.serve([]);
  const { path, body } = STREAM.messages('responses-slow');
  const open = send(served.url, path, { body, headers });
  await until(() => slow.waiting() === 1);
  rmSync(file);
  const told = () => served.entries().filter(({ level }) => level === 50);
  await until(() => told().length > 0, 'the warning of a file that is gone');
  served.child.kill('SIGHUP');
  await until(() => told().length > 1);
  expect(new Set(told().map(({ reasons }) => JSON.stringify(reasons)))).toEqual(
    new Set([JSON.stringify([`${file}: cannot be read (ENOENT)`])]),
  );
  expect((await send(served.url, ask.path, { body: ask.body })).status).toBe(401);
  expect((await send(served.url, ask.path, { body: ask.body, headers })).status).toBe(200);
  const { text } = await send(served.url, '/metrics', { headers });
  expect(/reloads_total\{result="failed"\} (\d+)/.exec(text)?.[1]).toBe(String(told().length));

  served.child.kill('SIGTERM');
  await until(() => served.logs().includes('stopping'));
  served.child.kill('SIGHUP');
  slow.release('slow');
  expect(endingOf('messages', (await open).text)).toBe('complete');
  expect(await served.exit).toBe(0);
}, 30_000);

test('who reads the log, and who reads what is printed, may go away: the gateway serves on', async () => {
  const served = await place.serve(['--config', place.file('gateway.json', configuration())]);
  served.child.stderr?.destroy();
  served.child.stdout?.destroy();
  // Each of them is a line, and some come together.
  for (let times = 0; times < 40; times += 1) {
    expect((await send(served.url, ask.path, { body: ask.body, headers })).status).toBe(200);
  }
  served.child.kill('SIGTERM');
  expect(await served.exit).toBe(0);
}, 30_000);

test('a port that is taken: one line, and the process ends although its store was opened', async () => {
  const taken = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  // It accepts and says nothing.
  const store = { type: 'redis', url: `redis://127.0.0.1:${port}` };
  const file = place.file('gateway.json', configuration({ store, log: { level: 'silent' } }));
  const child = place.start(['serve', '--config', file, '--port', String(port)]);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  try {
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1);
    expect(errors).toBe(
      `interlingua serve: cannot listen on 127.0.0.1:${port}: another program has this port already: end it, or choose another port with --port or listen.port (EADDRINUSE)\n`,
    );
  } finally {
    taken.close();
  }
}, 30_000);
