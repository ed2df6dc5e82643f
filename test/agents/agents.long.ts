import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Row } from '../clients/verdict.js';
import { noted, runOf, SIMULATED, saveRun } from '../compatibility/results.js';
import { viewOf } from '../sdk/wire-view.js';
import { FAKE_DIALECTS, type FakeDialectName, startFakeBackend } from '../support/fake-backend/index.js';
import { likeVendor, startGateway } from '../support/gateway/harness.js';
import { AGENTS } from './agents.js';
import { isPresent } from './run.js';
import type { Tapped } from './tap.js';
import { END, modelFor, NOTE, readNote } from './task.js';

/** The models behind the gateway: one of the newest of each vendor, with all that their services demand. */
const MODELS = {
  messages: 'claude-opus-5',
  responses: 'gpt-5.5',
  generateContent: 'gemini-3.1-pro-preview',
  chatCompletions: 'kimi-k2-thinking',
} satisfies Record<FakeDialectName, string>;

/** Servers of chat completions differ; this one thinks beside tools, and wants its thinking back. */
const CHAT = { preset: 'moonshot', server: 'kimi' } as const;

const KEY = 'key-of-the-agents';
const LOSSES = 'strict;allow="agents"';
/** The tools that a service runs are functions or nothing where chat completions are spoken. */
const CHAT_LOSSES = 'strict;allow="agents,tool.hosted"';

const cells = AGENTS.flatMap((agent) => {
  const present = isPresent(agent);
  return agent.models.flatMap((model) =>
    FAKE_DIALECTS.filter((dialect) => dialect !== agent.dialect).map((backend) => ({
      agent,
      model,
      backend,
      present,
      title: `${agent.title} with ${model ?? 'its own choice of models'} over ${backend}`,
    })),
  );
});

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

/** What strict never counts (translation 0.9). */
const HINTS = new Set([
  ...['cache.mark', 'cache.key', 'cache.ttl', 'user', 'metadata', 'tier', 'include.detail', 'call.id', 'text.blank'],
  ...['telemetry', 'headers.beta', 'reasoning.show', 'ext.client_metadata', 'ext.display', 'ext.search_content_types'],
]);
/** What `agents` stands for (translation 0.9). */
const COVERED = new Set([
  ...['ext.context_management', 'verbosity', 'instruction.place', 'reasoning.budget', 'reasoning.effort'],
  ...['toolChoice.parallel', 'tool.hosted', 'tool.custom'],
  // Calls of custom tools in the history, which have their input as a string as the tools do.
  'call.freeform',
  // A cap above what the model can write, an effort said once more for a message, thinking of all turns.
  ...['maxOutput', 'ext.output_config', 'ext.context'],
  // Objects of an answer may have no keys but those that were asked for.
  'output.schema',
  // One text of instructions for servers that take no other.
  'text.join',
]);

/** The features that count as lost by the list in the head of an answer, one for each loss (http.md#losses). */
function lostFeatures({ answerHeaders }: Tapped): string[] {
  const entries = String(answerHeaders['x-interlingua-loss'] ?? '').matchAll(
    /([\w.]+);kind=(?:dropped|approximated);path="[^"]*"(?:;n=(\d+))?/g,
  );
  return [...entries].flatMap(([, feature = '', times = '1']) =>
    HINTS.has(feature) ? [] : Array<string>(Number(times)).fill(feature),
  );
}

const rows: Row[] = [];

/** `SAVE=1` keeps the run for docs/compatibility.md. */
afterAll(() => {
  if (process.env.SAVE !== '1' || rows.length === 0) return;
  const backends = Object.fromEntries(FAKE_DIALECTS.map((id) => [id, { group: SIMULATED, endpoint: id }]));
  saveRun('agents', runOf({ language: 'agents', command: 'SAVE=1 npm run test:long', rows, known: [], backends }));
});

for (const { agent, model, backend, present, title } of cells) {
  const row = { client: agent.title, backend, check: model ?? 'its own choice of models' };
  (present ? test : test.skip)(
    title,
    noted(rows, row, async () => {
      const fake = await startFakeBackend(backend, { generation: '4.7', gemini3: true, server: CHAT.server });
      cleaning.push(fake.close);
      fake.script(modelFor(agent, backend));
      const { preset } = backend === 'chatCompletions' ? CHAT : {};
      const gateway = await startGateway({
        keys: [{ name: 'agents', key: KEY }],
        backends: { service: { ...likeVendor(backend), preset, baseUrl: fake.url, apiKey: 'key-of-the-service' } },
        models: { '*': { backend: 'service', model: MODELS[backend] } },
      });
      cleaning.push(gateway.close);
      const losses = backend === 'chatCompletions' ? CHAT_LOSSES : LOSSES;
      const { outcome, exchanges } = await readNote(agent, { model, url: gateway.url, key: KEY, losses });

      const refused = exchanges.filter(({ status }) => status >= 400);
      expect(refused.map(({ path, status, answer }) => [path, status, answer])).toEqual([]);
      expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining(END) });
      const turns = exchanges.filter(({ answerHeaders }) => answerHeaders['x-interlingua-losses'] !== undefined);
      expect(turns.length).toBeGreaterThanOrEqual(2);
      for (const turn of turns) {
        expect(turn.headers['x-interlingua-losses']).toBe(losses);
        const lost = lostFeatures(turn);
        expect(lost.filter((feature) => !COVERED.has(feature))).toEqual([]);
        expect(turn.answerHeaders['x-interlingua-losses']).toMatch(new RegExp(`^${lost.length};minor=\\d+$`));
      }
      const last = fake.requests.at(-1);
      expect(viewOf(backend, last, 'results')).toEqual([
        expect.objectContaining({ text: expect.stringContaining(NOTE) }),
      ]);
      // The thinking in front of the call comes back to the service that gave it.
      expect(viewOf(backend, last, 'states')).toHaveLength(1);
    }),
    120_000,
  );
}
