import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import { responses } from '../../translators/responses/index.js';
import { decodeCarrier } from '../../translators/wire/carrier.js';
import { recordedExchanges } from '../support/corpus.js';
import { share } from '../support/runs.js';
import { SCENARIOS } from './scenarios.js';
import { accumulate, answering, type Frame, foldEvents, framesOf, writeStream } from './sdk.js';

/** Checks every rule of the sheet that holds for any stream; gives the terminal response. */
function checkGrammar(frames: readonly Frame[]): JsonObject {
  const items = new Map<number, JsonObject>();
  const done = new Map<number, JsonObject>();
  const ids = new Set<string>();
  frames.forEach(({ name, data }, position) => {
    expect(data.type).toBe(name);
    expect(data.sequence_number).toBe(position);
    if (name === 'response.output_item.added') {
      expect(data.output_index).toBe(items.size);
      expect(items.size).toBe(done.size);
      const item = Object(data.item);
      expect(ids.has(item.id)).toBe(false);
      ids.add(item.id);
      items.set(items.size, item);
    } else if (name === 'response.output_item.done') {
      const added = items.get(Number(data.output_index));
      expect(data.item).toMatchObject({ id: added?.id, type: added?.type });
      done.set(Number(data.output_index), Object(data.item));
    } else if (data.item_id !== undefined) {
      expect(data.item_id).toBe(items.get(Number(data.output_index))?.id);
      expect(done.has(Number(data.output_index))).toBe(false);
    }
  });
  expect(frames[0]?.name).toBe('response.created');
  expect(frames[1]?.name).toBe('response.in_progress');
  const terminals = frames.filter(({ name }) => /^response\.(completed|incomplete|failed)$/.test(name));
  expect(terminals).toHaveLength(1);
  expect(frames.at(-1)).toBe(terminals[0]);
  const response = Object(terminals[0]?.data.response);
  expect(response.output.map(withoutAnnotations)).toEqual([...done.values()].map(withoutAnnotations));
  for (const { data } of frames) if (data.response !== undefined) expect(Object(data.response).id).toBe(response.id);
  return response;
}

/** A citation that comes after its text is closed stands in the last event only. */
function withoutAnnotations(item: unknown): unknown {
  return JSON.parse(JSON.stringify(item, (key, value) => (key === 'annotations' ? [] : value)));
}

/** Every item closes with these; hosted ones with the words of their family. */
describe('streams for a client', () => {
  for (const [turn, [name, events]] of Object.entries(SCENARIOS).entries()) {
    describe(name, () => {
      test('keeps the grammar', () => {
        checkGrammar(framesOf(writeStream(events)));
      });

      test('ends in what the plain answer says', () => {
        const response = checkGrammar(framesOf(writeStream(events)));
        const plain = responses.encodeResponse(foldEvents(events), answering());
        expect(response).toEqual(JSON.parse(JSON.stringify(plain)));
      });

      test('is understood by the official client', async () => {
        const text = writeStream(events);
        const { output_text: _text, ...response } = await accumulate(text);
        expect(parsed(response)).toEqual(checkGrammar(framesOf(text)));
      });

      test('bears a heartbeat at any moment', async () => {
        const text = writeStream(events, answering(), true);
        const plain = await accumulate(writeStream(events));
        expect(await accumulate(text)).toEqual(plain);
        expect(framesOf(text).map(({ data }) => data.sequence_number)).toEqual(
          framesOf(text).map((_, position) => position),
        );
      });

      test('fails truthfully at any moment', async () => {
        const cuts = Array.from({ length: Math.max(0, events.length - 2) }, (_, index) => index + 1);
        for (const cut of share(cuts, turn)) {
          const broken: StreamEvent[] = [
            ...events.slice(0, cut),
            { type: 'error', error: { kind: 'overloaded', message: 'later' } },
          ];
          const text = writeStream([...broken, ...events.slice(cut)]);
          const frames = framesOf(text);
          const response = checkGrammar(frames);
          expect(response).toMatchObject({
            status: 'failed',
            error: { code: 'server_is_overloaded', message: 'later' },
          });
          expect(frames.at(-2)).toMatchObject({
            name: 'error',
            data: {
              error: { type: 'server_error', code: 'server_is_overloaded', message: 'later', param: null },
              code: 'server_is_overloaded',
              message: 'later',
              param: null,
            },
          });
          await expect(accumulate(text)).rejects.toThrow('later');
        }
      });
    });
  }

  /** The client library adds parsed fields for its own users. */
  function parsed(response: JsonObject): unknown {
    return JSON.parse(
      JSON.stringify(response, (key, value) =>
        key === 'parsed' || key === 'parsed_arguments' || key === 'output_parsed' ? undefined : value,
      ),
    );
  }
});

describe('recorded streams, read and written again', () => {
  for (const { name, stream: bytes } of recordedExchanges('responses')) {
    const stream = bytes?.toString();
    if (stream === undefined || /event: error/.test(stream)) continue;
    if (stream.split('"response.created"').length > 3) continue;
    test(name, async () => {
      const events: StreamEvent[] = [];
      const decoder = responses.createStreamDecoder({ losses: createLosses(), domain: 'd' }, (event) =>
        events.push(event),
      );
      decoder.push(stream);
      decoder.end();
      const context = answering({ model: undefined });
      const text = writeStream(events, context);
      const response = await accumulate(text);
      const plain = JSON.parse(JSON.stringify(responses.encodeResponse(foldEvents(events, 'responses'), context)));
      expect(response).toMatchObject({ id: plain.id, status: plain.status, output: plain.output });
      expect(context.losses.list).toEqual([]);
    });
  }
});

describe('carriers', () => {
  function reasoningItems(name: string): JsonObject[] {
    const response = Object(framesOf(writeStream(SCENARIOS[name] ?? [])).at(-1)?.data.response);
    return response.output.filter((item: JsonObject) => item.type === 'reasoning');
  }
  const kinds = (item: JsonObject | undefined): unknown[] =>
    decodeCarrier(String(item?.encrypted_content))?.entries.map(({ kind, payload, on }) => [kind, payload, on]) ?? [];

  test('reasoning carries the node it came from', () => {
    const [item, ...others] = reasoningItems('reasoning with state');
    expect(others).toEqual([]);
    expect(item?.summary).toEqual([
      { type: 'summary_text', text: 'one' },
      { type: 'summary_text', text: 'two' },
    ]);
    expect(kinds(item)).toEqual([['reasoning', '{"type":"thinking"}', undefined]]);
  });

  test('reasoning without state says so', () => {
    expect(kinds(reasoningItems('reasoning without state')[0])).toEqual([['none', '', undefined]]);
  });

  test('the signature of a call joins the thought before it', () => {
    const items = reasoningItems('a signed call behind a thought');
    expect(items).toHaveLength(1);
    expect(kinds(items[0])).toEqual([['signature', 'SIG', 'call']]);
  });

  test('a signature without a thought gets an item directly before its part', () => {
    const response = Object(framesOf(writeStream(SCENARIOS['a signed call of its own'] ?? [])).at(-1)?.data.response);
    expect(response.output.map((item: JsonObject) => item.type)).toEqual(['message', 'reasoning', 'function_call']);
  });

  test('trailing state is not lost', () => {
    expect(kinds(reasoningItems('a signature at the very end')[0])).toEqual([['signature', 'SIG', 'empty']]);
  });

  test('the state of a hosted pair stands right behind it', () => {
    const response = Object(framesOf(writeStream(SCENARIOS['web search with state'] ?? [])).at(-1)?.data.response);
    expect(response.output.map((item: JsonObject) => item.type)).toEqual(['web_search_call', 'reasoning', 'message']);
    expect(kinds(response.output[1])).toEqual([['hosted', '[{},{}]', undefined]]);
  });
});

describe('single frames', () => {
  const names = (scenario: string): string[] =>
    framesOf(writeStream(SCENARIOS[scenario] ?? [])).map(({ name }) => name);

  test('annotations count code points and come after their words', () => {
    const frames = framesOf(writeStream(SCENARIOS['citations beside the text'] ?? []));
    const added = frames.filter(({ name }) => name === 'response.output_text.annotation.added');
    expect(added.map(({ data }) => [data.annotation_index, data.annotation])).toEqual([
      [0, { type: 'url_citation', url: 'https://a', title: 'A', start_index: 3, end_index: 5 }],
      [1, { type: 'file_citation', file_id: '', filename: 'Doc', index: 14 }],
    ]);
  });

  test('the families of hosted calls have their own words', () => {
    expect(names('code was run').slice(2, 10)).toEqual([
      'response.output_item.added',
      'response.code_interpreter_call.in_progress',
      'response.code_interpreter_call_code.delta',
      'response.code_interpreter_call_code.delta',
      'response.code_interpreter_call_code.done',
      'response.code_interpreter_call.interpreting',
      'response.code_interpreter_call.completed',
      'response.output_item.done',
    ]);
    expect(names('web search with state').slice(2, 7)).toEqual([
      'response.output_item.added',
      'response.web_search_call.in_progress',
      'response.web_search_call.searching',
      'response.web_search_call.completed',
      'response.output_item.done',
    ]);
    expect(names('a server tool')).toEqual(
      expect.arrayContaining(['response.mcp_call.completed', 'response.mcp_call.failed']),
    );
  });

  test('losses found on the way stand in comments before the last event', () => {
    const text = writeStream(SCENARIOS['a hosted tool without counterpart'] ?? []);
    const at = text.indexOf(': interlingua-loss {"path":"","feature":"hosted.call","kind":"dropped"');
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(text.indexOf('event: response.completed'));
  });

  test('silence before the start is filled with a comment, after the end with nothing', () => {
    const encoder = responses.createStreamEncoder(answering());
    expect(encoder.heartbeat()).toMatch(/^: .*\n\n$/);
    for (const event of SCENARIOS['one text'] ?? []) encoder.encode(event);
    expect(encoder.heartbeat()).toBe('');
    expect(encoder.encode({ type: 'error', error: { kind: 'internal', message: 'x' } })).toBe('');
  });

  test('the answer shows the settings of the client', () => {
    const requestBody = {
      model: 'asked-for',
      input: 'q',
      instructions: 'be brief',
      temperature: 0.5,
      max_output_tokens: 99,
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
      tool_choice: { type: 'function', name: 'f' },
      reasoning: { effort: 'high' },
      text: { format: { type: 'json_object' } },
      metadata: { a: 'b' },
      parallel_tool_calls: false,
    };
    const frames = framesOf(writeStream(SCENARIOS['one text'] ?? [], answering({ requestBody })));
    for (const { data } of frames.filter(({ data: { response } }) => response !== undefined)) {
      expect(data.response).toMatchObject({
        ...{
          instructions: 'be brief',
          temperature: 0.5,
          max_output_tokens: 99,
          model: 'asked-for',
          metadata: { a: 'b' },
        },
        tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }],
        tool_choice: { type: 'function', name: 'f' },
        reasoning: { effort: 'high', summary: null },
        text: { format: { type: 'json_object' }, verbosity: 'medium' },
        parallel_tool_calls: false,
      });
    }
  });
});
