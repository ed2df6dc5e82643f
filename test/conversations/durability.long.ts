import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { connectResponses } from '../support/clients.js';
import { serve } from '../support/served.js';

/** How often the process is killed; the long run takes 40. */
const KILLS = Number(process.env.KILLS ?? 1);
const WRITERS = 4;

const folder = mkdtempSync(join(tmpdir(), 'interlingua-durability-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes answers one after the other, each building on the one before, and notes those whose client saw them complete. */
async function write(client: OpenAI, streamed: boolean, acknowledged: Map<string, string>): Promise<void> {
  let previous: string | undefined;
  for (let n = 0; ; n += 1) {
    const params = { model: 'sim', input: `question ${n}`, previous_response_id: previous };
    if (!streamed) {
      const answer = await client.responses.create(params);
      previous = answer.id;
      acknowledged.set(answer.id, answer.output_text);
      continue;
    }
    for await (const event of await client.responses.create({ ...params, stream: true })) {
      if (event.type !== 'response.completed') continue;
      previous = event.response.id;
      const [item] = event.response.output;
      const [part] = item?.type === 'message' ? item.content : [];
      acknowledged.set(event.response.id, part?.type === 'output_text' ? part.text : '');
    }
  }
}

test(`nothing that a client was told is lost when the process is killed at a random moment, ${KILLS} times`, async () => {
  const config = {
    backends: { sim: { dialect: 'messages', simulator: true } },
    store: { type: 'lmdb', path: join(folder, 'store') },
  } as const;
  const acknowledged = new Map<string, string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const served = await serve(folder, config);
    const client = connectResponses(served.url);
    const writers = Array.from({ length: WRITERS }, (_, n) => write(client, n % 2 === 1, acknowledged).catch(() => {}));
    const before = acknowledged.size;
    while (acknowledged.size < before + WRITERS) await delay(5);
    await delay(Math.random() * 100);
    await served.kill();
    await Promise.all(writers);
  }
  const served = await serve(folder, config);
  const client = connectResponses(served.url);
  const lost: string[] = [];
  for (const [id, text] of acknowledged) {
    const answer = await client.responses.retrieve(id).catch(() => undefined);
    if (answer?.output_text !== text) lost.push(id);
  }
  const last = [...acknowledged.keys()].at(-1);
  const next = await client.responses.create({ model: 'sim', input: 'still there?', previous_response_id: last });
  await served.kill();
  process.stderr.write(`${KILLS} kills, ${acknowledged.size} answers acknowledged, ${lost.length} lost\n`);
  expect(lost).toEqual([]);
  expect(next.status).toBe('completed');
  expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS * WRITERS);
}, 600_000);
