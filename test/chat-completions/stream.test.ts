import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses } from '../../translators/canonical/loss.js';
import { chatCompletions } from '../../translators/chat-completions/index.js';
import { createStreamTranslator } from '../../translators/index.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';

/** Chunks of one choice. */
function chunks(...deltas: readonly object[]): string {
  return deltas
    .map((delta) => `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta }] })}\n\n`)
    .join('');
}

function decoded(
  text: string,
  server: object = {},
): { readonly events: readonly StreamEvent[]; readonly losses: number } {
  const events: StreamEvent[] = [];
  const losses = createLosses();
  const profile = chatCompletions.target('', { server });
  const decoder = chatCompletions.createStreamDecoder({ losses, domain: 'd', target: profile }, (event) =>
    events.push(event),
  );
  decoder.push(text);
  decoder.end();
  return { events, losses: losses.list.length };
}

/** The parts of the answer that a stream makes. */
function partsOf(text: string, server: object = {}) {
  const fold = createFold('chatCompletions');
  for (const event of decoded(text, server).events) fold.sink(event);
  return { parts: fold.response?.parts ?? [], error: fold.error };
}

describe('reading chunks', () => {
  test('a blank in front of a field is none, and a comment says nothing [H §7.1]', () => {
    const text = `: PROCESSING\n\n ${chunks({ content: 'Hi' })}data: [DONE]\n\n`;
    expect(partsOf(text).parts).toMatchObject([{ kind: 'text', text: 'Hi' }]);
  });

  test.each([
    ['a bare line', 'error: {"code":500,"message":"It broke"}\n\n'],
    ['an event of that name', 'event: error\ndata: {"error":{"message":"It broke","code":"tool_use_failed"}}\n\n'],
    ['an object', 'data: {"error":{"message":"It broke","code":500}}\n\n'],
    ['a list', 'data: [{"error":{"message":"It broke","code":500}}]\n\n'],
    ['a text', 'data: {"error":"It broke"}\n\n'],
    ['a status of its own', 'data: {"base_resp":{"status_code":1004,"status_msg":"It broke"}}\n\n'],
    ['text that is no JSON', 'data: It broke\n\n'],
  ])('an error may come as %s [H §7.5]', (_form, line) => {
    const { error } = partsOf(`${chunks({ content: 'Hi' })}${line}data: [DONE]\n\n`);
    expect(error).toBeDefined();
  });

  test('what follows the last line is ignored', () => {
    const { events } = decoded(`${chunks({ content: 'Hi' })}data: [DONE]\n\ndata: {"error":{"message":"late"}}\n\n`);
    expect(events.at(-1)?.type).toBe('end');
  });

  test('a whole answer where chunks were asked for', () => {
    const message = { role: 'assistant', content: 'Hi' };
    const body = { id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    expect(partsOf(JSON.stringify(body)).parts).toMatchObject([{ kind: 'text', text: 'Hi' }]);
  });

  test('a name in pieces is whole before the call is announced [H §7.3]', () => {
    const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
    const text = chunks(
      call({ id: 'a', function: { name: 'get_' } }),
      call({ function: { name: 'weather' } }),
      call({ function: { arguments: '{}' } }),
    );
    const { events } = decoded(`${text}data: [DONE]\n\n`);
    expect(events.find(({ type }) => type === 'part.start')).toMatchObject({ part: { name: 'get_weather' } });
  });

  test('a text behind a call that is whole does not wait for it', () => {
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const { events } = decoded(`${chunks({ tool_calls: [call] }, { content: 'Hi' })}data: [DONE]\n\n`);
    const seen = events.flatMap((event) => ('ix' in event ? [`${event.type} ${event.ix}`] : []));
    expect(seen.indexOf('part.end 0')).toBeGreaterThan(0);
    expect(seen.indexOf('part.end 0')).toBeLessThan(seen.indexOf('part.start 1'));
  });

  test('thoughts that come while the text is open do not cut it (translation.md 6.7)', () => {
    const text = chunks(
      { reasoning_content: 'A', content: 'x' },
      { reasoning_content: 'B', content: 'y' },
      { reasoning_content: 'C', content: 'z' },
    );
    const { parts } = partsOf(`${text}data: [DONE]\n\n`);
    expect(parts).toMatchObject([
      { kind: 'reasoning', text: ['A'] },
      { kind: 'text', text: 'xyz' },
      { kind: 'reasoning', text: ['BC'] },
    ]);
  });

  test('a text that never closes its thoughts: cut they are thoughts, else they are the answer [H §8.3]', () => {
    const answer = (finish: string) =>
      `${chunks({ content: 'Hm.' })}data: {"choices":[{"index":0,"delta":{},"finish_reason":"${finish}"}]}\n\n`;
    const kinds = (finish: string) =>
      partsOf(answer(finish), { inlineThink: 'forcedOpen' }).parts.map(({ kind }) => kind);
    expect(kinds('length')).toEqual(['reasoning']);
    expect(kinds('stop')).toEqual(['text']);
  });

  test('many calls cost what they hold', () => {
    const growth = growthOf((count) => {
      const calls = Array.from({ length: count }, (_, index) => ({
        tool_calls: [{ index: 0, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{"a"' } }],
      }));
      const text = `${chunks(...calls)}data: [DONE]\n\n`;
      return () => {
        if (partsOf(text).parts.length !== count) throw new Error('calls are missing');
      };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});

describe('writing chunks', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];

  /** The data of the chunks for an answer of Messages with thoughts, a text and a call. */
  function written(request: object): Record<string, unknown>[] {
    const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    const block = (index: number, content_block: object, ...deltas: readonly object[]) =>
      event('content_block_start', { index, content_block }) +
      deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
      event('content_block_stop', { index });
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      usage: { input_tokens: 3 },
    };
    const stream = [
      event('message_start', { message }),
      block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Hm.' },
        { type: 'signature_delta', signature: 'c2ln' },
      ),
      block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }),
      block(
        2,
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
        { type: 'input_json_delta', partial_json: '{"a":1}' },
      ),
      event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } }),
      event('message_stop', {}),
    ].join('');
    const translator = createStreamTranslator({ from: 'messages', to: 'chatCompletions', request });
    const text = translator.push(stream) + translator.end();
    return text
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map((frame) => JSON.parse(frame.slice(6)) as Record<string, unknown>);
  }

  test('pictures come in one list, for of several lists clients keep the last [H §7.4]', () => {
    const inlineData = { mimeType: 'image/png', data: 'AA==' };
    const candidate = { content: { role: 'model', parts: [{ inlineData }, { inlineData }] }, finishReason: 'STOP' };
    const translator = createStreamTranslator({ from: 'generateContent', to: 'chatCompletions' });
    const stream = `data: ${JSON.stringify({ candidates: [candidate] })}\n\n`;
    const lists = (translator.push(stream) + translator.end())
      .split('\n\n')
      .filter((frame) => frame.includes('"images"'));
    expect(lists).toHaveLength(1);
    expect(lists[0]?.match(/image_url":\{/g)).toHaveLength(2);
  });

  test('H-REAS-09: an entry of state comes in one chunk, behind the opening of its call', () => {
    const text = written({ model: 'm', messages: [{ role: 'user', content: 'q' }], tools, stream: true }).map((chunk) =>
      JSON.stringify(chunk),
    );
    const places = text.flatMap((chunk, index) => (chunk.includes('reasoning_details') ? [index] : []));
    expect(places).toHaveLength(1);
    expect(text[(places[0] ?? 0) - 1]).toContain('"id":"toolu_1"');
  });

  test('counts come to clients that asked for them, once and last [H §7.4]', () => {
    const request = { model: 'm', messages: [{ role: 'user', content: 'q' }], tools, stream: true };
    expect(written(request).filter((chunk) => 'usage' in chunk)).toEqual([]);
    const asked = written({ ...request, stream_options: { include_usage: true } });
    expect(asked.map(({ usage }) => usage !== null)).toEqual([...asked.slice(1).map(() => false), true]);
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 7 } });
  });

  test('a client of the older form gets one call in its form [H §4.5]', () => {
    const functions = [{ name: 'f', parameters: { type: 'object', properties: {} } }];
    const text = JSON.stringify(
      written({ model: 'm', messages: [{ role: 'user', content: 'q' }], functions, stream: true }),
    );
    expect(text).toContain('"function_call":{"name":"f","arguments":""}');
    expect(text).toContain('"finish_reason":"function_call"');
    expect(text).not.toContain('tool_calls');
  });
});
