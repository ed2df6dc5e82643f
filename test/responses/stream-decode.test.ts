import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import { responses } from '../../translators/responses/index.js';

function decode(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const decoder = responses.createStreamDecoder({ losses: createLosses(), domain: 'd' }, (event) => events.push(event));
  decoder.push(text);
  decoder.end();
  return events;
}

function sse(...events: readonly JsonObject[]): string {
  return events
    .map(
      (event, index) =>
        `event: ${String(event.type)}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`,
    )
    .join('');
}

function fold(events: readonly StreamEvent[]): CanonicalResponse | undefined {
  const folded = createFold('responses');
  events.forEach(folded.sink);
  return folded.response;
}

const created = {
  type: 'response.created',
  response: { id: 'r', object: 'response', model: 'm', created_at: 5, status: 'in_progress', output: [], usage: null },
};
const completed = (output: readonly JsonObject[] = [], more: JsonObject = {}): JsonObject => ({
  type: 'response.completed',
  response: {
    id: 'r',
    object: 'response',
    model: 'm',
    status: 'completed',
    output,
    usage: { input_tokens: 3, output_tokens: 4 },
    ...more,
  },
});
const added = (output_index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (output_index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const message = (text: string): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const delta = (text: string, item_id = 'msg_1'): JsonObject => ({
  type: 'response.output_text.delta',
  output_index: 0,
  content_index: 0,
  item_id,
  delta: text,
});
const opened = [
  created,
  added(0, { ...message(''), content: [] }),
  { type: 'response.content_part.added', output_index: 0, content_index: 0, part: { type: 'output_text', text: '' } },
];

const deltas = (events: readonly StreamEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'part.delta' ? [event.value] : []));

describe('what emitters do', () => {
  test('item ids that rotate', () => {
    const events = decode(
      sse(
        ...opened,
        delta('a', 'x'),
        delta('b', 'y'),
        done(0, { ...message('ab'), id: 'z' }),
        completed([message('ab')]),
      ),
    );
    expect(deltas(events)).toEqual(['a', 'b']);
    expect(fold(events)?.parts).toMatchObject([{ kind: 'text', text: 'ab' }]);
  });

  test('a whole that says more than its pieces is completed', () => {
    const events = decode(sse(...opened, delta('a'), done(0, message('abc')), completed([message('abc')])));
    expect(deltas(events)).toEqual(['a', 'bc']);
  });

  test('a whole that says something else wins', () => {
    const events = decode(sse(...opened, delta('xyz'), done(0, message('abc')), completed([message('abc')])));
    expect(deltas(events)).toEqual(['xyz']);
    expect(fold(events)?.parts).toMatchObject([{ text: 'abc' }]);
  });

  test('parts that were never announced', () => {
    const events = decode(sse(created, added(0, message('')), delta('a'), completed([message('a')])));
    expect(fold(events)?.parts).toMatchObject([{ text: 'a' }]);
    expect(fold(decode(sse(created, completed([message('a')]))))?.parts).toMatchObject([{ text: 'a' }]);
  });

  test('an item that ended without being announced, and gaps in the indexes', () => {
    const call = { id: 'fc', type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' };
    const events = decode(
      sse(...opened, delta('a'), done(0, message('a')), done(4, call), completed([message('a'), call])),
    );
    expect(fold(events)?.parts).toMatchObject([{ kind: 'text' }, { kind: 'call', callId: 'c' }]);
  });

  test('events without names, lines of another kind, keepalives and an end mark', () => {
    const text = sse(...opened, delta('a'), { type: 'keepalive' }, completed([message('a')]))
      .replaceAll(/event: .*\n/g, '')
      .replaceAll('\n', '\r\n');
    expect(fold(decode(`: hi\r\n\r\n${text}data: [DONE]\r\n\r\n`))?.parts).toMatchObject([{ text: 'a' }]);
  });

  test('a stream that begins in the middle', () => {
    const events = decode(sse(...opened.slice(1), delta('a'), completed([message('a')])));
    expect(events[0]).toMatchObject({ type: 'start', id: '' });
    expect(fold(events)?.parts).toMatchObject([{ text: 'a' }]);
  });

  test('an answer that was not streamed', () => {
    const events = decode(JSON.stringify(completed([message('a')]).response));
    expect(fold(events)).toMatchObject({ id: 'r', parts: [{ text: 'a' }], finish: { kind: 'end' } });
  });

  test('events nobody knows are passed on unless they speak of an item', () => {
    const events = decode(
      sse(created, { type: 'response.novel', a: 1 }, { type: 'response.novel.delta', output_index: 0 }, completed()),
    );
    expect(events.filter((event) => event.type === 'opaque')).toMatchObject([
      { name: 'response.novel', raw: { a: 1 } },
    ]);
  });

  test('items of the service of which nobody else knows come whole', () => {
    const list = { id: 'mcpl', type: 'mcp_list_tools', server_label: 's', tools: [] };
    const events = decode(
      sse(
        created,
        added(0, list),
        { type: 'response.mcp_list_tools.in_progress', output_index: 0 },
        completed([{ ...list, tools: [1] }]),
      ),
    );
    expect(fold(events)?.parts).toMatchObject([{ kind: 'opaque', type: 'mcp_list_tools', raw: { tools: [1] } }]);
  });
});

describe('parts', () => {
  test('a call begins without arguments and ends with all of them', () => {
    const call = { id: 'fc', type: 'function_call', call_id: 'c', name: 'f', arguments: '', status: 'in_progress' };
    const piece = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a":' };
    const events = decode(
      sse(created, added(0, call), piece, done(0, { ...call, arguments: '{"a":1}', status: 'completed' }), completed()),
    );
    expect(events.slice(1, 5)).toMatchObject([
      { type: 'part.start', ix: 0, part: { kind: 'call', callId: 'c', name: 'f', args: { value: {} } } },
      { type: 'part.delta', op: 'args', value: '{"a":' },
      { type: 'part.delta', op: 'args', value: '1}' },
      { type: 'part.end', part: { args: { text: '{"a":1}' } } },
    ]);
    expect(fold(events)?.finish).toMatchObject({ kind: 'tool_use', raw: 'completed', dialect: 'responses' });
  });

  test('reasoning takes its state from the end of the item', () => {
    const item = { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'partial' };
    const whole = { ...item, summary: [{ type: 'summary_text', text: 'ab' }], encrypted_content: 'final' };
    const events = decode(
      sse(
        created,
        added(0, item),
        { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'a' },
        done(0, whole),
        completed([whole]),
      ),
    );
    expect(events).toContainEqual({
      type: 'part.state',
      ix: 0,
      entries: [{ dialect: 'responses', domain: 'd', kind: 'reasoning', payload: JSON.stringify(whole) }],
    });
    expect(deltas(events)).toEqual(['a', 'b']);
  });

  test('a hosted call and its result are two parts of one item', () => {
    const item = { id: 'ws', type: 'web_search_call', status: 'in_progress' };
    const whole = { ...item, status: 'completed', action: { type: 'search', query: 'q' } };
    const events = decode(
      sse(
        created,
        added(0, item),
        { type: 'response.web_search_call.searching', output_index: 0 },
        done(0, whole),
        completed([whole]),
      ),
    );
    expect(events.slice(1, -3).map((event) => [event.type, 'part' in event ? event.part.kind : ''])).toEqual([
      ['part.start', 'hostedCall'],
      ['part.end', 'hostedCall'],
      ['part.start', 'hostedResult'],
      ['part.state', ''],
      ['part.end', 'hostedResult'],
    ]);
    expect(fold(events)?.parts).toMatchObject([
      { input: { action: 'search', query: 'q' } },
      { state: [{ kind: 'hosted', payload: JSON.stringify(whole) }] },
    ]);
  });

  test('code comes in pieces', () => {
    const item = {
      id: 'ci',
      type: 'code_interpreter_call',
      status: 'in_progress',
      code: '',
      container_id: 'c',
      outputs: null,
    };
    const whole = {
      ...item,
      status: 'completed',
      code: 'print(1)',
      outputs: [
        { type: 'logs', logs: '1' },
        { type: 'image', url: 'u' },
      ],
    };
    const events = decode(
      sse(
        created,
        added(0, item),
        { type: 'response.code_interpreter_call_code.delta', output_index: 0, delta: 'print' },
        done(0, whole),
        completed([whole]),
      ),
    );
    expect(events).toContainEqual({ type: 'part.delta', ix: 0, op: 'code', value: 'print' });
    expect(fold(events)?.parts).toMatchObject([
      { input: { code: 'print(1)', containerId: 'c' } },
      { output: { stdout: '1', files: [{ type: 'image', url: 'u' }] } },
    ]);
  });

  test('a citation counts code points of its text', () => {
    const annotation = { type: 'url_citation', url: 'https://a', title: 'A', start_index: 1, end_index: 3 };
    const item = { ...message('😀ab'), content: [{ type: 'output_text', text: '😀ab', annotations: [annotation] }] };
    const events = decode(
      sse(
        ...opened,
        delta('😀ab'),
        {
          type: 'response.output_text.annotation.added',
          output_index: 0,
          content_index: 0,
          annotation_index: 0,
          annotation,
        },
        done(0, item),
        completed([item]),
      ),
    );
    expect(events.find((event) => event.type === 'part.citation')).toMatchObject({
      citation: { source: 'web', span: { start: 2, end: 4 } },
    });
    expect(fold(events)?.parts).toMatchObject([{ citations: [{ span: { start: 2, end: 4 } }] }]);
  });
});

describe('ends', () => {
  const lastOf = (...events: readonly JsonObject[]): StreamEvent | undefined => decode(sse(created, ...events)).at(-1);
  const failed = (error: JsonObject, output: readonly JsonObject[] = []): JsonObject => ({
    type: 'response.failed',
    response: { id: 'r', object: 'response', model: 'm', status: 'failed', error, output, usage: null },
  });

  test('nothing is an end but the last word', () => {
    expect(lastOf()).toMatchObject({ type: 'error', error: { kind: 'upstream', code: 'upstream_incomplete' } });
    expect(decode('')).toMatchObject([{ type: 'error' }]);
    expect(decode('<html>bad gateway</html>')).toMatchObject([{ type: 'error' }]);
    expect(decode('data: nonsense\n\n')).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
  });

  test('nothing follows the last word', () => {
    const events = decode(sse(created, completed(), completed(), { type: 'error', message: 'x' }));
    expect(events.filter((event) => event.type === 'end' || event.type === 'error')).toHaveLength(1);
  });

  test('incomplete answers say why', () => {
    const cut = (reason: string): StreamEvent | undefined =>
      decode(
        sse(created, {
          type: 'response.incomplete',
          response: { ...(completed().response as JsonObject), status: 'incomplete', incomplete_details: { reason } },
        }),
      ).find((event) => event.type === 'finish');
    expect(cut('max_output_tokens')).toMatchObject({ finish: { kind: 'max_tokens', raw: 'max_output_tokens' } });
    expect(cut('content_filter')).toMatchObject({ finish: { kind: 'filter' } });
    expect(cut('steered')).toMatchObject({ finish: { kind: 'other', raw: 'steered' } });
  });

  test('errors come nested and flat; the first is the one', () => {
    expect(
      lastOf({
        type: 'error',
        error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'm', param: null },
      }),
    ).toMatchObject({
      error: { kind: 'billing', message: 'm' },
    });
    expect(lastOf({ type: 'error', code: 'rate_limit_exceeded', message: 'slow', param: null })).toMatchObject({
      error: { kind: 'rate_limit' },
    });
    expect(lastOf({ type: 'error', code: 'a', message: 'one' }, failed({ code: 'b', message: 'two' }))).toMatchObject({
      error: { code: 'a' },
    });
    expect(lastOf(failed({ code: 'server_error', message: 'x' }))).toMatchObject({
      type: 'error',
      error: { kind: 'internal', code: 'server_error' },
    });
  });

  test('a window that was full is an end once there was output, a fault before', () => {
    expect(lastOf(failed({ code: 'context_length_exceeded', message: 'x' }))).toMatchObject({
      type: 'error',
      error: { kind: 'context_length' },
    });
    const events = decode(
      sse(...opened, delta('a'), failed({ code: 'context_length_exceeded', message: 'x' }, [message('a')])),
    );
    expect(fold(events)?.finish).toMatchObject({ kind: 'context_window' });
  });

  test('a prompt that was declined is an end without output', () => {
    expect(fold(decode(sse(created, failed({ code: 'invalid_prompt', message: 'no' }))))).toMatchObject({
      parts: [],
      finish: { kind: 'prompt_blocked', detail: 'no' },
    });
  });

  test('an event beyond the bound is a failure', () => {
    const events: StreamEvent[] = [];
    const decoder = responses.createStreamDecoder(
      { losses: createLosses(), domain: 'd', maxEventBytes: 100 },
      (event) => events.push(event),
    );
    decoder.push(`data: {"type":"response.created","x":"${'x'.repeat(200)}"}\n\n`);
    decoder.end();
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
  });

  test("malformed items are the backend's fault", () => {
    expect(lastOf(done(0, { type: 'function_call', name: 3 }))).toMatchObject({
      type: 'error',
      error: { kind: 'upstream', path: '/output/0/name' },
    });
  });
});

describe('terminal events of relayed streams', () => {
  test('by name, or by their data where the name is missing', () => {
    expect(responses.isTerminal('response.completed', '{}')).toBe(true);
    expect(responses.isTerminal('response.incomplete', '{}')).toBe(true);
    expect(responses.isTerminal('error', '{}')).toBe(true);
    expect(responses.isTerminal('response.in_progress', '{"type":"response.completed"}')).toBe(false);
    expect(responses.isTerminal('', '{"response":{"id":"r"},"type":"response.failed"}')).toBe(true);
    expect(responses.isTerminal('', '{"type":"response.output_text.delta","delta":"\\"type\\":\\"error\\""}')).toBe(
      false,
    );
    expect(responses.isTerminal('', '{"type":"x","a":{"type":"error"}}')).toBe(false);
    expect(responses.isTerminal('', '[DONE]')).toBe(false);
  });
});
