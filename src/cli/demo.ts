import { type DialectId, dialectIds } from '../../translators/index.js';
import { gatewayDialects } from '../dialects/index.js';
import { type Command, complain, print } from './command.js';
import { callsIn, DEMO_PROMPT, DEMO_RESULT, DEMO_TOOL, type DemoAnswer, demoRequest, textOf } from './demo-client.js';

/** `interlingua demo`: shows on the simulator that every pair of dialects works. */
export const demo: Command = {
  describe(parser) {
    parser
      .option('--json', 'print what was asked, answered and lost as JSON')
      .addHelpText('after', '\nThe first column is what the client speaks, the others what the backend speaks.');
  },
  async run(values) {
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
      if (values.json === true) print(JSON.stringify({ asked: ASKED, pairs: results.map(shown) }, null, 2));
      else for (const line of [...asked(), ...table(results), '', ...lost(results)]) print(line);
      const failed = results.filter(({ reason }) => reason !== undefined);
      for (const { client, backend, reason } of failed) complain(`${client} client, ${backend} backend: ${reason}`);
      return failed.length === 0 ? 0 : 1;
    } finally {
      await gateway.close();
    }
  },
};

/** What every pair is asked. */
const ASKED = { prompt: DEMO_PROMPT, tool: DEMO_TOOL, result: DEMO_RESULT, stream: true };

/** A loss as headers name it. */
interface Lost {
  readonly feature: string;
  readonly kind: string;
}

/** What a conversation came to. */
interface Said {
  /** What the model said about the result. */
  readonly answer: string;
  /** Each once. */
  readonly losses: readonly Lost[];
}

interface Result extends Partial<Said> {
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
      const said: Partial<Said> & Pick<Result, 'reason'> = await converse(url, client, model).catch(
        (error: unknown) => ({ reason: error instanceof Error ? error.message : 'failed' }),
      );
      results.push({ client, backend: dialect, ms: Math.round(performance.now() - start), ...said });
    }
  }
  return results;
}

/** Asks with a tool, answers its call, and expects words. */
async function converse(url: string, dialect: DialectId, model: string): Promise<Said> {
  const first = await ask(url, dialect, model);
  const calls = callsIn(first.answer);
  if (calls.length === 0) throw new Error('the model did not call the tool');
  const other = calls.find(({ name }) => name !== DEMO_TOOL);
  if (other !== undefined) throw new Error(`the model called ${other.name}, which is not a tool of this conversation`);
  const second = await ask(url, dialect, model, first.answer);
  const answer = textOf(second.answer);
  if (answer === '') throw new Error('the model said nothing about the result');
  const losses = new Map([...first.losses, ...second.losses].map((loss) => [`${loss.feature} ${loss.kind}`, loss]));
  return { answer, losses: [...losses.values()] };
}

async function ask(
  url: string,
  dialect: DialectId,
  model: string,
  before?: DemoAnswer,
): Promise<{ readonly answer: DemoAnswer; readonly losses: readonly Lost[] }> {
  const { path, body, read } = demoRequest(dialect, model, before);
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text.slice(0, 200)}`);
  return { answer: read(text), losses: lossesIn(answer.headers.get('x-interlingua-loss') ?? '', text) };
}

/** The losses that an answer tells: those of its header, and those that its stream found later. */
function lossesIn(header: string, stream: string): Lost[] {
  const early = [...header.matchAll(/([\w.-]+);kind=(\w+)/g)].map(([, feature = '', kind = '']) => ({ feature, kind }));
  const late = [...stream.matchAll(/^: interlingua-loss (.+)$/gm)].map(([, json = '']): Lost => JSON.parse(json));
  return [...early, ...late.map(({ feature, kind }) => ({ feature, kind }))];
}

/** A result as JSON has it. */
function shown({ reason, ...result }: Result): object {
  return { ...result, ok: reason === undefined, ...(reason !== undefined && { reason }) };
}

function asked(): string[] {
  return [`asked, streamed: ${DEMO_PROMPT} The tool gives: ${DEMO_RESULT}.`, ''];
}

/** What was lost, with the pairs that lost it. */
function lost(results: readonly Result[]): string[] {
  const pairs = new Map<string, string[]>();
  for (const { client, backend, losses = [] } of results) {
    for (const { feature, kind } of losses) {
      const what = `${feature} ${kind}`;
      pairs.set(what, [...(pairs.get(what) ?? []), `${client} to ${backend}`]);
    }
  }
  if (pairs.size === 0) return ['lost: nothing'];
  return ['lost:', ...[...pairs].map(([what, where]) => `  ${what}: ${where.join(', ')}`)];
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
