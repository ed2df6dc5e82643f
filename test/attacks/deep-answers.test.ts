import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLosses, dialects, translateRequest } from '../../translators/index.js';
import { CALLED } from '../support/answers.js';
import {
  AS_SDKS,
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  likeVendor,
  messageOf,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { CROSS_PAIRS, PAIRS } from '../support/pairs.js';

/** JSON of a backend, or in a text, that nests more deeply than requests may (attacks.md finding 20). */

const DEPTH = 9000;
const DEEP = `${'{"a":['.repeat(DEPTH / 2)}${']}'.repeat(DEPTH / 2)}`;

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: {
      ...Object.fromEntries(
        DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl: recorder.url, breaker: false }]),
      ),
      tool: { dialect: 'responses', images: 'responses', baseUrl: recorder.url, breaker: false },
    },
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
      'gpt-image-1': { backend: 'responses' },
      'gpt-image-1-mini': { backend: 'tool', model: 'gpt-text' },
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

function answer(status: number, text: string, type = 'application/json'): void {
  recorder.reply = (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  };
}

/** The JSON text of an object with a further member. */
function withMember(value: object, name: string, text: string): string {
  return `${JSON.stringify(value).slice(0, -1)},"${name}":${text}}`;
}

describe.each(PAIRS)('to a client of %s, from %s', (client, backend) => {
  test('a whole answer is a failure of the backend', async () => {
    const { path, body } = ASK[client](backend);
    for (const text of [
      withMember(WHOLE[backend]('Yes.'), 'unknown', DEEP),
      // OpenAI gives arguments as text.
      backend === 'responses' || backend === 'chatCompletions' ? '' : CALLED[backend](DEEP),
    ]) {
      if (text === '') continue;
      answer(200, text);
      const got = await send(gateway.url, path, { body });
      expect([got.status, messageOf(client, got.body)]).toEqual([
        client === 'generateContent' ? 503 : 502,
        'the backend sent an answer that is nested more than 128 levels deep (limits.jsonDepth)',
      ]);
    }
  });

  test('an error keeps its status', async () => {
    const error = {
      type: 'error',
      error: { type: 'invalid_request_error', code: 400, status: 'INVALID_ARGUMENT', message: 'no' },
    };
    answer(400, withMember(error, 'details', DEEP));
    const { path, body } = ASK[client](backend);
    const got = await send(gateway.url, path, { body });
    expect(got.status).toBe(400);
    messageOf(client, got.body);
  });
});

describe.each(CROSS_PAIRS)('to a client of %s, from %s, translated', (client, backend) => {
  test('a stream ends in an error that names the bound', async () => {
    const frames = FRAMES[backend]('Yes, indeed.');
    const at = frames.findIndex((frame) => frame.includes('indeed'));
    const frame = frames[at] ?? '';
    frames[at] = frame.replace(/\}(\s*)$/, `,"unknown":${DEEP}}$1`);
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(frames.slice(0, at).join(''));
      setTimeout(() => response.end(frames.slice(at).join('')), 100);
    };
    const { path, body } = STREAM[client](backend);
    const got = await send(gateway.url, path, { body, ...AS_SDKS });
    expect(got.status).toBe(200);
    expect(got.text).toContain('Yes');
    expect(got.text).not.toContain('indeed');
    expect(got.text).toContain('the backend sent an event that is nested more than 128 levels deep');
  });
});

test.each(DIALECTS)('a stream of %s that is relayed is passed on as it came', async (dialect) => {
  const frames = FRAMES[dialect]('Yes, indeed.').map((frame) => frame.replace(/\}(\s*)$/, `,"unknown":${DEEP}}$1`));
  answer(200, frames.join(''), EVENT_STREAM['content-type']);
  const { path, body } = STREAM[dialect](dialect);
  const got = await send(gateway.url, path, { body });
  expect(got.status).toBe(200);
  expect(got.text.startsWith(frames.slice(0, -1).join(''))).toBe(true);
  expect(got.text).toContain('indeed');
});

describe('arguments that are a text', () => {
  test.each(['messages', 'generateContent'] as const)('stay one in an answer for %s', async (client) => {
    answer(200, CALLED.responses(DEEP));
    const { path, body } = ASK[client]('responses');
    const got = await send(gateway.url, path, { body });
    expect(got.status).toBe(200);
    const call =
      client === 'messages' ? got.body.content[0].input : got.body.candidates[0].content.parts[0].functionCall.args;
    expect(call).toEqual({ _raw_arguments: DEEP });
  });

  test.each(['messages', 'generateContent'] as const)('stay one in a stream for %s', async (client) => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '' };
    const whole = { ...WHOLE.responses(''), output: [{ ...item, arguments: DEEP, status: 'completed' }] };
    const events = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta: DEEP },
      {
        type: 'response.function_call_arguments.done',
        output_index: 0,
        item_id: 'fc_1',
        name: 'look',
        arguments: DEEP,
      },
      { type: 'response.output_item.done', output_index: 0, item: whole.output[0] },
      { type: 'response.completed', response: whole },
    ];
    const text = events.map((event, sequence_number) => `data: ${JSON.stringify({ ...event, sequence_number })}\n\n`);
    answer(200, text.join(''), EVENT_STREAM['content-type']);
    const { path, body } = STREAM[client]('responses');
    const got = await send(gateway.url, path, { body });
    expect(got.status).toBe(200);
    expect(got.text).not.toMatch(/"error"/);
    // As it is in pieces of a text, and in one member of an object.
    expect(got.text).toContain(JSON.stringify(DEEP));
  });

  test.each(['messages', 'generateContent'] as const)('stay one in a request to %s', (to) => {
    const input = [
      { role: 'user', content: 'x' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: DEEP },
      { type: 'function_call_output', call_id: 'call_1', output: 'r' },
    ];
    const { body } = translateRequest({ from: 'responses', to, body: { model: 'm', input } });
    expect(JSON.stringify(body)).toContain(JSON.stringify({ _raw_arguments: DEEP }));
  });

  describe.each([
    [299, false],
    [300, true],
  ])('nesting 300 levels with a bound of %s', (jsonDepth, read) => {
    const args = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
    const shown = read ? `:${args}` : JSON.stringify({ _raw_arguments: args });
    let raised: TestGateway;
    beforeAll(async () => {
      raised = await startGateway({
        backends: Object.fromEntries(
          DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl: recorder.url, breaker: false }]),
        ),
        models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
        limits: { jsonDepth },
      });
    });
    afterAll(() => raised.close());

    test.each(['messages', 'generateContent'] as const)('are read in an answer for %s', async (client) => {
      answer(200, CALLED.responses(args));
      const { path, body } = ASK[client]('responses');
      expect((await send(raised.url, path, { body })).text).toContain(shown);
    });

    test.each(['messages', 'generateContent'] as const)('are read in a request to %s', async (backend) => {
      recorder.reply = (response) => json(response, 200, WHOLE[backend]('Yes.'));
      const { path, body } = ASK.responses(backend, {
        input: [
          { role: 'user', content: 'x' },
          { type: 'function_call', call_id: 'call_1', name: 'look', arguments: args },
          { type: 'function_call_output', call_id: 'call_1', output: 'r' },
        ],
      });
      expect((await send(raised.url, path, { body })).status).toBe(200);
      expect(recorder.seen.at(-1)?.body).toContain(shown);
    });
  });

  /** The arguments of a call of generateContent that come in pieces. */
  function joined(partialArgs: object[]): string {
    const parts = [{ functionCall: { name: 'look', partialArgs } }];
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
    const answered = { ...WHOLE.generateContent(''), candidates };
    const read = dialects.generateContent.decodeResponse(answered, { losses: createLosses(), domain: 'd' });
    const [part] = read.parts;
    return JSON.stringify(part?.kind === 'call' ? part.args.value : undefined);
  }

  test('and come in pieces of a path nest as deeply as they may, and no deeper', () => {
    const at = (jsonPath: string) => ({ jsonPath, stringValue: 'x' });
    expect(joined([at('$.near'), at(`$${'.a'.repeat(DEPTH)}`), at(`$.b${'[0]'.repeat(DEPTH)}`)])).toBe('{"near":"x"}');
    expect(joined([at(`$${'.a'.repeat(128)}`)])).toBe(`${'{"a":'.repeat(128)}"x"${'}'.repeat(128)}`);
  });

  test('and come in pieces far apart hold little more than the pieces', () => {
    const far = Array.from({ length: 2000 }, (_, index) => ({
      jsonPath: `$.a[${1000 * (index + 1)}]`,
      numberValue: 1,
    }));
    // Each of them left a thousand entries empty.
    expect(joined(far).length).toBeLessThan(10_000);
    expect(joined([{ jsonPath: '$.a[2]', numberValue: 1 }])).toBe('{"a":[null,null,1]}');
  });
});

describe('pictures', () => {
  const path = '/v1/images/generations';

  test('in a whole answer', async () => {
    answer(200, withMember({ created: 1, data: [{ b64_json: 'QUJD' }] }, 'unknown', DEEP));
    for (const model of ['gpt-image-1', 'gpt-image-1-mini']) {
      const got = await send(gateway.url, path, { body: { model, prompt: 'x' } });
      expect([got.status, got.body.error.message]).toEqual([
        502,
        'the backend sent an answer that is nested more than 128 levels deep (limits.jsonDepth)',
      ]);
    }
  });

  test('in a stream', async () => {
    const frame = withMember({ type: 'response.completed', response: WHOLE.responses('') }, 'unknown', DEEP);
    answer(200, `event: response.completed\ndata: ${frame}\n\n`, EVENT_STREAM['content-type']);
    const got = await send(gateway.url, path, { body: { model: 'gpt-image-1-mini', prompt: 'x', stream: true } });
    expect(got.status).toBe(502);
    expect(got.body.error.message).toBe('the backend sent an event that is nested more than 128 levels deep');
  });
});
