import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { dialectsOf, presetNames, presets } from '../../src/presets/index.js';
import { connectMessages, connectResponses } from '../support/clients.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { send, type Tree } from '../support/gateway/harness.js';
import { errorBodyOf } from '../support/hosts/errors.js';
import { type FakeHost, factsOf, HOST_KEY, HOST_MODEL, startHost } from '../support/hosts/host.js';
import { hostsInShort, hostsTable, lacksTable, recipes } from '../support/hosts/page.js';
import { createSession, describeError, type ToolSpec } from '../support/sessions/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PAGE = 'docs/hosts.md';

describe('what the pages say of hosts is what the presets say', () => {
  test.each([
    ['README.md', 'hosts', hostsInShort],
    [PAGE, 'hosts', hostsTable],
    [PAGE, 'lacks', lacksTable],
    [PAGE, 'recipes', recipes],
  ])('%s: %s', (name, mark, print) => {
    const path = join(root, name);
    const text = readFileSync(path, 'utf8');
    const [before = '', rest = ''] = text.split(`<!-- ${mark} -->\n`);
    const [between, after = ''] = rest.split(`\n<!-- end of ${mark} -->`);
    expect(between).toBeDefined();
    if (process.env.UPDATE === '1')
      writeFileSync(path, `${before}<!-- ${mark} -->\n${print()}\n<!-- end of ${mark} -->${after}`);
    else expect(between).toBe(print());
  });
});

/** The configuration of each recipe, by the name of the preset. */
const RECIPES = new Map(
  [...readFileSync(join(root, PAGE), 'utf8').matchAll(/^### ([\w-]+)\n[^#]*?```yaml\n([^`]*)```/gm)].map(
    ([, name = '', code = '']) => [name, code],
  ),
);

const LOOK: ToolSpec = {
  name: 'look',
  description: 'Looks at a place',
  parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
};

let host: FakeHost | undefined;
let gateway: GatewayServer | undefined;
afterEach(async () => {
  await gateway?.close();
  await host?.close();
  gateway = undefined;
  host = undefined;
});

/** Starts a recipe in front of a fake of its host; gives the address of the gateway. */
async function start(
  { name, dialect, usual }: (typeof DOORS)[number],
  client: FakeDialectName,
): Promise<{ url: string; fake: FakeHost }> {
  const fake = await startHost(name, dialect, client);
  host = fake;
  const { backends } = parse(RECIPES.get(name) ?? '');
  const backend = {
    ...backends[name],
    ...(!usual && { dialect }),
    ...(backends[name].apiKey !== undefined && { apiKey: HOST_KEY }),
    baseUrl: fake.root,
  };
  gateway = createGateway({ backends: { [name]: backend }, log: { level: 'silent' }, limits: { drainSeconds: 1 } });
  return { fake, url: (await gateway.listen({ host: '127.0.0.1', port: 0 })).url };
}

/** A text, a stream and a loop over a tool, through the official client of a dialect. */
async function talk(
  client: FakeDialectName,
  { url, fake }: { url: string; fake: FakeHost },
  tools: boolean,
): Promise<void> {
  fake.backend.script([
    { kind: 'text', text: 'Hello.' },
    { kind: 'text', text: 'Hello again.' },
    { kind: 'calls', calls: [{ name: 'look', arguments: { at: 'here' } }] },
    { kind: 'text', text: 'Seen.' },
  ]);
  const session = createSession(client, url, { model: HOST_MODEL, ...(tools && { tools: [LOOK] }), maxTokens: 600 });
  session.user('Hi');
  await expect(session.send({ stream: false })).resolves.toMatchObject({ text: 'Hello.', finish: 'end' });
  session.user('Again');
  await expect(session.send({ stream: true })).resolves.toMatchObject({ text: 'Hello again.', finish: 'end' });
  if (!tools) return;
  session.user('Look');
  const turn = await session.send({ stream: true });
  expect(turn.finish).toBe('calls');
  session.results(turn.calls.map((call) => ({ id: call.id, name: call.name, output: 'a garden' })));
  await expect(session.send({ stream: false })).resolves.toMatchObject({ text: 'Seen.', finish: 'end' });
}

const DOORS = presetNames.flatMap((name) =>
  FAKE_DIALECTS.filter((dialect) => dialect in presets[name].doors).map((dialect) => ({
    name,
    dialect,
    usual: dialectsOf(presets[name])[0] === dialect,
  })),
);

test('every host has a recipe and a fake that speaks the same dialects', () => {
  expect([...RECIPES.keys()]).toEqual(presetNames);
  for (const name of presetNames)
    expect(Object.keys(factsOf(name).paths).sort()).toEqual([...dialectsOf(presets[name])].sort());
});

describe.each(DOORS)('$name with $dialect', ({ name, dialect, usual }) => {
  // [H §10.2]: the one host without tools.
  const tools = name !== 'perplexity';

  test.each([...new Set<FakeDialectName>([dialect, 'messages', 'responses'])])(
    'is reached by a client of %s as the recipe says: text, stream, a loop over a tool',
    async (client) => {
      const stage = await start({ name, dialect, usual }, client);
      await talk(client, stage, tools);
      expect(stage.fake.refused).toEqual([]);
      expect(stage.fake.backend.requests).toHaveLength(tools ? 4 : 2);
    },
  );

  test.each([...new Set<FakeDialectName>([dialect, 'messages', 'responses'])])(
    'refuses a client of %s in its own words, as too long',
    async (client) => {
      const { url, fake } = await start({ name, dialect, usual }, client);
      const words = "This model's maximum context length is 20000 tokens";
      fake.backend.script({
        kind: 'raw',
        status: 400,
        headers: { 'content-type': 'application/json' },
        chunks: [JSON.stringify(errorBodyOf(name, dialect)(400, words))],
      });
      const session = createSession(client, url, { model: HOST_MODEL, maxTokens: 600 });
      session.user('Hi');
      const error = await session.send({ stream: false }).then(
        () => undefined,
        (thrown: unknown) => describeError(thrown),
      );
      expect(error).toMatchObject({ sdk: true, status: 400, message: expect.stringContaining(words) });
    },
  );

  test('goes on by the id of the answer before, whoever keeps it', async () => {
    const { url, fake } = await start({ name, dialect, usual }, 'responses');
    const { responses } = connectResponses(url);
    const first = await responses.create({ model: HOST_MODEL, input: 'The first question' });
    const second = await responses.create({ model: HOST_MODEL, input: 'More', previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect((await responses.retrieve(second.id)).output_text).toBe(second.output_text);
    const { raw } = fake.backend.requests.find(({ raw: sent }) => sent.includes('More')) ?? { raw: '' };
    const keeps = dialect === 'responses' && presets[name].state === 'own';
    expect(raw).toContain(keeps ? first.id : 'The first question');
    expect(raw.includes('previous_response_id')).toBe(keeps);
  });

  test('lists the models of the host, and counts or estimates', async () => {
    const { url } = await start({ name, dialect, usual }, 'messages');
    const { body: list } = await send(url, '/v1/models');
    expect(list.data.map(({ id }: Tree) => id)).toEqual(factsOf(name).listless ? [] : [HOST_MODEL]);
    const { input_tokens: tokens } = await connectMessages(url).messages.countTokens({
      model: HOST_MODEL,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(tokens).toBeGreaterThan(0);
  });
});
