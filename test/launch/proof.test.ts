import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { listen, shut } from '../support/sockets.js';
import { KEY, type LaunchPlace, openLaunchPlace } from './support.js';

/** Who is trusted with the key of the gateway and the prompts of an agent. */

let room: LaunchPlace;
const rogues: Server[] = [];
const ASK = ['claude', '--model', 'mine', '--config', 'keys.json', '--', 'ask', '0'];

beforeAll(async () => {
  room = await openLaunchPlace();
});
afterEach(async () => {
  room.stop();
  await Promise.all(rogues.splice(0).map(shut));
});
afterAll(() => room.close());

interface Rogue {
  readonly port: string;
  /** Methods and targets of its requests. */
  readonly asked: string[];
  /** All that was sent to it. */
  heard(): string;
}

/** Another program that listens where the gateway should. */
async function startRogue(handler: RequestListener): Promise<Rogue> {
  const asked: string[] = [];
  let heard = '';
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  server.on('connection', (socket) => {
    socket.on('data', (chunk) => {
      heard += chunk;
    });
  });
  rogues.push(server);
  return { port: new URL(await listen(server)).port, asked, heard: () => heard };
}

/** Says what a gateway says of itself. */
function claim(response: ServerResponse, proof?: string): void {
  response.setHeader('content-type', 'application/json');
  if (proof !== undefined) response.setHeader('x-interlingua-proof', proof);
  response.end('{"status":"ok","name":"interlingua"}');
}

test('a gateway that runs at the configured address and proves that it has the key is used', async () => {
  const port = await room.serve('keys.json');
  const env = { INTERLINGUA_PORT: port, INTERLINGUA_KEY: KEY };
  const named = { ...env, INTERLINGUA_HOST: 'localhost' };
  const outcomes = await Promise.all([env, named].map((each) => room.launch(ASK, each).outcome));
  for (const { code, said, stderr } of outcomes) {
    expect([code, stderr.trim().split('\n').length]).toEqual([0, 2]);
    expect(said[0]?.env).toMatchObject({
      // An agent that is given a name could be led to another address of it.
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_AUTH_TOKEN: KEY,
    });
    expect(stderr).toMatch(/^interlingua: \d turns, .*; local \(responses\)$/m);
  }
});

test('what listens there and does not prove that it has the key gets neither key nor prompt', async () => {
  const port = await room.serve('keys.json');
  const to = `http://127.0.0.1:${port}`;
  const rogues = await Promise.all([
    startRogue((_, response) => claim(response)),
    startRogue((_, response) => claim(response, randomBytes(32).toString('base64url'))),
    startRogue(async ({ url = '', headers }, response) => {
      const challenge = String(headers['x-interlingua-challenge']);
      const answer = await fetch(to + url, { headers: { 'x-interlingua-challenge': challenge } });
      const proof = answer.headers.get('x-interlingua-proof');
      expect(proof).toMatch(/^[\w-]{43}$/);
      claim(response, proof ?? '');
    }),
    startRogue(({ url = '' }, response) => response.writeHead(307, { location: to + url }).end()),
  ]);
  const outcomes = await Promise.all(
    rogues.map((rogue) => room.launch(ASK, { INTERLINGUA_PORT: rogue.port, INTERLINGUA_KEY: KEY }).outcome),
  );
  for (const [i, { code, said, stderr }] of outcomes.entries()) {
    const rogue = rogues[i];
    expect([code, ...said.slice(1).map(({ status }) => status)]).toEqual([0, 200, 200]);
    expect(said[0]?.env.ANTHROPIC_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(said[0]?.env.ANTHROPIC_BASE_URL).not.toBe(`http://127.0.0.1:${rogue?.port}`);
    expect(said[0]?.env.ANTHROPIC_AUTH_TOKEN).not.toBe(KEY);
    expect(stderr.split('\n')[0]).toBe(
      `interlingua: http://127.0.0.1:${rogue?.port} did not prove that it has the key of INTERLINGUA_KEY: a gateway was started for the agent`,
    );
    expect(rogue?.asked).toEqual(['GET /healthz']);
    expect(rogue?.heard()).toContain('GET /healthz');
    expect(rogue?.heard()).not.toContain(KEY);
  }
});

test('a gateway without keys can prove nothing and is not used', async () => {
  const port = await room.serve('one.json');
  const { code, said, stderr } = await room.launch(
    ['claude', '--model', 'mine', '--config', 'one.json', '--', 'ask', '0'],
    { INTERLINGUA_PORT: port },
  ).outcome;
  expect([code, said[1]?.status]).toEqual([0, 200]);
  expect(said[0]?.env.ANTHROPIC_BASE_URL).not.toBe(`http://127.0.0.1:${port}`);
  expect(stderr).toContain(`http://127.0.0.1:${port} cannot prove to be the gateway without keys`);
});
