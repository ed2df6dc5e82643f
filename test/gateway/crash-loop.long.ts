import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWorkplace, type Served, until, type Workplace } from '../support/gateway/program.js';

let place: Workplace;
let served: Served;
let crash = '';

beforeAll(async () => {
  place = createWorkplace();
  // Workers end at once while there is such a file.
  crash = `${place.folder}/crash`;
  const program = `if (process.env.INTERLINGUA_WORKER && require('fs').existsSync('${crash}')) process.exit(3);`;
  const config = { backends: { sim: { dialect: 'messages', simulator: true } }, workers: 2, store: { type: 'off' } };
  const file = place.file('gateway.json', JSON.stringify(config));
  const env = { NODE_OPTIONS: `--require ${place.file('crash.cjs', program)}` };
  served = await place.serve(['--config', file], { env });
}, 30_000);
afterAll(() => place.end());

const told = (msg: string) => served.entries().filter((entry) => entry.msg === msg);
const ends = () => told('a worker ended and is replaced').length;
const starts = () => told('a worker was started');
const answers = async () => (await fetch(`${served.url}/healthz`)).status === 200;

test('a worker that cannot be replaced is tried again and again, and the other serves on', async () => {
  // The log is read apart from the line that says where it listens.
  await until(() => starts().length === 2, 'two workers');
  place.file('crash', '');
  process.kill(Number(starts()[1]?.pid), 'SIGKILL');
  await until(() => ends() === 7, 'six quick ends');
  expect(await answers()).toBe(true);
  rmSync(crash);
  const before = starts().length;
  await until(() => starts().length > before, 'another try');
  expect(await answers()).toBe(true);
  served.child.kill('SIGTERM');
  expect(await served.exit).toBe(0);
}, 60_000);
