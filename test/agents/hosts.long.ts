import { expect, test } from '@jest/globals';
import { viewOf } from '../sdk/wire-view.js';
import { startGateway } from '../support/gateway/harness.js';
import { HOST_MODEL, startHost } from '../support/hosts/host.js';
import { AGENTS, type Agent } from './agents.js';
import { isPresent } from './run.js';
import { END, modelFor, NOTE, readNote } from './task.js';

/** Coding agents on hosts that speak the dialect of their vendor in part: what the host lacks stops nobody. */

const KEY = 'key-of-the-agents';

/** Hosts without custom tools, namespaces, tool search; without versioned tools, documents, counts, a third role. */
const HOSTS: Readonly<Partial<Record<Agent['dialect'], readonly string[]>>> = {
  responses: ['ollama', 'llamacpp'],
  messages: ['ollama', 'sglang'],
};

const cells = AGENTS.flatMap((agent) => {
  const hosts = HOSTS[agent.dialect] ?? [];
  const present = hosts.length > 0 && isPresent(agent);
  return hosts.map((host, index) => ({ agent, host, present, model: agent.models[index % agent.models.length] }));
});

for (const { agent, host, present, model } of cells) {
  (present ? test : test.skip)(
    `${agent.title} with ${model ?? 'its own choice of models'} on ${host}`,
    async () => {
      const { dialect } = agent;
      const fake = await startHost(host, dialect, true);
      fake.backend.script(modelFor(agent, dialect));
      const gateway = await startGateway({
        keys: [{ name: 'agents', key: KEY }],
        backends: { host: { preset: host, dialect, baseUrl: fake.root } },
        models: { '*': { backend: 'host', model: HOST_MODEL } },
      });
      try {
        const { outcome, exchanges } = await readNote(agent, { model, url: gateway.url, key: KEY, losses: 'report' });
        const failed = exchanges.filter(({ status }) => status >= 400);
        expect(failed.map(({ path, status, answer }) => [path, status, answer])).toEqual([]);
        expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
        const { refused, misread } = fake;
        expect({ refused, misread }).toEqual({ refused: [], misread: [] });
        expect(viewOf(dialect, fake.backend.requests.at(-1), 'results')).toEqual([
          expect.objectContaining({ text: expect.stringContaining(NOTE) }),
        ]);
      } finally {
        await gateway.close();
        await fake.close();
      }
    },
    120_000,
  );
}
