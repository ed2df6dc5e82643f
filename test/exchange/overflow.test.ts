import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createStreamTranslator, readOverflow, translateError } from '../../translators/index.js';
import {
  connectChatCompletions,
  connectGenerateContent,
  connectMessages,
  connectResponses,
} from '../support/clients.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { readData } from '../support/frames.js';
import {
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  vendorsAt,
} from '../support/gateway/harness.js';
import { errorBodyOf } from '../support/hosts/errors.js';

// An input that is too long, as any backend says it, is told to any client in words by which its agents know that they have to compact.

interface Agent {
  readonly agent: string;
  readonly dialects: readonly FakeDialectName[];
  readonly message?: readonly string[];
  readonly exact?: readonly string[];
  readonly code?: readonly string[];
  readonly type?: readonly string[];
  readonly status?: readonly number[];
  readonly counts?: string;
  readonly cap?: string;
}

interface Refusal {
  readonly host: string;
  readonly dialect: FakeDialectName;
  readonly says: string;
  readonly code?: string;
  readonly sizes?: {
    readonly input?: number;
    readonly limit?: number;
    readonly cap?: number;
    readonly estimated?: true;
  };
}

const agents = readData('exchange/overflow-agents.yaml') as unknown as readonly Agent[];
const refusals = readData('exchange/overflow-refusals.yaml') as unknown as readonly Refusal[];

/** What a client reads of an error. */
interface Told {
  /** 0 in a stream. */
  readonly status: number;
  readonly message: string;
  readonly code?: unknown;
  readonly type?: unknown;
}

function recognises(agent: Agent, { status, message, code, type }: Told): boolean {
  const { message: words = [], exact = [], code: codes = [], type: types = [], status: statuses = [] } = agent;
  return (
    words.some((pattern) => new RegExp(pattern, 'i').test(message)) ||
    exact.some((pattern) => new RegExp(pattern).test(message)) ||
    codes.some((known) => known === code) ||
    types.some((known) => known === type) ||
    statuses.includes(status)
  );
}

/** The agents of a dialect that do not know what an error means, by name. */
function blindTo(client: FakeDialectName, told: Told): readonly string[] {
  const speakers = agents.filter(({ dialects }) => dialects.includes(client));
  expect(speakers.length).toBeGreaterThan(1);
  return speakers.filter((agent) => !recognises(agent, told)).map(({ agent }) => agent);
}

function toldBy({ status, body }: { readonly status: number; readonly body: unknown }): Told {
  const { error }: Tree = body;
  return { status, message: error.message, code: error.code, type: error.type };
}

/** The body by which a host refuses. */
function bodyOf({ host, dialect, says, code }: Refusal): Tree {
  const body: Tree = errorBodyOf(host, dialect)(400, says);
  return code === undefined ? body : { ...body, error: { ...body.error, code } };
}

const ROWS = refusals.flatMap((refusal) => FAKE_DIALECTS.map((client) => ({ ...refusal, refusal, client })));

/** An error event of a backend, as the wire sheets have it: [M §5], [R §5.2], [G §5], [H §7.5]. */
const EVENTS: Readonly<Record<FakeDialectName, (refusal: Refusal) => string>> = {
  messages: (refusal) => `event: error\ndata: ${JSON.stringify({ type: 'error', ...bodyOf(refusal) })}\n\n`,
  responses: ({ says, code = null }) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', code, message: says, param: null, sequence_number: 9 })}\n\n`,
  generateContent: (refusal) => `data: ${JSON.stringify(bodyOf(refusal))}\r\n\r\n`,
  chatCompletions(refusal) {
    const body = bodyOf(refusal);
    return `data: ${JSON.stringify(body.error === undefined ? { error: body } : body)}\n\n`;
  },
};

/** The error in the events that a client gets. */
function errorIn(client: FakeDialectName, text: string): Told {
  const data = text
    .split(/\r?\n\r?\n/)
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
    .map((found): Tree => JSON.parse(found));
  const last = client === 'responses' ? data.find(({ type }) => type === 'response.failed')?.response : undefined;
  return toldBy({ status: 0, body: last ?? data.find(({ error }) => error !== undefined) });
}

describe('the sizes in a refusal', () => {
  test.each(refusals)('$host: $says', ({ says, sizes = {} }) => {
    expect(readOverflow(says)).toEqual({ estimated: false, ...sizes });
  });
});

describe.each(ROWS)('$host ($dialect) to $client: $says', ({ refusal, client, dialect, says, sizes = {} }) => {
  test('is known by every agent, whole', () => {
    const told = toldBy(translateError({ from: dialect, to: client, status: 400, body: bodyOf(refusal) }));
    // What is of the client's own dialect is relayed.
    const blind = client === dialect ? [] : blindTo(client, told);
    expect([told.status, blind]).toEqual([400, []]);
    expect(told.message).toContain(says);
  });

  test.each([false, true])('is known in a stream that had begun: %s', (begun) => {
    const stream = createStreamTranslator({ from: dialect, to: client, model: 'm' });
    const [first = ''] = FRAMES[dialect]('The answer');
    const text = stream.push(`${begun ? first : ''}${EVENTS[dialect](refusal)}`) + stream.end();
    // What is relayed stays as it came.
    if (dialect === client) expect(text).toContain(JSON.stringify(says));
    else expect(blindTo(client, errorIn(client, text))).toEqual([]);
  });

  test('has the counts that Claude Code compacts by', () => {
    if (client !== 'messages') return;
    const { message } = toldBy(translateError({ from: dialect, to: client, status: 400, body: bodyOf(refusal) }));
    const [{ counts = '', cap: caps = '' } = {}] = agents;
    const { input = 0, limit, cap } = sizes;
    if (limit === undefined || input === 0) return;
    if (input > limit) expect(new RegExp(counts, 'i').exec(message)?.slice(1).map(Number)).toEqual([input, limit]);
    else expect(new RegExp(caps).exec(message)?.slice(1).map(Number)).toEqual([input, cap, limit]);
  });
});

test('a sentence of ours is not put in front of itself', () => {
  const says = 'request (25000 tokens) exceeds the available context size (20000 tokens), try increasing it';
  const first = errorBodyOf('llamacpp', 'chatCompletions')(400, says);
  const second = translateError({ from: 'chatCompletions', to: 'responses', status: 400, body: first });
  const third = translateError({ from: 'responses', to: 'chatCompletions', status: 400, body: second.body });
  expect(toldBy(third).message).toBe(
    `Your input exceeds the context window of this model: this model's maximum context length is 20000 tokens, and it has 25000 input tokens. | ${says}`,
  );
});

describe('through a gateway', () => {
  let recorder: Recorder;
  let gateway: TestGateway;
  beforeAll(async () => {
    recorder = await startRecorder();
    gateway = await startGateway(vendorsAt(recorder.url));
  });
  afterAll(() => Promise.all([gateway.close(), recorder.close()]));

  type Way = 'whole' | 'streamed' | 'first event' | 'behind text';
  const WAYS: readonly Way[] = ['whole', 'streamed', 'first event', 'behind text'];

  function refuse(refusal: Refusal, way: Way): void {
    const { dialect } = refusal;
    recorder.reply = (response) => {
      if (way === 'whole' || way === 'streamed') return json(response, 400, bodyOf(refusal));
      response.writeHead(200, EVENT_STREAM);
      const begun = way === 'behind text' ? FRAMES[dialect]('The answer').slice(0, 3).join('') : '';
      response.end(begun + EVENTS[dialect](refusal));
    };
  }

  /** What the official client of a dialect throws. */
  const ASKED: Readonly<Record<FakeDialectName, (model: string, stream: boolean) => Promise<unknown>>> = {
    async messages(model, stream) {
      const body = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] };
      const { messages } = connectMessages(gateway.url);
      if (!stream) return messages.create(body);
      for await (const _event of await messages.create({ ...body, stream: true }));
      return undefined;
    },
    async responses(model, stream) {
      const { responses } = connectResponses(gateway.url);
      if (!stream) return responses.create({ model, input: 'Hello' });
      let failed: unknown;
      for await (const event of await responses.create({ model, input: 'Hello', stream: true }))
        if (event.type === 'response.failed') failed = event.response.error;
      throw failed;
    },
    async generateContent(model, stream) {
      const { models } = connectGenerateContent(gateway.url);
      const body = { model, contents: 'Hello' };
      if (!stream) return models.generateContent(body);
      for await (const _chunk of await models.generateContentStream(body));
      return undefined;
    },
    async chatCompletions(model, stream) {
      const { completions } = connectChatCompletions(gateway.url).chat;
      const messages = [{ role: 'user' as const, content: 'Hello' }];
      if (!stream) return completions.create({ model, messages });
      for await (const _chunk of await completions.create({ model, messages, stream: true }));
      return undefined;
    },
  };

  const cases = FAKE_DIALECTS.flatMap((client) =>
    FAKE_DIALECTS.flatMap((dialect) => WAYS.map((way) => ({ client, dialect, way }))),
  ).filter(({ client, dialect }) => client !== dialect);

  test.each(cases)('$way, a client of $client gets what $dialect said', async ({ client, dialect, way }) => {
    const refusal = refusals.find((row) => row.dialect === dialect);
    if (refusal === undefined) throw new Error('there is no such refusal');
    refuse(refusal, way);
    const thrown: Tree = await ASKED[client](dialect, way !== 'whole').catch((error: unknown) => error);
    const status = way === 'behind text' ? 0 : 400;
    // One client prints the whole body in the place of the message, and agents that are no JavaScript read that.
    const { message, code, type }: Told = thrown.error?.error ?? thrown;
    expect(blindTo(client, { status, message, code, type })).toEqual([]);
    expect(message).toContain(refusal.says);
    if (status === 400) expect(thrown.status).toBe(400);
  });
});
