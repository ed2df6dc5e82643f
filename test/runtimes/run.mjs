/**
 * `npm run runtimes` asks `createHandler` in Bun, Deno and workerd with the official clients of all four dialects: whole and streamed
 * answers of all four backends, a key that is none, an answer that is continued. The runtimes are installed by their prebuilt
 * packages; one that cannot be had, or does not run here, is left out with a sentence. Prints passed of run, and exits with 1 where
 * something fell.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { build } from 'esbuild';
import OpenAI from 'openai';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const folder = join(root, '.clients', 'runtimes');
const key = 'a-key-of-the-runtimes';
const MODELS = ['sim-messages', 'sim-responses', 'sim-generate-content', 'sim-chat-completions'];

/** The prebuilt packages of the runtimes, for the platforms that CI has. */
const VERSIONS = {
  '@cloudflare/workerd-linux-64': '1.20261117.1',
  '@deno/linux-x64-glibc': '2.9.6',
  '@oven/bun-linux-x64': '1.4.5',
};

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, optionalDependencies: VERSIONS }));
const words = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
spawnSync('npm', words, { cwd: folder, stdio: 'ignore' });
const program = (path) => join(folder, 'node_modules', path);

const bundle = async (name, options = {}) => {
  const outfile = join(folder, `${name}.js`);
  const entry = join(here, `${name}.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', logLevel: 'error', ...options });
  return outfile;
};

/** workerd reads its worker, the port and the address of the simulator from a file. */
async function workerd(port, simulator) {
  await bundle('workers');
  const config = join(folder, 'workers.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "workers", esModule = embed "workers.js")],
  compatibilityDate = "2026-10-01",
  compatibilityFlags = ["enable_request_signal"],
  bindings = [(name = "SIMULATOR", text = "${simulator}")],
);
`,
  );
  return ['serve', config];
}

const RUNTIMES = [
  { name: 'Bun', path: '@oven/bun-linux-x64/bin/bun', words: async () => [await bundle('bun')] },
  {
    name: 'Deno',
    path: '@deno/linux-x64-glibc/deno',
    words: async () => ['run', '--allow-net', '--allow-env', '--no-config', '--no-lock', await bundle('deno')],
  },
  { name: 'workerd', path: '@cloudflare/workerd-linux-64/bin/workerd', words: workerd },
];

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reachable(url, child) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) return false;
    const ready = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return true;
    await delay(100);
  }
  return false;
}

/** What is asked: a client of each dialect, whole and streamed, of each model. Each gives the text that it read. */
function questions(url, apiKey = key) {
  const anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
  const messages = [{ role: 'user', content: 'Hello' }];
  const joined = async (stream, textOf) => {
    let text = '';
    for await (const event of await stream) text += textOf(event) ?? '';
    return text;
  };
  return {
    'messages, whole': async (model) =>
      (await anthropic.messages.create({ model, max_tokens: 200, messages })).content.find(({ text }) => text)?.text,
    'messages, streamed': (model) =>
      joined(anthropic.messages.create({ model, max_tokens: 200, messages, stream: true }), ({ delta }) => delta?.text),
    'responses, whole': async (model) => (await openai.responses.create({ model, input: 'Hello' })).output_text,
    'responses, streamed': (model) =>
      joined(openai.responses.create({ model, input: 'Hello', stream: true }), ({ type, delta }) =>
        type === 'response.output_text.delta' ? delta : '',
      ),
    'responses, continued': async (model) => {
      const { id } = await openai.responses.create({ model, input: 'Hello' });
      const { output_text } = await openai.responses.create({ model, input: 'Again', previous_response_id: id });
      await openai.responses.delete(id);
      return output_text;
    },
    'generateContent, whole': async (model) => (await google.models.generateContent({ model, contents: 'Hello' })).text,
    'generateContent, streamed': (model) =>
      joined(google.models.generateContentStream({ model, contents: 'Hello' }), ({ text }) => text),
    'chatCompletions, whole': async (model) =>
      (await openai.chat.completions.create({ model, messages })).choices[0].message.content,
    'chatCompletions, streamed': (model) =>
      joined(
        openai.chat.completions.create({ model, messages, stream: true }),
        ({ choices }) => choices[0]?.delta.content,
      ),
  };
}

/** Asks everything at an address; gives what fell. */
async function ask(url) {
  const fell = [];
  let run = 0;
  const attempt = async (name, work) => {
    run += 1;
    try {
      await work();
    } catch (error) {
      fell.push(`${name}: ${error.message}`);
    }
  };
  for (const model of MODELS) {
    for (const [name, question] of Object.entries(questions(url)))
      await attempt(`${name}, ${model}`, async () => {
        if (((await question(model)) ?? '') === '') throw new Error('no text');
      });
  }
  await attempt('a key that is none', async () => {
    const asked = questions(url, 'a-key-of-nobody-here')['messages, whole'](MODELS[0]);
    const status = await asked.then(
      () => 200,
      (error) => error.status,
    );
    if (status !== 401) throw new Error(`was answered ${status}`);
  });
  return { run, fell };
}

const { createGateway } = await import(join(root, 'dist/src/index.js'));
const simulator = createGateway({
  backends: {
    messages: { dialect: 'messages', simulator: true },
    responses: { dialect: 'responses', simulator: true },
    generateContent: { dialect: 'generateContent', simulator: true },
    chatCompletions: { dialect: 'chatCompletions', simulator: true },
  },
  models: {
    'sim-messages': { backend: 'messages' },
    'sim-responses': { backend: 'responses' },
    'sim-generate-content': { backend: 'generateContent' },
    'sim-chat-completions': { backend: 'chatCompletions' },
  },
  log: { level: 'silent' },
});
const { url: simulated } = await simulator.listen({ port: 0 });
try {
  for (const { name, path, words: wordsOf } of RUNTIMES) {
    if (!existsSync(program(path))) {
      console.log(`${name} is left out: it cannot be installed here`);
      continue;
    }
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), SIMULATOR: simulated };
    const child = spawn(program(path), await wordsOf(port, simulated), { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (piece) => {
      said = (said + piece).slice(-2000);
    });
    child.on('error', (error) => {
      said += error.message;
    });
    const url = `http://127.0.0.1:${port}`;
    if (await reachable(url, child)) {
      const { run, fell } = await ask(url);
      console.log(`${name}: ${run - fell.length} of ${run} passed`);
      for (const line of fell) console.log(`  FELL ${line}`);
      if (fell.length > 0) process.exitCode = 1;
    } else {
      console.log(`${name} did not start: ${said.trim()}`);
      process.exitCode = 1;
    }
    child.kill('SIGKILL');
  }
} finally {
  await simulator.close();
}
