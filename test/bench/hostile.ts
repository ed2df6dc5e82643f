import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ASK, WHOLE } from '../support/gateway/harness.js';
import { createWorkplace } from '../support/gateway/program.js';
import { listen } from '../support/sockets.js';
import type { Row } from './measure.js';

const MESSAGES = 5000;
const ROUNDS = 5;

/** How long a second client waits at most while a body of 30 MB is translated, in ms. */
export async function benchHostile(): Promise<Row> {
  const backend = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(WHOLE.responses('Yes.')));
    });
  });
  const baseUrl = await listen(backend);
  const place = createWorkplace();
  try {
    const config = { backends: { b: { dialect: 'responses', baseUrl } }, models: { m: { backend: 'b' } } };
    const { url } = await place.serve(['--config', place.file('bench.json', JSON.stringify(config))]);
    const messages = Array.from({ length: MESSAGES }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: 'word '.repeat(1200),
    }));
    const { path, body } = ASK.messages('m', { messages: [...messages, { role: 'user', content: 'Go on.' }] });
    const text = JSON.stringify(body);
    const send = async (payload: string): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: payload });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    await send(JSON.stringify(ASK.messages('m').body));
    const figures: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) figures.push(await longestWait(`${url}/healthz`, send(text)));
    return { target: 'hostile', figures };
  } finally {
    await place.end();
    backend.closeAllConnections();
    backend.close();
  }
}

/** Asks again and again until `other` is over. */
async function longestWait(url: string, other: Promise<void>): Promise<number> {
  let over = false;
  const ended = other.finally(() => {
    over = true;
  });
  let longest = 0;
  while (!over) {
    const begun = performance.now();
    await (await fetch(url)).arrayBuffer();
    longest = Math.max(longest, performance.now() - begun);
    await delay(5);
  }
  await ended;
  return longest;
}
