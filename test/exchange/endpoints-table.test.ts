import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { leastLossy } from '../../src/exchange/endpoints.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { readData } from '../support/frames.js';
import { send, startGateway, type TestGateway, type Tree } from '../support/gateway/harness.js';
import { type FakeHostOfMany, startHostOfMany } from '../support/hosts/endpoints.js';
import { HOST_MODEL } from '../support/hosts/host.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

// Which endpoint serves which wish, at fakes of the hosts that know nothing of the presets: what is said to lose nothing is not misread there.

type Wishes = Readonly<Record<string, Readonly<Partial<Record<FakeDialectName, object>>>>>;
const FILE = 'exchange/endpoints.yaml';
const { wishes, hosts: TABLE }: { wishes: Wishes; hosts: Tree } = readData(FILE);
const HOSTS = ['ollama', 'vllm', 'sglang', 'llamacpp'] as const;
const ENDPOINTS = ['messages', 'responses', 'chatCompletions'] as const;

const hosts = new Map<string, FakeHostOfMany>();
let gateway: TestGateway;
beforeAll(async () => {
  for (const name of HOSTS) hosts.set(name, await startHostOfMany(name, ENDPOINTS));
  const backend = (preset: (typeof HOSTS)[number]) => ({ preset, baseUrl: hosts.get(preset)?.url ?? '' });
  gateway = await startGateway({
    backends: Object.fromEntries(
      HOSTS.flatMap((name) => [
        [name, backend(name)],
        [`${name}.messages`, { ...backend(name), dialect: 'messages' as const }],
      ]),
    ),
    models: Object.fromEntries(
      HOSTS.flatMap((name) =>
        [name, `${name}.messages`].map((backend) => [backend, { backend, model: HOST_MODEL }] as const),
      ),
    ),
  });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([...hosts.values()].map((host) => host.close()));
});

const BODIES: Readonly<Record<FakeDialectName, object>> = {
  messages: { max_tokens: 64, messages: [{ role: 'user', content: 'q' }] },
  responses: { input: 'q', store: false },
  chatCompletions: { messages: [{ role: 'user', content: 'q' }] },
  generateContent: { contents: [{ role: 'user', parts: [{ text: 'q' }] }] },
};
const PATHS: Readonly<Record<FakeDialectName, (model: string) => string>> = {
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  chatCompletions: () => '/v1/chat/completions',
  generateContent: (model) => `/v1beta/models/${model}:generateContent`,
};

function ask(model: string, client: FakeDialectName, wish: object, headers = {}) {
  const named = client === 'generateContent' ? {} : { model };
  return send(gateway.url, PATHS[client](model), { body: { ...named, ...BODIES[client], ...wish }, headers });
}

const CASES = Object.entries(wishes).flatMap(([wish, said]) =>
  FAKE_DIALECTS.flatMap((client) => {
    const body = said[client];
    return body === undefined ? [] : [{ wish, client, body }];
  }),
);

describe.each(HOSTS)('%s', (name) => {
  const told: Record<string, Record<string, string>> = {};

  test.each(CASES)('$wish, a client of $client', async ({ wish, client, body }) => {
    const explained = await ask(name, client, body, { 'x-interlingua-explain': 'true' });
    const { dialect, endpoints } = explained.body;
    const losses = Object.entries(endpoints ?? {}).map(([at, lost]) => `${at} ${lost ?? '-'}`);
    const row = losses.length === 0 ? dialect : `${dialect}; ${losses.join(', ')}`;
    told[wish] = { ...told[wish], [client]: row };
    if (process.env.UPDATE !== '1') expect(row).toBe(TABLE[name]?.[wish]?.[client]);

    const host = hosts.get(name);
    host?.reset();
    const answer = await ask(name, client, body);
    expect([answer.status, answer.headers['x-interlingua-dialect']]).toEqual([200, dialect]);
    const moved = losses.length > 0 && losses[0]?.startsWith(`${dialect} `) === false;
    expect(answer.headers['x-interlingua-backend']).toBe(moved ? `${name};endpoint=${dialect}` : name);
    // The fake is a second witness.
    const endpoint = ENDPOINTS.find((one) => one === dialect);
    if (endpoint !== undefined && (endpoints?.[dialect] ?? 0) === 0) expect(host?.at(endpoint).misread).toEqual([]);
  });

  test('loses no more than by its first endpoint alone', async () => {
    const counted = async (model: string): Promise<number> => {
      let sum = 0;
      for (const { client, body } of CASES)
        sum += Number(String((await ask(model, client, body)).headers['x-interlingua-losses']).split(';')[0]);
      return sum;
    };
    const [one, all] = [await counted(`${name}.messages`), await counted(name)];
    expect(all).toBeLessThanOrEqual(one);
    if (name === 'ollama' || name === 'llamacpp') expect(all).toBeLessThan(one / 2);
  });

  afterAll(() => {
    if (process.env.UPDATE !== '1') return;
    const path = join(PACKAGE_ROOT, 'test', FILE);
    const [head = '', rest = ''] = readFileSync(path, 'utf8').split(/^hosts:.*\n/m);
    const known = parse(`hosts:\n${rest}`).hosts ?? {};
    const print = (rows: Tree): string =>
      Object.entries<Tree>(rows)
        .map(
          ([wish, cells]) =>
            `    ${wish}:\n${Object.entries(cells)
              .map(([client, cell]) => `      ${client}: ${cell}\n`)
              .join('')}`,
        )
        .join('');
    const all = Object.entries({ ...known, [name]: told }).map(([host, rows]) => `  ${host}:\n${print(rows)}`);
    writeFileSync(path, `${head}hosts:\n${all.join('')}`);
  });
});

describe('the choice', () => {
  const choices = (...lost: (number | undefined)[]) => lost.map((one, index) => ({ lost: one, index }));
  test.each([
    ['the fewest losses', choices(2, 1, 3), 1],
    ['the first of several', choices(1, 0, 0), 1],
    ['what can serve the request at all', choices(undefined, 9, undefined), 1],
    ['one that is refused only where nothing else is left', choices(undefined, Number.POSITIVE_INFINITY), 1],
  ])('is %s', (_what, given, index) => {
    expect(leastLossy(given)?.index).toBe(index);
  });
  test('is what keeps its state, whatever else is lost', () => {
    const given = [
      { lost: 1, state: 1 },
      { lost: 3, state: 0 },
      { lost: 2, state: 2 },
    ] as const;
    expect(leastLossy(given)).toBe(given[1]);
  });
  test('is none where none can be taken', () => {
    expect(leastLossy(choices(undefined, undefined))).toBeUndefined();
  });
});
