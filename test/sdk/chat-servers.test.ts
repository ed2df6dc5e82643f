import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { objectOf, objectsOf, stringOf } from '../../src/simulator/rules/index.js';
import { dialects } from '../../translators/index.js';
import { type FakeBackend, type RecordedRequest, startFakeBackend } from '../support/fake-backend/index.js';
import { share } from '../support/runs.js';
import type { ServerName } from '../support/services/chat-completions/server.js';
import { createSession, type Session, type ToolSpec } from '../support/sessions/index.js';
import { DIALECTS } from './stage.js';
import { viewOf } from './wire-view.js';

/** A server of chat completions at the host that it is known by, and what it gives back and wants of reasoning. */
interface Known {
  readonly server: ServerName;
  readonly host: string;
  readonly model: string;
  /** Whether state of its reasoning comes home. */
  readonly keeps: boolean;
}

const KNOWN: readonly Known[] = [
  { server: 'openai', host: 'api.openai.com', model: 'gpt-4.1', keeps: false },
  { server: 'openai', host: 'api.openai.com', model: 'gpt-5.5', keeps: false },
  { server: 'azure', host: 'one.openai.azure.com', model: 'gpt-4.1', keeps: false },
  { server: 'deepseek', host: 'api.deepseek.com', model: 'deepseek-v4', keeps: true },
  { server: 'kimi', host: 'api.moonshot.ai', model: 'kimi-k2-thinking', keeps: true },
  { server: 'mistral', host: 'api.mistral.ai', model: 'magistral-medium', keeps: true },
  { server: 'openrouter', host: 'openrouter.ai', model: 'anthropic/claude-sonnet-4-5', keeps: true },
  { server: 'gemini', host: 'generativelanguage.googleapis.com', model: 'gemini-3-pro', keeps: true },
  { server: 'local', host: 'localhost:1234', model: 'some-model', keeps: true },
];

/** What a client of the dialect itself says is relayed, so that it has to know its server. */
const FOREIGN = DIALECTS.filter((client) => client !== 'chatCompletions');

const WAYS = KNOWN.flatMap((known, turn) =>
  share(
    FOREIGN.flatMap((client) => [false, true].map((stream) => ({ ...known, client, stream }))),
    turn,
  ),
);

const READ: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const file = (path: string) => ({ name: 'read_file', arguments: { path } });

const fakes = new Map<string, FakeBackend>();
let elsewhere: FakeBackend;
let gateway: GatewayServer;
let url: string;
beforeAll(async () => {
  elsewhere = await startFakeBackend('messages', { generation: '4.5' });
  for (const { server, model } of KNOWN)
    fakes.set(`${server} ${model}`, await startFakeBackend('chatCompletions', { server }));
  gateway = createGateway({
    backends: {
      elsewhere: { dialect: 'messages', baseUrl: elsewhere.url },
      ...Object.fromEntries(
        KNOWN.map((known) => [
          nameOf(known),
          { dialect: 'chatCompletions', baseUrl: fakeOf(known).url, profile: profileOf(known) } as const,
        ]),
      ),
    },
    models: {
      elsewhere: { backend: 'elsewhere', model: 'claude-sonnet-4-5' },
      ...Object.fromEntries(KNOWN.map((known) => [nameOf(known), { backend: nameOf(known), model: known.model }])),
    },
    limits: { drainSeconds: 1 },
    log: { level: 'silent' },
  });
  ({ url } = await gateway.listen({ port: 0 }));
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([elsewhere, ...fakes.values()].map((fake) => fake.close()));
});
beforeEach(() => {
  for (const fake of [elsewhere, ...fakes.values()]) fake.reset();
});

function nameOf({ server, model }: Known): string {
  return `${server}-${model.replace('/', '-')}`;
}

function fakeOf({ server, model }: Known): FakeBackend {
  const fake = fakes.get(`${server} ${model}`);
  if (fake === undefined) throw new Error(`no fake of ${server}`);
  return fake;
}

/** The fakes listen on this machine; the profile says whom they stand for. */
function profileOf({ host, model }: Known) {
  const {
    rules: _rules,
    unsupported: _unsupported,
    ...flags
  } = dialects.chatCompletions.target(model, { model, host });
  return flags;
}

/** How many messages of a request carry reasoning that was issued. */
function statesIn({ body }: RecordedRequest): number {
  return objectsOf(objectOf(body).messages).filter((message) => {
    const text = stringOf(message.reasoning_content ?? message.reasoning).trim();
    const chunks = objectsOf(message.content).some(({ type }) => type === 'thinking');
    const signed = objectsOf(message.tool_calls).some(({ extra_content: extra }) => {
      const { thought_signature: signature } = objectOf(objectOf(extra).google);
      return typeof signature === 'string' && signature !== 'skip_thought_signature_validator';
    });
    return text !== '' || chunks || signed || message.reasoning_details !== undefined;
  }).length;
}

async function step(session: Session, stream: boolean, model?: string): Promise<void> {
  const turn = await session.send({ stream, ...(model !== undefined && { model }) });
  expect(turn.finish).toBe('calls');
  session.results(turn.calls.map(({ id, name }) => ({ id, name, output: 'text' })));
}

describe.each(WAYS)('$client client, $server with $model, stream: $stream', (way) => {
  const { client, stream, keeps } = way;

  test('a tool loop, and a question behind it', async () => {
    const fake = fakeOf(way);
    fake.script([
      { kind: 'reasoning+calls', reasoning: 'Both files.', calls: [file('a.ts'), file('b.ts')] },
      { kind: 'reasoning+calls', reasoning: 'One more.', calls: [file('c.ts')] },
      { kind: 'text', text: 'All read.' },
      { kind: 'text', text: 'Three.' },
    ]);
    const session = createSession(client, url, {
      model: nameOf(way),
      tools: [READ],
      reasoning: true,
      system: 'Be brief.',
    });
    session.user('Read.');
    await step(session, stream);
    await step(session, stream);
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'All read.', finish: 'end' });
    session.user('How many?');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Three.', finish: 'end' });
    expect(fake.requests.map(statesIn)).toEqual(keeps ? [0, 1, 2, 2] : [0, 0, 0, 0]);
    expect(viewOf('chatCompletions', fake.requests[3], 'results')).toHaveLength(3);
  });

  test('a conversation that began elsewhere', async () => {
    elsewhere.script({ kind: 'reasoning+calls', reasoning: 'Look.', calls: [file('a.ts')] });
    fakeOf(way).script([
      { kind: 'reasoning+calls', reasoning: 'Another.', calls: [file('b.ts')] },
      { kind: 'text', text: 'Read.' },
    ]);
    const session = createSession(client, url, { model: nameOf(way), tools: [READ], reasoning: true });
    session.user('Begin.');
    await step(session, stream, 'elsewhere');
    await step(session, stream);
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Read.', finish: 'end' });
    expect(fakeOf(way).requests.map(statesIn)).toEqual(keeps ? [0, 1] : [0, 0]);
  });

  test('a tool that must be called, and a cap', async () => {
    fakeOf(way).script({ kind: 'calls', calls: [file('a.ts')] });
    const session = createSession(client, url, {
      model: nameOf(way),
      tools: [READ],
      toolChoice: 'required',
      maxTokens: 600,
    });
    session.user('Read.');
    await expect(session.send({ stream })).resolves.toMatchObject({ finish: 'calls' });
    expect(viewOf('chatCompletions', fakeOf(way).requests[0], 'cap')).toBe(600);
  });
});
