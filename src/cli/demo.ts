import { type DialectId, dialectIds } from '../../translators/index.js';
import { gatewayDialects } from '../dialects/index.js';
import { type Command, complain, print } from './command.js';
import { callsIn, DEMO_TOOL, type DemoAnswer, demoRequest, textOf } from './demo-client.js';

/** `interlingua demo`: shows on the simulator that every pair of dialects works. */
export const demo: Command = {
  describe(parser) {
    parser.addHelpText('after', '\nThe first column is what the client speaks, the others what the backend speaks.');
  },
  async run() {
    // Loaded here, so that commands that need no server start at once.
    const { createGateway } = await import('../index.js');
    const gateway = createGateway({
      backends: Object.fromEntries(
        gatewayDialects.map(({ simulated, id }) => [simulated, { dialect: id, simulator: true }]),
      ),
      models: Object.fromEntries(gatewayDialects.map(({ simulated }) => [simulated, { backend: simulated }])),
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
  for (const client of dialectIds) {
    for (const { simulated: model, id: dialect } of gatewayDialects) {
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
  const calls = callsIn(first);
  if (calls.length === 0) throw new Error('the model did not call the tool');
  const other = calls.find(({ name }) => name !== DEMO_TOOL);
  if (other !== undefined) throw new Error(`the model called ${other.name}, which is no tool of this conversation`);
  if (textOf(await ask(url, dialect, model, first)) === '') throw new Error('the model said nothing about the result');
}

async function ask(url: string, dialect: DialectId, model: string, before?: DemoAnswer): Promise<DemoAnswer> {
  const { path, body, read } = demoRequest(dialect, model, before);
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text.slice(0, 200)}`);
  return read(text);
}

function table(results: readonly Result[]): string[] {
  const width = 18;
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd();
  return [
    row(['client \\ backend', ...dialectIds]),
    ...dialectIds.map((client) =>
      row([
        client,
        ...results
          .filter((result) => result.client === client)
          .map(({ ms, reason }) => (reason === undefined ? `ok, ${ms} ms` : 'FAILED')),
      ]),
    ),
  ];
}
