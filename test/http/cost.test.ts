import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createTargets } from '../../src/config/targets.js';
import { costOf } from '../../src/http/cost.js';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { createModels } from '../../src/models/facts.js';
import { dialects } from '../../translators/index.js';
import { captureLog, scrape, sum } from '../observe/support.js';
import { WHOLE, WIRES } from '../support/answers.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import {
  EVENT_STREAM,
  json,
  type Recorder,
  type Seen,
  STREAM,
  send,
  startRecorder,
  type Tree,
} from '../support/gateway/harness.js';
import { createSession } from '../support/sessions/index.js';
import { until } from '../support/until.js';
import { inTwo } from '../support/wire/wire.js';

/** A row of costs.yaml. */
interface Row {
  readonly name: string;
  readonly service: FakeDialectName;
  readonly usage: Tree;
  readonly answer?: Tree;
  readonly prices?: Tree;
  readonly sum?: string;
  readonly cost: number | 'none';
  readonly partial?: true;
}

const ROWS: readonly Row[] = parse(readFileSync(join(import.meta.dirname, 'costs.yaml'), 'utf8'), { merge: true });

/** The rows by the names under which clients ask for them. */
const MODELS = new Map(ROWS.map((row, index) => [`row-${index}`, row]));
const USAGE = { messages: 'usage', responses: 'usage', generateContent: 'usageMetadata', chatCompletions: 'usage' };
const KEY = 'a-key-of-the-gateway';

function answerOf({ service, usage, answer }: Row): Tree {
  return { ...WHOLE[service]('Hello there'), ...answer, [USAGE[service]]: usage };
}

function streams({ path, body }: Seen): boolean {
  return path.includes('streamGenerateContent') || /"stream":\s*true/.test(body);
}

let backend: Recorder;
let gateway: GatewayServer;
let url: string;
let folder: string;
const log = captureLog();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interlingua-cost-'));
  backend = await startRecorder();
  backend.reply = (response, seen) => {
    const [name = ''] = /row-\d+/.exec(`${seen.path} ${seen.body}`) ?? [];
    const row = MODELS.get(name);
    if (row === undefined) return json(response, 404, {});
    if (!streams(seen)) return json(response, 200, answerOf(row));
    response.writeHead(200, EVENT_STREAM);
    response.end(WIRES[row.service].frames(answerOf(row), inTwo(3)).join(''));
  };
  const models: ConfigInput['models'] = Object.fromEntries(
    [...MODELS].map(([name, { service, prices }]) => [name, { backend: service, prices }]),
  );
  const dialects = FAKE_DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: backend.url, retries: 0 }]);
  gateway = createGateway({
    backends: Object.fromEntries(dialects),
    models,
    keys: [{ name: 'team', key: KEY }],
    limits: { drainSeconds: 1 },
    log: { level: 'info' },
    record: { path: join(folder, 'record.jsonl') },
  });
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** The lines of the exchanges of a model. A warning lets out what waits to be written. */
async function linesOf(model: string, count: number): Promise<Tree[]> {
  return until(() => {
    gateway.logger.warn('flush');
    const found = log.lines().filter((line) => line.msg === 'exchange' && line.model === model);
    return found.length >= count && found;
  });
}

/** Asks through the official client, and gives the header of the cost. */
async function asked(client: FakeDialectName, model: string, stream: boolean): Promise<string | null | undefined> {
  let header: string | null | undefined;
  const session = createSession(client, url, {
    model,
    apiKey: KEY,
    maxTokens: 100,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      header = answer.headers.get('x-interlingua-cost');
      return answer;
    },
  });
  session.user('Hello');
  expect((await session.send({ stream })).text).toBe('Hello there');
  return header;
}

const CASES = [...MODELS].map(([model, row]) => ({ model, ...row }));

/** Relayed, and translated for another dialect with each row, whole and streamed. */
const waysOf = (model: string, service: FakeDialectName) =>
  [service, ...others(service, model)].flatMap((client) => [false, true].map((stream) => ({ client, stream })));
const others = (service: FakeDialectName, model: string): readonly FakeDialectName[] => {
  const rest = FAKE_DIALECTS.filter((dialect) => dialect !== service);
  return [...rest, ...rest].slice(Number(model.slice(4)) % 3).slice(0, 1);
};
const WAYS = 4;

describe.each(CASES)('$service, $name: $cost', ({ model, service, cost, partial = false, ...row }) => {
  test('through official clients, whole and streamed', async () => {
    const known = cost !== 'none';
    if (known) expect(row.sum).toEqual(expect.any(String));
    for (const { client, stream } of waysOf(model, service)) {
      const header = await asked(client, model, stream);
      const told = known && !stream ? `${cost};currency=USD${partial ? ';partial' : ''}` : null;
      expect({ client, stream, header }).toEqual({ client, stream, header: told });
    }
    const lines = await linesOf(model, WAYS);
    for (const { client, stream, ...line } of lines) {
      const shown = { client, stream, cost: line.cost, partial: line.costPartial };
      expect(shown).toEqual({
        client,
        stream,
        cost: known ? cost : undefined,
        partial: known && partial ? true : undefined,
      });
    }
    const samples = await scrape(url, { authorization: `Bearer ${KEY}` });
    const counted = samples.filter(({ name, labels }) => name === 'interlingua_cost_total' && labels.model === model);
    if (!known) return expect(counted).toEqual([]);
    expect(counted.map(({ labels }) => labels)).toEqual([{ key: 'team', model }]);
    expect(counted[0]?.value).toBeCloseTo(cost * WAYS, 9);
  });
});

test('the record has what is known', async () => {
  const path = join(folder, 'record.jsonl');
  const found = await until(() => {
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return lines.length >= CASES.length * WAYS && lines;
  });
  const costs = found.map(({ cost }: Tree) => cost ?? 'none');
  for (const cost of new Set(CASES.map((one) => one.cost)))
    expect({ cost, times: costs.filter((one: unknown) => one === cost).length }).toEqual({
      cost,
      times: CASES.filter((one) => one.cost === cost).length * WAYS,
    });
});

describe('prices of the package', () => {
  test.each([
    // $2.50, $1.25 and $10: (100 - 40) x 2.5 + 40 x 1.25 + 900 x 10.
    ['gpt-4o', 0.0092],
    ['gpt-4o-made-up', undefined],
  ])('%s: %s', (model, cost) => {
    const config = parseConfig({
      prices: 'genai-prices',
      backends: { openai: { preset: 'openai', dialect: 'chatCompletions', apiKey: KEY } },
    });
    const targets = createTargets(config);
    const [target] = targets.resolve(model);
    if (target === undefined) throw new Error('no target');
    const prices = createModels(config, targets, () => new Map()).fact(target, 'prices')?.value;
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 900,
      total_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 40 },
    };
    const facts = dialects.chatCompletions.relayedFacts.read([{ ...WHOLE.chatCompletions('Hello there'), usage }]);
    expect(prices && costOf(prices, facts)?.usd).toBe(cost);
  });
});

describe('who answers is paid', () => {
  const PRICES = { input: 2, output: 10 };
  const USED = { prompt_tokens: 100, completion_tokens: 900, total_tokens: 1000 };
  const SECRET = 'sk-of-the-backend-that-is-paid';
  let other: GatewayServer;
  let address: string;

  beforeAll(async () => {
    const at = { dialect: 'chatCompletions', baseUrl: backend.url, apiKey: SECRET, retries: 0 } as const;
    other = createGateway({
      backends: {
        dear: { ...at, headers: { 'x-which': 'dear' } },
        cheap: { ...at, headers: { 'x-which': 'cheap' } },
        gem: { dialect: 'generateContent', baseUrl: backend.url },
      },
      models: {
        pair: [
          { backend: 'dear', prices: { input: 200, output: 1000 } },
          { backend: 'cheap', prices: PRICES },
        ],
        unknown: [{ backend: 'dear', prices: PRICES }, { backend: 'cheap' }],
        gem: { backend: 'gem', model: 'gemini-3-pro', prices: PRICES },
      },
      log: { level: 'info' },
    });
    ({ url: address } = await other.listen({ host: '127.0.0.1', port: 0 }));
  });
  afterAll(() => other.close());

  function failing(service: string): void {
    backend.reply = (response, { headers }) =>
      headers['x-which'] === service
        ? json(response, 503, { error: { message: 'busy' } })
        : json(response, 200, { ...WHOLE.chatCompletions('Hello there'), usage: USED });
  }

  test.each([
    ['the first', 'nobody', 'pair', '0.92;currency=USD'],
    ['the second', 'dear', 'pair', '0.0092;currency=USD'],
    ['one without prices', 'dear', 'unknown', undefined],
  ])('%s', async (_, fails, model, header) => {
    failing(fails);
    const answer = await send(address, '/v1/messages', {
      body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-interlingua-cost']).toBe(header);
  });

  test.each([
    ['once', 0, '0.0092;currency=USD'],
    ['twice, because the model broke its own call', 1, undefined],
  ])('an answer that is asked for %s', async (_, broken, header) => {
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 900, totalTokenCount: 1000 };
    const candidates = [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }];
    let calls = 0;
    backend.reply = (response) => {
      calls += 1;
      const whole = WHOLE.generateContent('Hello there');
      json(response, 200, { ...whole, ...(calls <= broken && { candidates }), usageMetadata });
    };
    const tools = [{ name: 'look', input_schema: { type: 'object', properties: {} } }];
    const answer = await send(address, '/v1/messages', {
      body: { model: 'gem', max_tokens: 100, tools, messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect([answer.status, calls]).toEqual([200, broken + 1]);
    expect(answer.headers['x-interlingua-cost']).toBe(header);
  });

  test.each(['/v1/chat/completions', '/v1/messages'])(
    'an answer that is withheld for a secret in it is an error without a figure: %s',
    async (path) => {
      const usage = { usage: USED };
      backend.reply = (response) => json(response, 200, { ...WHOLE.chatCompletions(`It is ${SECRET}.`), ...usage });
      const answer = await send(address, path, {
        body: { model: 'pair', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
      });
      expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([502, 'dear']);
      expect(answer.headers).not.toHaveProperty('x-interlingua-cost');
    },
  );

  test.each(['chatCompletions', 'messages'] as const)(
    'a stream for %s that breaks off has no figure',
    async (client) => {
      backend.reply = (response) => {
        const frames = WIRES.chatCompletions.events({ ...WHOLE.chatCompletions('Hello there'), usage: USED });
        // The counts come before the finish, as they do at some servers in every chunk.
        const [first = {}] = frames;
        response.writeHead(200, EVENT_STREAM);
        response.write(WIRES.chatCompletions.print({ ...first, usage: USED }), () => response.destroy());
      };
      const { path, body } = STREAM[client]('pair');
      const id = `broken-${client}`;
      await send(address, path, { body, headers: { 'x-request-id': id }, mayBreak: true });
      const line = await until(() => {
        other.logger.warn('flush');
        return log.lines().find((one) => one.id === id && one.msg === 'exchange');
      });
      expect(line).toMatchObject({ inputTokens: 100, outputTokens: 900 });
      expect(line).not.toHaveProperty('cost');
    },
  );

  test('a large answer, which a thread reads, has its figure too', async () => {
    const words = 'many words '.repeat(120_000);
    backend.reply = (response) => json(response, 200, { ...WHOLE.chatCompletions(words), usage: USED });
    const answer = await send(address, '/v1/messages', {
      body: { model: 'pair', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(answer.headers['x-interlingua-cost']).toBe('0.92;currency=USD');
    const total = await until(
      async () => sum(await scrape(address), 'interlingua_cost_total', { model: 'pair' }) > 1.8,
    );
    expect(total).toBe(true);
  });
});
