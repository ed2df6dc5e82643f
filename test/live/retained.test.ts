import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DIALECTS } from '../support/gateway/harness.js';
import { type Program, startProgram } from '../support/load/program.js';
import { until } from '../support/until.js';

let program: Program;

beforeAll(async () => {
  const simulators = DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }] as const);
  program = await startProgram({
    backends: Object.fromEntries(simulators),
    models: Object.fromEntries(DIALECTS.map((dialect) => [`${dialect}/*`, { backend: dialect, model: '*' }])),
    log: { level: 'error' },
  });
}, 60_000);
afterAll(async () => {
  await program.close();
});

async function ask(model: string, text: string): Promise<void> {
  const answer = await fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // What is lost names a place in the request.
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], logit_bias: { 1: 1 }, user: text }),
  });
  expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
}

test('what is kept of an exchange is small, whatever was said in it', async () => {
  const MB = 1024 * 1024;
  // Twice in each request, which threads would serve above 1 MB.
  const long = 'long ü '.repeat(MB / 32);
  const times = 3;
  const askAll = async (name: string): Promise<void> => {
    for (const dialect of DIALECTS)
      for (let time = 0; time < times; time += 1) await ask(`${dialect}/${name}${time}`, long);
  };
  await askAll('before');
  const before = (await program.holding()).memory;
  await askAll('after');
  const { exchanges } = (await (await fetch(`${program.url}/live`)).json()) as { exchanges: unknown[] };
  expect(exchanges).toHaveLength(DIALECTS.length * times * 2);
  // A request is half a megabyte as bytes, and more as text: a third of them would be seen.
  const most = (DIALECTS.length * times * MB) / 6;
  await until(async () => {
    const { memory } = await program.holding();
    return memory.heapUsed - before.heapUsed < most && memory.arrayBuffers - before.arrayBuffers < most;
  });
}, 60_000);
