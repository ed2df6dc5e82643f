import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { createGateway, type GatewayServer, loadConfig } from '../../src/index.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** The examples in JavaScript over the simulator, with the packages that are installed here. Those of Bun and workerd are in `npm run runtimes` too. */

const KEY = 'a-key-for-this-example';

let gateway: GatewayServer;
let url: string;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  // As a start without a configuration and without keys of services serves it.
  gateway = createGateway(loadConfig(undefined, { INTERLINGUA_LOG_LEVEL: 'silent' }));
  ({ url } = await gateway.listen({ port: 0 }));
  // Within the package, so that its own name leads to it, and without package files that would end that.
  folder = mkdtempSync(join(PACKAGE_ROOT, '.examples-'));
  const filter = (path: string): boolean => basename(path) !== 'package.json';
  cpSync(join(PACKAGE_ROOT, 'examples'), folder, { recursive: true, filter });
});
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** Starts a program of an example. */
function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, INTERLINGUA_URL: url, INTERLINGUA_LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Asks a server of an example with the official client: whole, streamed and continued where it keeps answers. */
async function converse(baseURL: string, { apiKey = KEY, keeps = false } = {}): Promise<void> {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const first = await client.responses.create({ model: 'sim-messages', input: 'Hello' });
  expect(first.output_text).not.toBe('');
  let streamed = '';
  for await (const event of await client.responses.create({ model: 'sim-messages', input: 'Hello', stream: true }))
    if (event.type === 'response.output_text.delta') streamed += event.delta;
  expect(streamed).not.toBe('');
  if (keeps) {
    const next = await client.responses.create({
      model: 'sim-messages',
      input: 'And?',
      previous_response_id: first.id,
    });
    expect(next.previous_response_id).toBe(first.id);
  }
  if (apiKey !== KEY) return;
  const stranger = new OpenAI({ baseURL, apiKey: 'a-key-of-nobody', maxRetries: 0 });
  await expect(stranger.responses.create({ model: 'sim-messages', input: 'Hello' })).rejects.toMatchObject({
    status: 401,
  });
}

/** Serves `answer` on a port, and asks it. `module` = the example's own, `how` = the function of web standards that it has. */
function served(module: string, how: string): ChildProcess {
  const bridge = `
    import { createServer } from 'node:http';
    import { Readable } from 'node:stream';
    const module = await import(${JSON.stringify(pathToFileURL(join(folder, module)).href)});
    const texts = new Map();
    const env = {
      INTERLINGUA_URL: process.env.INTERLINGUA_URL,
      MY_KEY: ${JSON.stringify(KEY)},
      ANSWERS: {
        get: async (key) => texts.get(key) ?? null,
        put: async (key, text) => void texts.set(key, text),
        delete: async (key) => void texts.delete(key),
      },
    };
    const answer = ${how};
    createServer(async (incoming, outgoing) => {
      const { method, headers } = incoming;
      const body = method === 'GET' ? {} : { body: Readable.toWeb(incoming), duplex: 'half' };
      const response = await answer(new Request('http://' + headers.host + incoming.url, { method, headers, ...body }));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body) Readable.fromWeb(response.body).pipe(outgoing);
      else outgoing.end();
    }).listen(0, '127.0.0.1', function () {
      console.log('http://127.0.0.1:' + this.address().port);
    });`;
  return start(['--input-type=module', '-e', bridge]);
}

/** The first line that a program prints. */
async function firstLine(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('no output');
  const failed = text(stderr);
  const line = await Promise.race([once(createInterface(stdout), 'line'), once(child, 'exit')]);
  if (typeof line[0] !== 'string') throw new Error((await failed).slice(-2000));
  return line[0];
}

describe('the servers', () => {
  test('express', async () => {
    const address = await firstLine(start([join('express', 'main.js')], { PORT: '0' }));
    await converse(`${address}/v1`, { apiKey: 'any', keeps: true });
  });

  test.each([
    ['hono', 'hono/app.js', '(request) => module.app.fetch(request)', '/llm/v1', false],
    // As Next.js calls the functions of a route, by the method.
    [
      'next',
      'next/app/api/llm/[...path]/route.js',
      '(request) => module[request.method](request, { params: Promise.resolve({ path: [] }) })',
      '/api/llm/v1',
      false,
    ],
    ['workers', 'workers/main.js', '(request) => module.default.fetch(request, env, {})', '/v1', true],
  ])('%s', async (_name, module, how, path, keeps) => {
    const address = await firstLine(served(module, how));
    await converse(`${address}${path}`, { keeps });
  });

  test('bun', async () => {
    // What Bun has beside web standards is one function here.
    const bun = `globalThis.Bun = { serve: ({ fetch }) => { globalThis.served = fetch; return { url: new URL('http://bun.example') }; } };
      await import(${JSON.stringify(pathToFileURL(join(folder, 'bun/main.js')).href)});
      const request = new Request('http://bun.example/v1/models', { headers: { authorization: 'Bearer ${KEY}' } });
      console.log((await globalThis.served(request)).status);`;
    const child = start(['--input-type=module', '-e', bun]);
    expect((await text(child.stdout)).trim().split('\n')).toEqual(['http://bun.example/', '200']);
  });
});

test.each([
  [
    'ai-sdk',
    [
      /^sim-messages: called weather; .*18 degrees/,
      /^sim-generate-content: called weather; .*18 degrees/,
      /^streamed in \d+ pieces$/,
    ],
  ],
  ['langchain', [/^sim-messages: called weather; .*18 degrees/, /^sim-generate-content: called weather; .*18 degrees/]],
])('%s', async (name, printed) => {
  const child = start([join(name, 'main.js')]);
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (said === '') throw new Error(failed.slice(-2000));
  expect(said.trim().split('\n')).toEqual(printed.map((line) => expect.stringMatching(line)));
});

test('their packages have the versions that are installed here', () => {
  const own = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
  const installed = { ...own.dependencies, ...own.devDependencies, interlingua: own.version };
  for (const name of ['express', 'hono', 'next', 'workers', 'bun', 'ai-sdk', 'langchain']) {
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'examples', name, 'package.json'), 'utf8'));
    for (const [dependency, version] of Object.entries<string>(dependencies)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/);
      const here = installed[dependency]?.replace('^', '');
      if (here !== undefined) expect([dependency, version]).toEqual([dependency, here]);
    }
  }
});
