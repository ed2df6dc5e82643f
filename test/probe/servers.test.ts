import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { ConfigInput } from '../../src/config/schema.js';
import { blockOf, differences, type ProbeReport, printBlock, probe } from '../../src/probe/index.js';
import { type AnsweringServer, MODEL, startAnswering } from '../support/answering/index.js';
import { type Endpoint, SERVERS } from '../support/answering/manners.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';
import { SHORT, share } from '../support/runs.js';
import { createSession, type Session, type SessionOptions } from '../support/sessions/index.js';

const CLIENTS = ['messages', 'responses', 'generateContent', 'chatCompletions'] as const;

const ENDPOINTS = Object.entries(SERVERS).flatMap(([name, { dialects }]) =>
  (Object.entries(dialects) as [FakeDialectName, Endpoint][]).map(([dialect, endpoint]) => ({
    name,
    dialect,
    endpoint,
  })),
);

const TOOLS = ['time', 'date'].map((name) => ({
  name,
  description: `Tells the ${name}.`,
  parameters: { type: 'object', properties: {} },
}));
const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};
const NEEDY = 'What time is it? Call the tool.';

/** Calls that have a model speak. */
const CREATES = /^POST .*(?:\/chat\/completions|\/messages|\/responses|:\w*[gG]enerateContent)$/;

/** What users of official clients do; each throws where it did not come to what it should. */
const CASES: Readonly<Record<string, (open: (options?: Partial<SessionOptions>) => Session) => Promise<void>>> = {
  async text(open) {
    const session = open({ system: 'Be brief.' });
    session.user('Say hello.');
    expect(await session.send({ stream: false })).toMatchObject({ text: 'Hello there.', finish: 'end' });
    session.user('Say hello once more.');
    expect(await session.send({ stream: true })).toMatchObject({ text: 'Hello there.', finish: 'end' });
  },
  async cut(open) {
    const session = open({ maxTokens: 16 });
    session.user('Count.');
    expect(await session.send({ stream: false })).toMatchObject({ finish: 'length' });
  },
  async longCap(open) {
    const session = open({ maxTokens: 32_000 });
    session.user('Say hello.');
    expect(await session.send({ stream: true })).toMatchObject({ text: 'Hello there.' });
  },
  async loop(open) {
    const session = open({ tools: TOOLS });
    session.user(NEEDY);
    const { calls } = await session.send({ stream: true });
    expect(calls.map(({ name }) => name)).toEqual(['time']);
    session.results(calls.map(({ id, name }) => ({ id, name, output: 'noon' })));
    expect(await session.send({ stream: false })).toMatchObject({ text: 'The tool says noon.', finish: 'end' });
  },
  async forced(open) {
    const session = open({ tools: TOOLS, toolChoice: 'required' });
    session.user('Say hello.');
    expect((await session.send({ stream: false })).calls).toHaveLength(1);
  },
  async named(open) {
    const session = open({ tools: TOOLS, toolChoice: { name: 'date' } });
    session.user(NEEDY);
    expect((await session.send({ stream: false })).calls.map(({ name }) => name)).toEqual(['date']);
  },
  async none(open) {
    const session = open({ tools: TOOLS, toolChoice: 'none' });
    session.user(NEEDY);
    expect((await session.send({ stream: true })).calls).toEqual([]);
  },
  async schema(open) {
    const session = open({ schema: SCHEMA });
    session.user('Say hello.');
    expect(JSON.parse((await session.send({ stream: false })).text)).toEqual({ ok: true });
  },
};

describe.each(
  share(
    ENDPOINTS.flatMap((one) => [false, true].map((anonymous) => ({ ...one, anonymous }))),
    1,
  ),
)('$name, $dialect, anonymous: $anonymous', ({ name, dialect, endpoint, anonymous }) => {
  let server: AnsweringServer;
  let report: ProbeReport;
  let gateway: TestGateway;
  let bare: TestGateway;
  let probed: AnsweringServer['calls'];
  beforeAll(async () => {
    server = await startAnswering(name, anonymous);
    report = await probe({ url: server.url, model: MODEL, dialects: [dialect] });
    probed = [...server.calls];
    const block = blockOf(report, false);
    gateway = await startGateway({ ...block, limits: { drainSeconds: 1 } } as ConfigInput);
    bare = await startGateway({ backends: { a: { dialect, baseUrl: server.url } }, limits: { drainSeconds: 1 } });
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), bare.close()]);
    await server.close();
  });

  test('it finds what does not hold, within its bounds', () => {
    const found = { ignored: [] as string[], refused: [] as string[], other: [] as string[] };
    for (const { verdict, row } of report.findings)
      if (verdict in found) found[verdict as keyof typeof found].push(row);
    expect(found).toEqual(endpoint.shows);
    expect(report.findings).toContainEqual({ dialect, row: 'tools', verdict: 'holds' });
    expect(report.calls).toBeLessThanOrEqual(40);
  });

  test('it asks for no more than it says', () => {
    const caps = probed.flatMap(({ line, body }) => {
      if (!CREATES.test(line)) return [];
      const { maxOutputTokens } = (body.generationConfig ?? {}) as { readonly maxOutputTokens?: number };
      return [body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? maxOutputTokens];
    });
    expect(caps.filter((cap) => typeof cap !== 'number')).toEqual([]);
    // The one above the window is a stream, which is left with its first event.
    expect(caps.filter((cap) => Number(cap) > 16)).toHaveLength(1);
  });

  test.each(SHORT ? CLIENTS.filter((one) => one === dialect || one === 'messages') : CLIENTS)(
    'its block serves %s clients in all that the server can do',
    async (client) => {
      const failed = await failuresAt(gateway.url, client);
      const { cannot = [], cannotRelay = [] } = endpoint;
      expect([...failed].sort()).toEqual([...cannot, ...(client === dialect ? cannotRelay : [])].sort());
    },
  );

  if (anonymous && endpoint.needs !== undefined)
    test('without it the same cases fail', async () => {
      const failed = await failuresAt(bare.url, 'messages');
      expect(failed).toEqual(expect.arrayContaining([...(endpoint.needs ?? [])]));
    });

  test('it is as its preset says', () => {
    expect(differences(report)).toEqual([]);
  });
});

test('the written block of a server with several endpoints leads to each of them', async () => {
  const server = await startAnswering('vllm', true);
  const report = await probe({ url: server.url, model: MODEL });
  const block = blockOf(report, false) ?? { backends: {}, models: {} };
  const gateway = await startGateway({ ...parse(printBlock(report, block)), limits: { drainSeconds: 1 } });
  const reached: string[] = [];
  for (const model of Object.keys(block.backends).map((name) => (name === 'server' ? MODEL : `${name}/${MODEL}`))) {
    const session = createSession('generateContent', gateway.url, { model });
    session.user('Say hello.');
    expect(await session.send({ stream: true })).toMatchObject({ text: 'Hello there.' });
    reached.push(`${model}: ${server.calls.at(-1)?.line}`);
  }
  await gateway.close();
  await server.close();
  expect(reached).toEqual([
    'tiny: POST /v1/messages',
    'server-responses/tiny: POST /v1/responses',
    'server-chatCompletions/tiny: POST /v1/chat/completions',
  ]);
});

/** The names of the cases that fail. */
async function failuresAt(url: string, client: FakeDialectName): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [name, run] of Object.entries(CASES)) {
    try {
      await run((options) => createSession(client, url, { model: MODEL, ...options }));
    } catch {
      failed.push(name);
    }
  }
  return failed;
}
