import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { viewOf } from '../sdk/wire-view.js';
import { FAKE_DIALECTS, type FakeDialectName, startFakeBackend } from '../support/fake-backend/index.js';
import { likeVendor } from '../support/gateway/harness.js';
import { AGENTS } from './agents.js';
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
            `^interlingua: \\d+ requests, \\d+ tokens in, \\d+ out, \\d+ loss(es)?; service \\(${backend}\\)$`,
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
