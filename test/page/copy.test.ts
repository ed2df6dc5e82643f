import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { codeFor, gatewayLines } from '../../page/translate/copy/index.js';
import { recognise } from '../../page/translate/recognise/index.js';
import type { Copied } from '../../page/translate/sdk/index.js';
import { type SimulatorServer, startSimulatorServer } from '../simulator/server.js';
import { FAKE_DIALECTS } from '../support/fake-backend/index.js';
import { runProgram } from '../support/plain-clients.js';
import { type CopiedExample, copiedExamples, HOSTILE } from './copy-stage.js';

/** What is copied runs: with the official clients against the simulator (copy.long.ts has curl and Python). */

interface Heard {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly status: number;
}

let server: SimulatorServer;
let heard: Heard[] = [];
const before = { ...process.env };

beforeAll(async () => {
  // Google's SDK tells the console that an answer has calls.
  jest.spyOn(console, 'warn').mockImplementation(() => {});
  server = await startSimulatorServer({ seed: 'copy' }, ({ path, body, headers }, status) => {
    heard.push({ path, body: JSON.parse(body), headers, status });
  });
  Object.assign(process.env, {
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_BASE_URL: `${server.url}/v1`,
    GOOGLE_GEMINI_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'a',
    OPENAI_API_KEY: 'o',
    GEMINI_API_KEY: 'g',
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  await server.close();
});

/** The status that the simulator gives to a body that nobody changed. */
async function plainStatus({ dialect, body, model, stream, betas }: Copied): Promise<number> {
  const call = codeFor('curl', { dialect, body, model, stream, betas }) ?? '';
  const [, path = ''] = /curl (?:-N )?'https:\/\/[^/]+([^']*)'/.exec(call) ?? [];
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': 'a' };
  const named = betas.length === 0 ? headers : { ...headers, 'anthropic-beta': betas.join(',') };
  const answer = await fetch(server.url + path, { method: 'POST', headers: named, body: JSON.stringify(body) });
  await answer.text();
  return answer.status;
}

const EXAMPLES = copiedExamples().map((one): [string, CopiedExample] => [one.name, one]);

describe('JavaScript asks as the body does', () => {
  test.each(EXAMPLES)('%s', async (_name, copied) => {
    const expected = await plainStatus(copied);
    heard = [];
    await run(codeFor('javascript', copied) ?? '').catch((error: unknown) => {
      // What the service refuses, the SDK throws.
      if (expected < 400) throw error;
    });
    expect(heard).toMatchObject([{ body: copied.body, status: expected }]);
    // Google's SDK sends the settings where there are none.
    const { generationConfig, ...sent } = Object(heard[0]?.body);
    const none = JSON.stringify(generationConfig) === '{}';
    expect(none ? sent : heard[0]?.body).toEqual(copied.body);
    if (copied.betas.length > 0) expect(heard[0]?.headers['anthropic-beta']).toBe(copied.betas.join(','));
  });
});

describe('what is copied is recognised again', () => {
  test.each([...EXAMPLES, ...HOSTILE.map((one): [string, CopiedExample] => [one.name, one])])(
    '%s',
    async (_name, copied) => {
      for (const form of ['json', 'curl', 'javascript', 'python'] as const) {
        const { body, dialect, problem, betas } = await recognise(codeFor(form, copied) ?? '');
        expect([form, problem]).toEqual([form, undefined]);
        expect(JSON.parse(body)).toEqual(copied.body);
        if (form === 'json') continue;
        expect([form, dialect]).toEqual([form, copied.dialect]);
        expect([form, betas]).toEqual([form, copied.betas]);
      }
    },
  );
});

test.each(FAKE_DIALECTS)('two lines point the SDK of %s at the gateway', async (dialect) => {
  const [own] = EXAMPLES.flatMap(([, one]) => (one.dialect === dialect && !one.stream ? [one] : []));
  if (own === undefined) throw new Error('no example');
  const lines = gatewayLines(dialect, `${server.url}/`) ?? '';
  expect(lines.split('\n')).toHaveLength(3);
  const set = [...lines.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]);
  expect(set).toHaveLength(2);
  const kept = { ...process.env };
  Object.assign(process.env, Object.fromEntries(set));
  heard = [];
  await run(codeFor('javascript', own) ?? '').finally(() => Object.assign(process.env, kept));
  expect(Object.values(heard[0]?.headers ?? {}).join(' ')).toContain('a key of the gateway');
});

describe('other hosts', () => {
  const ask = { body: { model: 'm', messages: [] }, model: 'm', stream: false, betas: [] };

  test('have their address and the variable of their key', () => {
    const groq = codeFor('javascript', { ...ask, dialect: 'chatCompletions', host: 'groq' });
    expect(groq).toContain('baseURL: "https://api.groq.com/openai/v1"');
    expect(groq).toContain('apiKey: process.env.GROQ_API_KEY');
    const bearer = codeFor('python', { ...ask, dialect: 'messages', host: 'openrouter' });
    expect(bearer).toContain('base_url="https://openrouter.ai/api", auth_token=os.environ["OPENROUTER_API_KEY"]');
    expect(codeFor('curl', { ...ask, dialect: 'responses', host: 'azure' })).toContain(
      `'https://RESOURCE.openai.azure.com/openai/v1/responses' \\\n  -H 'content-type: application/json' \\\n  -H "api-key: $AZURE_OPENAI_API_KEY"`,
    );
    expect(codeFor('curl', { ...ask, dialect: 'chatCompletions', host: 'vllm' })).not.toContain('$');
    expect(codeFor('javascript', { ...ask, dialect: 'chatCompletions', host: 'http://127.0.0.1:1/v1' })).toContain(
      'baseURL: "http://127.0.0.1:1/v1"',
    );
  });

  test('that want no key but a login are not guessed', () => {
    expect(codeFor('python', { ...ask, dialect: 'messages', host: 'vertex-anthropic' })).toBeUndefined();
    expect(codeFor('json', { ...ask, dialect: 'messages', host: 'vertex-anthropic' })).toBe(
      '{\n  "model": "m",\n  "messages": []\n}\n',
    );
  });
});

/** Runs a program with the official clients; what it prints is lost. */
const run = (program: string): Promise<void> =>
  runProgram(program, {
    console: { log: () => {} },
    process: { env: process.env, stdout: { write: () => true } },
  });
