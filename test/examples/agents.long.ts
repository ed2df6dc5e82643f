import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { AGENTS } from '../agents/agents.js';
import { isPresent, launchAgent } from '../agents/run.js';
import { END, modelFor, NOTE } from '../agents/task.js';
import { viewOf } from '../sdk/wire-view.js';
import { startFakeBackend } from '../support/fake-backend/index.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** The examples for coding agents: the real agent, launched with the example's configuration, reads a note over a fake of the server. */

const EXAMPLES = [
  { name: 'claude-code-on-vllm', agent: 'claude', model: 'coder', backend: 'vllm' },
  { name: 'codex-on-claude', agent: 'codex', model: 'opus', backend: 'claude' },
] as const;

for (const { name, agent: called, model, backend } of EXAMPLES) {
  const agent = AGENTS.find(({ launched }) => launched.name === called);
  if (agent === undefined) throw new Error(`no agent is called ${called}`);
  (isPresent(agent) ? test : test.skip)(
    name,
    async () => {
      const fake = await startFakeBackend('messages', { generation: '4.5' });
      fake.script(modelFor(agent, 'messages'));
      const place = mkdtempSync(join(tmpdir(), 'interlingua-example-'));
      try {
        const [home, folder] = [join(place, 'home'), join(place, 'work')];
        mkdirSync(home);
        mkdirSync(folder);
        writeFileSync(join(folder, 'note.txt'), `${NOTE}\n`);
        const read = readFileSync(join(PACKAGE_ROOT, 'examples', name, 'interlingua.yaml'), 'utf8');
        const example = parse(read.replace(/\$\{\w+\}/g, 'key-of-the-service'));
        example.backends[backend].baseUrl = fake.url;
        const config = join(place, 'interlingua.yaml');
        writeFileSync(config, stringify({ ...example, listen: { port: 9 } }));
        const task = { prompt: 'What does note.txt tell?', model, config, home };
        const { code, stdout, stderr } = await launchAgent(agent, task, folder, 90);
        expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
        const [result] = viewOf('messages', fake.requests.at(-1), 'results');
        expect(result).toMatchObject({ text: expect.stringContaining(NOTE) });
        expect(fake.requests.at(-1)?.body).toMatchObject({ model: example.models[model].model });
      } finally {
        await fake.close();
        rmSync(place, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    120_000,
  );
}
