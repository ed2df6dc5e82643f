import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { KEYS, useStage } from './stage.js';

const stage = useStage();
const headers = { authorization: `Bearer ${KEYS.a}`, 'content-type': 'application/json' };

interface Frame {
  readonly type: string;
  readonly sequence_number: number;
  readonly message?: string;
  readonly response?: { readonly id: string; readonly status: string };
}

function framesOf(text: string): Frame[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

/** Begins an answer in the background whose stream somebody reads; resolves with its id and what the reader got in the end. */
async function begin(): Promise<{ id: string; text: Promise<string> }> {
  stage.backends.messages.script({ kind: 'text', text: 'one two three four', delayMs: 5000 });
  const asked = await fetch(`${stage.url}/v1/responses`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'messages', input: 'q', background: true, stream: true }),
  });
  let seen = '';
  let known = (_id: string): void => {};
  const id = new Promise<string>((resolve) => {
    known = resolve;
  });
  const text = (async () => {
    for await (const chunk of asked.body ?? []) {
      seen += Buffer.from(chunk).toString();
      known(/"id": ?"(resp_il\w+)"/.exec(seen)?.[1] ?? '');
    }
    return seen;
  })();
  return { id: await id, text };
}

test.each([
  ['cancelled', (id: string) => fetch(`${stage.url}/v1/responses/${id}/cancel`, { method: 'POST', headers })],
  ['deleted', (id: string) => fetch(`${stage.url}/v1/responses/${id}`, { method: 'DELETE', headers })],
])('who follows an answer that is %s is told so, and its numbers go on', async (_how, end) => {
  const { id, text } = await begin();
  expect((await end(id)).status).toBe(200);
  const frames = framesOf(await text);
  expect(frames.map(({ sequence_number }) => sequence_number)).toEqual(frames.map((_, index) => index));
  expect(frames.at(-1)).toMatchObject({ type: 'error', message: 'the response was cancelled' });
});

test('who comes later finds what was told, with its end, and nothing after the end', async () => {
  const { id, text } = await begin();
  await fetch(`${stage.url}/v1/responses/${id}/cancel`, { method: 'POST', headers });
  const told = framesOf(await text);
  const again = async (more: string) =>
    framesOf(await (await fetch(`${stage.url}/v1/responses/${id}?stream=true${more}`, { headers })).text());
  while ((await again('')).length === 0) await delay(5);
  expect(told.at(-1)?.type).toBe('error');
  expect(await again('')).toEqual(told);
  expect(await again(`&starting_after=${told.length - 2}`)).toEqual(told.slice(-1));
  expect(await again(`&starting_after=${told.length - 1}`)).toEqual([]);
});
