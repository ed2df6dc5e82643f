import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';
import { PROGRAM } from '../support/gateway/program.js';
import { until } from '../support/until.js';

/** Stands in for every agent: tells how it was started, calls its gateway, and does what its words say. */
const AGENT = `#!${process.execPath}
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model } = process.env;
const [does, code] = process.argv.slice(-2);
const say = (what) => console.log(JSON.stringify(what));
process.on('SIGTERM', () => { say('terminated'); process.exit(5); });
process.on('SIGINT', () => { say('interrupted'); process.exit(6); });
say({ pid: process.pid, args: process.argv.slice(2), env: process.env });
const ask = async () => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const messages = [{ role: 'user', content: 'Hello' }];
  const answer = await fetch(url + '/v1/messages?beta=true', { method: 'POST', headers, body: JSON.stringify({ model, max_tokens: 50, top_k: 3, messages }) });
  say({ status: answer.status, body: await answer.json() });
};
const respond = async (id) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const asked = { model, input: 'Hello', store: true, ...(id && { previous_response_id: id }) };
  const answer = await fetch(url + '/v1/responses', { method: 'POST', headers, body: JSON.stringify(asked) });
  say({ status: answer.status, body: await answer.json() });
};
(does === 'ask' ? ask().then(() => ask()) : does.startsWith('respond') ? respond(does.split(':')[1]) : does === 'wait' ? new Promise((done) => setTimeout(done, 60000)) : Promise.resolve()).then(() => {
  if (does === 'die') process.kill(process.pid, 'SIGKILL');
  else process.exitCode = Number(code);
});
`;

/** The key of `keys.json`. */
export const KEY = 'a-key-of-the-team-1';

export interface Outcome {
  readonly code: number | null;
  readonly said: readonly Said[];
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the stand-in. */
export type Said = string & {
  pid: number;
  args: string[];
  env: Record<string, string>;
  status: number;
  body: { id: string };
};

export interface Launched {
  readonly child: ChildProcess;
  readonly outcome: Promise<Outcome>;
  readonly said: () => string;
}

/** A folder with configurations, agents that can be launched and a home for them, and the backend that they are led to. */
export interface LaunchPlace {
  readonly backend: FakeBackend;
  readonly place: string;
  readonly home: string;
  readonly bin: string;
  launch(words: readonly string[], env?: Record<string, string>): Launched;
  /** Runs the gateway of a configuration on a free port, and gives that. */
  serve(file: string): Promise<string>;
  /** Ends all that runs. */
  stop(): void;
  close(): Promise<void>;
}

/** Its configurations: `one.json` without keys, `keys.json` with one. */
export async function openLaunchPlace(): Promise<LaunchPlace> {
  const backend = await startFakeBackend('responses', { apiKey: 'key-of-the-service' });
  const place = mkdtempSync(join(tmpdir(), 'interlingua-launch-test-'));
  const [home, bin] = [join(place, 'home'), join(place, 'bin')];
  for (const folder of [home, bin]) mkdirSync(folder);
  // What is told of a first launch is held by a test of its own.
  const launched = join(home, '.config', 'interlingua', 'launch');
  mkdirSync(launched, { recursive: true, mode: 0o700 });
  writeFileSync(join(launched, 'launched'), 'claude\ncodex\n');
  // Without a mark a file is CommonJS, wherever it lies.
  for (const name of ['claude', 'codex']) writeFileSync(join(bin, name), AGENT, { mode: 0o755 });
  writeFileSync(join(place, 'package.json'), '{}');
  const service = { dialect: 'responses', baseUrl: backend.url, apiKey: 'key-of-the-service' };
  const mine = { backend: 'local', model: 'gpt-5', prices: { input: 2, output: 10, cacheRead: 0.2 } };
  const models = { mine, 'own-*': { backend: 'local', model: '*' } };
  for (const [name, more] of Object.entries({ 'one.json': {}, 'keys.json': { keys: [{ name: 'team', key: KEY }] } })) {
    const text = { listen: { port: 9 }, backends: { local: service }, models, ...more };
    writeFileSync(join(place, name), JSON.stringify(text));
  }
  const running: ChildProcess[] = [];

  function launch(words: readonly string[], env: Record<string, string> = {}): Launched {
    const child = spawn(process.execPath, [PROGRAM, 'launch', ...words], {
      cwd: place,
      env: {
        HOME: home,
        PATH: `${bin}${delimiter}/usr/bin${delimiter}/bin`,
        ANTHROPIC_API_KEY: 'key-of-the-user',
        OPENAI_API_KEY: 'key-of-the-user',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const outcome = new Promise<Outcome>((resolve) => {
      child.once('close', (code) => {
        const lines = stdout.split('\n').filter((line) => /^[{"]/.test(line));
        resolve({ code, said: lines.map((line) => JSON.parse(line)), stdout, stderr });
      });
    });
    return { child, outcome, said: () => stdout };
  }

  async function serve(file: string): Promise<string> {
    const served = spawn(process.execPath, [PROGRAM, 'serve', '--config', file, '--port', '0'], { cwd: place });
    running.push(served);
    let lines = '';
    served.stdout.on('data', (chunk) => {
      lines += chunk;
    });
    await until(() => lines.includes('\n'), 60_000);
    return /:(\d+)/.exec(lines)?.[1] ?? '';
  }

  return {
    backend,
    place,
    home,
    bin,
    launch,
    serve,
    stop() {
      for (const child of running.splice(0)) child.kill('SIGKILL');
    },
    async close() {
      await backend.close();
      rmSync(place, { recursive: true });
    },
  };
}
