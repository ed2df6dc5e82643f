import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { viewOf } from '../sdk/wire-view.js';
import { FAKE_DIALECTS, type FakeDialectName, startFakeBackend } from '../support/fake-backend/index.js';
import { likeVendor } from '../support/gateway/harness.js';
import { AGENTS, type Agent } from './agents.js';
import { isPresent, launchAgent } from './run.js';
import { END, modelFor, NOTE } from './task.js';

/** `interlingua launch` with the real agents: a gateway of its own, and a tool that is run. */

const MODELS = {
  messages: 'claude-opus-5',
  responses: 'gpt-5.5',
  generateContent: 'gemini-3.1-pro-preview',
  chatCompletions: 'kimi-k2-thinking',
} satisfies Record<FakeDialectName, string>;

const cells = AGENTS.flatMap((agent) => {
  const present = isPresent(agent);
  return FAKE_DIALECTS.map((backend) => ({ agent, backend, present }));
});

for (const { agent, backend, present } of cells) {
  (present ? test : test.skip)(
    `launch runs ${agent.title} over ${backend}`,
    async () => {
      const fake = await startFakeBackend(backend, { generation: '4.7', gemini3: true, server: 'kimi' });
      fake.script(modelFor(agent, backend));
      const place = mkdtempSync(join(tmpdir(), 'interlingua-launched-'));
      try {
        const [home, folder] = [join(place, 'home'), join(place, 'work')];
        mkdirSync(home);
        mkdirSync(folder);
        writeFileSync(join(folder, 'note.txt'), `${NOTE}\n`);
        const preset = backend === 'chatCompletions' ? 'moonshot' : undefined;
        const service = { ...likeVendor(backend), preset, baseUrl: fake.url, apiKey: 'key-of-the-service' };
        const config = join(place, 'interlingua.json');
        const models = { mine: { backend: 'service', model: MODELS[backend] } };
        writeFileSync(config, JSON.stringify({ listen: { port: 9 }, backends: { service }, models }));
        const task = { prompt: 'What does note.txt tell?', model: 'mine', config, home };
        const { code, stdout, stderr } = await launchAgent(agent, task, folder, 90);
        expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
        expect(stderr.trim().split('\n').at(-1)).toMatch(
          new RegExp(
            `^interlingua: \\d+ turns?, \\d+ tokens in(?: \\(\\d+ % cached\\))?, \\d+ out, \\d+ loss(es)?; service \\(${backend}\\)$`,
          ),
        );
        expect(viewOf(backend, fake.requests.at(-1), 'results')).toEqual([
          expect.objectContaining({ text: expect.stringContaining(NOTE) }),
        ]);
      } finally {
        await fake.close();
        rmSync(place, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    120_000,
  );
}

/** A place in which an agent is launched over a backend of responses, with two models. */
async function launchIn(
  agent: Agent,
  work: (
    launch: (more: Partial<Parameters<typeof launchAgent>[1]>) => ReturnType<typeof launchAgent>,
    models: () => unknown[],
    last: () => string,
  ) => Promise<void>,
): Promise<void> {
  const fake = await startFakeBackend('responses', { generation: '4.7', gemini3: true });
  fake.script({ kind: 'text', text: END });
  const place = mkdtempSync(join(tmpdir(), 'interlingua-launched-'));
  try {
    const [home, folder] = [join(place, 'home'), join(place, 'work')];
    for (const made of [home, folder]) mkdirSync(made);
    const service = { ...likeVendor('responses'), baseUrl: fake.url, apiKey: 'key-of-the-service' };
    const config = join(place, 'interlingua.json');
    const models = {
      mine: { backend: 'service', model: 'gpt-5.5' },
      planner: { backend: 'service', model: 'gpt-5.5-pro' },
    };
    writeFileSync(config, JSON.stringify({ listen: { port: 9 }, backends: { service }, models }));
    const asked = () => fake.requests.filter(({ body }) => body !== undefined);
    await work(
      (more) => launchAgent(agent, { prompt: 'Say a word.', model: 'mine', config, home, ...more }, folder, 90),
      () => asked().map(({ body }) => (body as { model?: string }).model),
      () => JSON.stringify(asked().at(-1)?.body),
    );
  } finally {
    await fake.close();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

const claude = AGENTS.find(({ launched }) => launched.name === 'claude');
const gemini = AGENTS.find(({ launched }) => launched.name === 'gemini');
const testWith = (agent: Agent | undefined) => (agent !== undefined && isPresent(agent) ? test : test.skip);

testWith(claude)(
  'Claude Code plans with the model of --think, and does with that of --model',
  async () => {
    if (claude === undefined) throw new Error('there is no Claude Code');
    await launchIn(claude, async (launch, models) => {
      const options = ['--think', 'planner'];
      const plan = ['--print', 'Say a word.', '--permission-mode', 'plan'];
      expect(await launch({ options, words: plan })).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
      expect(models().at(-1)).toBe('gpt-5.5-pro');
      expect(await launch({ options })).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
      expect(models().at(-1)).toBe('gpt-5.5');
    });
  },
  240_000,
);

/** Their words for going on with the last session. */
const RESUMING: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  claude: (words) => ['--continue', ...words],
  codex: (words) => [...words.slice(0, -1), 'resume', '--last', ...words.slice(-1)],
};

for (const agent of AGENTS) {
  const resuming = RESUMING[agent.launched.name];
  if (resuming === undefined) continue;
  testWith(agent)(
    `${agent.title} goes on with a session of an earlier launch`,
    async () => {
      await launchIn(agent, async (launch, _models, last) => {
        await launch({});
        const words = resuming(agent.words('And another one.'));
        expect(await launch({ words })).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
        expect(last()).toMatch(/Say a word\..*And another one\./);
      });
    },
    240_000,
  );
}

testWith(gemini)(
  'Gemini CLI runs in a folder that it was not told to trust with --trust alone, and the launch says so',
  async () => {
    if (gemini === undefined) throw new Error('there is no Gemini CLI');
    await launchIn(gemini, async (launch) => {
      const env = { GEMINI_CLI_TRUST_WORKSPACE: '' };
      const words = ['--prompt', 'Say a word.'];
      const refused = await launch({ words, env });
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('--trust trusts this one for this run');
      expect(await launch({ words, env, options: ['--trust'] })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(END),
      });
    });
  },
  240_000,
);
