import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** The recipes of docs/agents.md for agents that `launch` does not run: settings that can be read, and a last step that is run here. */

const page = readFileSync(join(PACKAGE_ROOT, 'docs/agents.md'), 'utf8');
const [, others = ''] = page.split('\n## Other agents\n');
const recipes = others
  .split('\n### ')
  .slice(1)
  .map((section) => {
    const [name = ''] = section.split('\n');
    const blocks = [...section.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].map(([, kind = '', text = '']) => ({
      kind,
      text,
    }));
    return { name, blocks };
  });

const KEY = 'a-key-of-the-team-1';
let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { body }) => {
    if (body === '') return json(response, 200, { object: 'list', data: [] });
    if (JSON.parse(body).stream !== true) return json(response, 200, WHOLE.chatCompletions('Hi'));
    response.writeHead(200, EVENT_STREAM).end(FRAMES.chatCompletions('Hi').join(''));
  };
  gateway = await startGateway({
    backends: { local: { dialect: 'chatCompletions', baseUrl: recorder.url } },
    models: { fast: { backend: 'local', model: 'x', contextWindow: 32_768, maxOutput: 4096 } },
    keys: [{ name: 'team', key: KEY }],
  });
});
afterAll(() => Promise.all([gateway.close(), recorder.close()]));

test('there is one for each of them', () => {
  expect(recipes.map(({ name }) => name)).toEqual(['Cline', 'aider', 'Continue', 'Cursor']);
});

describe.each(recipes)('$name', ({ name, blocks }) => {
  test('has settings that can be read, with the model, its window and the gateway', () => {
    const [settings, step, ...rest] = blocks;
    expect([step?.kind, rest]).toEqual(['bash', []]);
    const value: Tree = settings?.kind === 'yml' ? parse(settings.text) : JSON.parse(settings?.text ?? '');
    const text = JSON.stringify(value) + step?.text;
    expect(text).toContain('fast');
    expect(text).toMatch(/https?:\/\/[\w.:]+\/v1/);
    expect(text).toContain('YOUR_KEY');
    if (name !== 'Cursor') expect([text.includes('32768'), text.includes('4096')]).toEqual([true, true]);
  });

  const step = blocks.at(-1)?.text ?? '';
  const program = /^(?!export)\w+/m.exec(step)?.[0] ?? '';
  const present = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  (present ? test : test.skip)('has a last step that succeeds', async () => {
    const words = step
      .replaceAll(/https?:\/\/(?:127\.0\.0\.1:8080|gateway\.example\.com)/g, gateway.url)
      .replaceAll('YOUR_KEY', KEY);
    const child = spawn('sh', ['-c', words], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, said]).toEqual([0, expect.stringMatching(/Hi|fast/)]);
  });
});
