import type { DialectId } from '../../translators/index.js';
import { SIMULATED } from '../config/defaults.js';
import { type Command, complain, print } from './command.js';
import { DEMO_TOOL, demoClients, demoDialects, type SeenTurn } from './demo-clients.js';

/** `interlingua demo`: shows on the simulator that every pair of dialects works. */
export const demo: Command = {
  name: 'demo',
  summary: 'Runs one streamed conversation with a tool through all nine pairs, on the built-in simulator.',
  usage: '',
  options: {},
  help: ['The first column is what the client speaks, the others what the backend speaks.'],
  async run() {
    // Loaded here, so that commands that need no server start at once.
    const { createGateway } = await import('../index.js');
    const gateway = createGateway({
      backends: Object.fromEntries(SIMULATED.map(({ model, dialect }) => [model, { dialect, simulator: true }])),
      models: Object.fromEntries(SIMULATED.map(({ model }) => [model, { backend: model }])),
      log: { level: 'silent' },
    });
    const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
    try {
      const results = await runPairs(url);
      for (const line of table(results)) print(line);
      const failed = results.filter(({ reason }) => reason !== undefined);
      for (const { client, backend, reason } of failed) complain(`${client} client, ${backend} backend: ${reason}`);
      return failed.length === 0 ? 0 : 1;
    } finally {
      await gateway.close();
    }
  },
};

interface Result {
  readonly client: DialectId;
  readonly backend: DialectId;
  readonly ms: number;
  /** Why the pair failed. */
  readonly reason?: string;
}

async function runPairs(url: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const client of demoDialects) {
    for (const { model, dialect } of SIMULATED) {
      const start = performance.now();
      const reason = await converse(url, client, model).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : 'failed'),
      );
      results.push({ client, backend: dialect, ms: Math.round(performance.now() - start), reason });
    }
  }
  return results;
}

/** Asks with a tool, answers its call, and expects words. */
async function converse(url: string, dialect: DialectId, model: string): Promise<void> {
  const first = await ask(url, dialect, model);
  if (first.calls.length === 0) throw new Error('the model did not call the tool');
  const other = first.calls.find(({ name }) => name !== DEMO_TOOL);
  if (other !== undefined) throw new Error(`the model called ${other.name}, which is no tool of this conversation`);
  const second = await ask(url, dialect, model, first);
  if (second.text === '') throw new Error('the model said nothing about the result');
}

async function ask(url: string, dialect: DialectId, model: string, turn?: SeenTurn): Promise<SeenTurn> {
  const client = demoClients[dialect];
  const answer = await fetch(url + client.path(model), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client.body(model, turn)),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text.slice(0, 200)}`);
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  const seen = client.read(events);
  if (!seen.ended) throw new Error('the stream did not end with its final event');
  return seen;
}

function table(results: readonly Result[]): string[] {
  const width = 18;
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd();
  return [
    row(['client \\ backend', ...SIMULATED.map(({ dialect }) => dialect)]),
    ...demoDialects.map((client) =>
      row([
        client,
        ...results
          .filter((result) => result.client === client)
          .map(({ ms, reason }) => (reason === undefined ? `ok, ${ms} ms` : 'FAILED')),
      ]),
    ),
  ];
}
