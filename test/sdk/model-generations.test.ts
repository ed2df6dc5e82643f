import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { type FakeBackend, type FakeDialectName, startFakeBackend } from '../support/fake-backend/index.js';
import { createSession, type ToolSpec } from '../support/sessions/index.js';
import { DIALECTS } from './stage.js';
import { viewOf } from './wire-view.js';

/** Models that want to be asked differently from the ones of the nine pairs, and refuse what those take. */
const GENERATIONS = [
  { dialect: 'messages', model: 'claude-opus-4-6', options: { generation: '4.6' } },
  { dialect: 'messages', model: 'claude-opus-4-7', options: { generation: '4.7' } },
  { dialect: 'generateContent', model: 'gemini-2.5-flash', options: { gemini3: false } },
] as const satisfies readonly { dialect: FakeDialectName; model: string; options: object }[];

const WAYS = GENERATIONS.flatMap((generation) =>
  DIALECTS.filter((client) => client !== generation.dialect).flatMap((client) =>
    [false, true].map((stream) => ({ ...generation, client, stream })),
  ),
);

const READ: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, range: { $ref: '#/$defs/range' } },
    required: ['path'],
    $defs: { range: { type: 'object', properties: { from: { type: 'integer' }, to: { type: 'integer' } } } },
  },
};
const file = (path: string) => ({ name: 'read_file', arguments: { path } });

const backends = new Map<string, FakeBackend>();
let gateway: GatewayServer;
let url: string;
beforeAll(async () => {
  for (const { dialect, model, options } of GENERATIONS) backends.set(model, await startFakeBackend(dialect, options));
  gateway = createGateway({
    backends: Object.fromEntries(
      GENERATIONS.map(({ dialect, model }) => [model, { dialect, baseUrl: backendOf(model).url }]),
    ),
    models: Object.fromEntries(GENERATIONS.map(({ model }) => [model, { backend: model }])),
    limits: { drainSeconds: 1 },
    log: { level: 'silent' },
  });
  ({ url } = await gateway.listen({ port: 0 }));
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([...backends.values()].map((backend) => backend.close()));
});
beforeEach(() => {
  for (const backend of backends.values()) backend.reset();
});

function backendOf(model: string): FakeBackend {
  const backend = backends.get(model);
  if (!backend) throw new Error(`no backend for ${model}`);
  return backend;
}

describe.each(WAYS)('$model for a $client client, stream: $stream', ({ dialect, model, client, stream }) => {
  test('a tool loop with reasoning and two parallel calls', async () => {
    const backend = backendOf(model);
    backend.script([
      { kind: 'reasoning+calls', reasoning: 'Both files.', calls: [file('a.ts'), file('b.ts')] },
      { kind: 'reasoning+calls', reasoning: 'One more.', calls: [file('c.ts')] },
      { kind: 'text', text: 'All read.' },
    ]);
    const session = createSession(client, url, { model, tools: [READ], reasoning: true, system: 'Be brief.' });
    session.user('Read.');
    for (const calls of [2, 1]) {
      const turn = await session.send({ stream });
      expect(turn.calls).toHaveLength(calls);
      session.results(turn.calls.map(({ id, name }) => ({ id, name, output: 'text' })).toReversed());
    }
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'All read.', finish: 'end' });
    expect(backend.requests.map((request) => viewOf(dialect, request, 'states').length)).toEqual([0, 1, 2]);
  });

  test('structured output beside tools', async () => {
    backendOf(model).script({ kind: 'json', value: { ok: true } });
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const session = createSession(client, url, { model, tools: [READ], schema });
    session.user('Is it fine?');
    const turn = await session.send({ stream });
    expect(JSON.parse(turn.text)).toEqual({ ok: true });
    // The schema is asked for in its own field or, where tools exclude that, in words.
    expect(backendOf(model).requests[0]?.raw).toContain('additionalProperties');
  });
});
