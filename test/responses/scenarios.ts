import type { Part } from '../../translators/canonical/content.js';
import type { StreamEvent } from '../../translators/canonical/events.js';
import type { Finish } from '../../translators/canonical/response.js';
import type { StateEntry } from '../../translators/canonical/state.js';

const START: StreamEvent = { type: 'start', id: 'msg_1', model: 'far-model' };
const END: StreamEvent = { type: 'end' };
const USAGE: StreamEvent = { type: 'usage', usage: { input: 12, output: 7, cacheRead: 3, reasoning: 2 } };

function finish(kind: Finish['kind'], more: Partial<Finish> = {}): StreamEvent {
  return { type: 'finish', finish: { kind, raw: kind, dialect: 'other', ...more } };
}

/** A part that comes in the given deltas. */
function streamed(
  ix: number,
  head: Part,
  part: Part,
  deltas: readonly Partial<Extract<StreamEvent, { type: 'part.delta' }>>[],
): StreamEvent[] {
  return [
    { type: 'part.start', ix, part: head },
    ...deltas.map((delta): StreamEvent => ({ type: 'part.delta', ix, op: 'text', value: '', ...delta })),
    ...(part.state === undefined ? [] : [{ type: 'part.state', ix, entries: part.state } as const]),
    { type: 'part.end', ix, part },
  ];
}

function text(ix: number, ...pieces: string[]): StreamEvent[] {
  return streamed(
    ix,
    { kind: 'text', text: '' },
    { kind: 'text', text: pieces.join('') },
    pieces.map((value) => ({ value })),
  );
}

function call(ix: number, callId: string, ...pieces: string[]): StreamEvent[] {
  const head: Part = { kind: 'call', callId, name: 'look', args: { value: {} } };
  const args = pieces.length === 0 ? { value: {} } : { text: pieces.join('') };
  return streamed(
    ix,
    head,
    { ...head, args },
    pieces.map((value) => ({ op: 'args', value })),
  );
}

/** A state entry of the other service. */
function entry(kind: StateEntry['kind'], payload: string, more: Partial<StateEntry> = {}): StateEntry {
  return { dialect: 'other', domain: 'far', kind, payload, ...more };
}

function answer(...events: readonly StreamEvent[][]): StreamEvent[] {
  return [START, ...events.flat(), USAGE, finish('end'), END];
}

/** Streams of other services, by what they show. */
export const SCENARIOS: Readonly<Record<string, readonly StreamEvent[]>> = {
  'one text': answer(text(0, 'Hel', 'lo')),
  'nothing at all': answer(),
  'an empty text': answer(text(0)),
  'several texts': answer(text(0, 'a'), text(1, 'b', 'c')),
  'text before and after a call': answer(text(0, 'a'), call(1, 'c1', '{"a"', ':1}'), text(2, 'b')),
  'parallel calls': answer(call(0, 'c1', '{"a":1}'), call(1, 'c2', '{"b":2}')),
  'a call without arguments': answer(call(0, 'c1')),
  'a whole call': answer([
    { type: 'part.start', ix: 0, part: { kind: 'call', callId: 'c', name: 'f', args: { value: {} } } },
    {
      type: 'part.end',
      ix: 0,
      part: { kind: 'call', callId: 'c', name: 'f', args: { value: { deep: [1, { a: 'é' }] } } },
    },
  ]),
  'a namespaced and a free text call': answer(
    streamed(
      0,
      { kind: 'call', callId: 'c', name: 'search', namespace: 'docs', args: { value: {} } },
      { kind: 'call', callId: 'c', name: 'search', namespace: 'docs', args: { text: '{}' } },
      [{ op: 'args', value: '{}' }],
    ),
    streamed(
      1,
      { kind: 'call', callId: 'd', name: 'patch', args: { value: {} }, freeform: '' },
      { kind: 'call', callId: 'd', name: 'patch', args: { value: {} }, freeform: '*** "x"\n' },
      [
        { op: 'freeform', value: '*** ' },
        { op: 'freeform', value: '"x"\n' },
      ],
    ),
  ),
  'a refusal': [
    START,
    ...streamed(0, { kind: 'refusal', text: '' }, { kind: 'refusal', text: 'I will not.' }, [
      { op: 'refusal', value: 'I will' },
      { op: 'refusal', value: ' not.' },
    ]),
    finish('refusal'),
    END,
  ],
  'a refusal that is only explained': [START, finish('refusal', { detail: 'It is not allowed.' }), END],
  'a refusal without words': [START, ...text(0, 'Well'), finish('refusal'), END],
  'reasoning with state': answer(
    streamed(
      0,
      { kind: 'reasoning', text: [] },
      { kind: 'reasoning', text: ['one', 'two'], state: [entry('reasoning', '{"type":"thinking"}')] },
      [
        { op: 'reasoning', value: 'o', sub: 0 },
        { op: 'reasoning', value: 'ne', sub: 0 },
        { op: 'reasoning', value: 'two', sub: 1 },
      ],
    ),
    text(1, 'so'),
  ),
  'reasoning without state': answer(
    streamed(0, { kind: 'reasoning', text: [] }, { kind: 'reasoning', text: ['hm'] }, [
      { op: 'reasoning', value: 'hm', sub: 0 },
    ]),
    text(1, 'so'),
  ),
  'raw reasoning': answer(
    streamed(0, { kind: 'reasoning', text: [] }, { kind: 'reasoning', text: [], raw: ['all of it'] }, [
      { op: 'raw', value: 'all ', sub: 0 },
      { op: 'raw', value: 'of it', sub: 0 },
    ]),
    text(1, 'so'),
  ),
  'reasoning that shows nothing': answer(
    streamed(
      0,
      { kind: 'reasoning', text: [], redacted: true },
      { kind: 'reasoning', text: [], redacted: true, state: [entry('reasoning', '{}')] },
      [],
    ),
    call(1, 'c', '{}'),
  ),
  'a signed call behind a thought': answer(
    streamed(0, { kind: 'reasoning', text: [] }, { kind: 'reasoning', text: ['hm'] }, [
      { op: 'reasoning', value: 'hm', sub: 0 },
    ]),
    streamed(
      1,
      { kind: 'call', callId: 'c', name: 'f', args: { value: {} }, state: [entry('signature', 'SIG', { on: 'call' })] },
      {
        kind: 'call',
        callId: 'c',
        name: 'f',
        args: { value: { a: 1 } },
        state: [entry('signature', 'SIG', { on: 'call' })],
      },
      [],
    ),
  ),
  'a signed call of its own': answer(
    text(0, 'let me look'),
    streamed(
      1,
      { kind: 'call', callId: 'c', name: 'f', args: { value: {} }, state: [entry('signature', 'SIG', { on: 'call' })] },
      {
        kind: 'call',
        callId: 'c',
        name: 'f',
        args: { value: { a: 1 } },
        state: [entry('signature', 'SIG', { on: 'call' })],
      },
      [],
    ),
  ),
  'a signature at the very end': answer(
    text(0, 'done'),
    streamed(
      1,
      { kind: 'text', text: '', state: [entry('signature', 'SIG', { on: 'empty' })] },
      { kind: 'text', text: '', state: [entry('signature', 'SIG', { on: 'empty' })] },
      [],
    ),
  ),
  'web search with state': answer(
    streamed(
      0,
      { kind: 'hostedCall', callId: 'w', family: 'webSearch', input: {} },
      { kind: 'hostedCall', callId: 'w', family: 'webSearch', input: { action: 'search', query: 'cats' } },
      [],
    ),
    streamed(
      1,
      { kind: 'hostedResult', callId: 'w', family: 'webSearch', output: {} },
      {
        kind: 'hostedResult',
        callId: 'w',
        family: 'webSearch',
        output: { sources: [{ url: 'https://a', title: 'A' }] },
        state: [entry('hosted', '[{},{}]')],
      },
      [],
    ),
    text(2, 'cats purr'),
  ),
  'two searches at once': answer([
    { type: 'part.start', ix: 0, part: { kind: 'hostedCall', callId: 'a', family: 'webSearch', input: {} } },
    {
      type: 'part.end',
      ix: 0,
      part: { kind: 'hostedCall', callId: 'a', family: 'webSearch', input: { action: 'search', query: 'x' } },
    },
    { type: 'part.start', ix: 1, part: { kind: 'hostedCall', callId: 'b', family: 'webSearch', input: {} } },
    {
      type: 'part.end',
      ix: 1,
      part: { kind: 'hostedCall', callId: 'b', family: 'webSearch', input: { action: 'search', query: 'y' } },
    },
    { type: 'part.start', ix: 2, part: { kind: 'hostedResult', callId: 'a', family: 'webSearch', output: {} } },
    {
      type: 'part.end',
      ix: 2,
      part: { kind: 'hostedResult', callId: 'a', family: 'webSearch', output: { sources: [] } },
    },
    { type: 'part.start', ix: 3, part: { kind: 'hostedResult', callId: 'b', family: 'webSearch', output: {} } },
    {
      type: 'part.end',
      ix: 3,
      part: { kind: 'hostedResult', callId: 'b', family: 'webSearch', output: { sources: [] }, isError: true },
    },
    ...text(4, 'both'),
  ]),
  'a page was fetched': answer([
    { type: 'part.start', ix: 0, part: { kind: 'hostedCall', callId: 'a', family: 'urlFetch', input: {} } },
    {
      type: 'part.end',
      ix: 0,
      part: { kind: 'hostedCall', callId: 'a', family: 'urlFetch', input: { url: 'https://a' } },
    },
    { type: 'part.start', ix: 1, part: { kind: 'hostedResult', callId: 'a', family: 'urlFetch', output: {} } },
    {
      type: 'part.end',
      ix: 1,
      part: { kind: 'hostedResult', callId: 'a', family: 'urlFetch', output: { url: 'https://a' } },
    },
  ]),
  'code was run': answer(
    streamed(
      0,
      { kind: 'hostedCall', callId: 'x', family: 'codeExec', input: {} },
      { kind: 'hostedCall', callId: 'x', family: 'codeExec', input: { code: 'print(1)', language: 'python' } },
      [{ op: 'code', value: 'print' }],
    ),
    streamed(
      1,
      { kind: 'hostedResult', callId: 'x', family: 'codeExec', output: {} },
      { kind: 'hostedResult', callId: 'x', family: 'codeExec', output: { stdout: '1\n', stderr: 'warn', exitCode: 0 } },
      [],
    ),
    text(2, 'It is 1.'),
  ),
  'a server tool': answer(
    streamed(
      0,
      { kind: 'hostedCall', callId: 'm', family: 'mcp', input: { server: 's', name: 'n', arguments: '' } },
      { kind: 'hostedCall', callId: 'm', family: 'mcp', input: { server: 's', name: 'n', arguments: '{"q":1}' } },
      [{ op: 'args', value: '{"q":1}' }],
    ),
    streamed(
      1,
      { kind: 'hostedResult', callId: 'm', family: 'mcp', output: {} },
      { kind: 'hostedResult', callId: 'm', family: 'mcp', output: { text: 'found' } },
      [],
    ),
    streamed(
      2,
      { kind: 'hostedCall', callId: 'o', family: 'mcp', input: { server: 's', name: 'n', arguments: '' } },
      { kind: 'hostedCall', callId: 'o', family: 'mcp', input: { server: 's', name: 'n', arguments: '{}' } },
      [],
    ),
    streamed(
      3,
      { kind: 'hostedResult', callId: 'o', family: 'mcp', output: {} },
      { kind: 'hostedResult', callId: 'o', family: 'mcp', output: { text: 'broken' }, isError: true },
      [],
    ),
  ),
  'files were searched': answer([
    { type: 'part.start', ix: 0, part: { kind: 'hostedCall', callId: 'a', family: 'fileSearch', input: {} } },
    {
      type: 'part.end',
      ix: 0,
      part: { kind: 'hostedCall', callId: 'a', family: 'fileSearch', input: { queries: ['q'] } },
    },
    { type: 'part.start', ix: 1, part: { kind: 'hostedResult', callId: 'a', family: 'fileSearch', output: {} } },
    {
      type: 'part.end',
      ix: 1,
      part: { kind: 'hostedResult', callId: 'a', family: 'fileSearch', output: { results: [{ file_id: 'f' }] } },
    },
  ]),
  'a hosted tool without counterpart': answer(
    [
      { type: 'part.start', ix: 0, part: { kind: 'hostedCall', callId: 'a', family: 'maps', input: {} } },
      { type: 'part.end', ix: 0, part: { kind: 'hostedCall', callId: 'a', family: 'maps', input: {} } },
      { type: 'part.start', ix: 1, part: { kind: 'hostedResult', callId: 'a', family: 'maps', output: {} } },
      { type: 'part.end', ix: 1, part: { kind: 'hostedResult', callId: 'a', family: 'maps', output: {} } },
    ],
    text(2, 'there'),
  ),
  'a picture': answer(
    text(0, 'Here:'),
    streamed(
      1,
      { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: '' } },
      { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'aGk=' } },
      [],
    ),
    text(2, 'Nice?'),
  ),
  'sound, which has no place': answer(
    streamed(
      0,
      { kind: 'media', class: 'audio', mime: 'audio/wav', data: { from: 'base64', base64: '' } },
      { kind: 'media', class: 'audio', mime: 'audio/wav', data: { from: 'base64', base64: 'aGk=' } },
      [],
    ),
  ),
  'citations beside the text': answer([
    { type: 'part.start', ix: 0, part: { kind: 'text', text: '' } },
    { type: 'part.delta', ix: 0, op: 'text', value: 'Ab😀cd ' },
    {
      type: 'part.citation',
      ix: 0,
      citation: { source: 'web', url: 'https://a', title: 'A', span: { start: 4, end: 6 } },
    },
    { type: 'part.delta', ix: 0, op: 'text', value: 'and more' },
    {
      type: 'part.end',
      ix: 0,
      part: {
        kind: 'text',
        text: 'Ab😀cd and more',
        citations: [
          { source: 'web', url: 'https://a', title: 'A', span: { start: 4, end: 6 } },
          { source: 'doc', doc: { index: 0, title: 'Doc' }, span: { start: 0, end: 15 } },
        ],
      },
    },
  ]),
  'citations at the very end': answer(text(0, 'été'), [
    { type: 'part.citation', ix: 0, citation: { source: 'web', url: 'https://a', span: { start: 0, end: 3 } } },
  ]),
  'citations of a text that is closed': answer(text(0, 'été'), call(1, 'c', '{}'), [
    { type: 'part.citation', ix: 0, citation: { source: 'web', url: 'https://a', span: { start: 0, end: 3 } } },
  ]),
  logprobs: answer([
    { type: 'part.start', ix: 0, part: { kind: 'text', text: '' } },
    { type: 'part.delta', ix: 0, op: 'text', value: 'é' },
    { type: 'part.logprobs', ix: 0, tokens: [{ token: 'é', logprob: -0.5, top: [] }] },
    {
      type: 'part.end',
      ix: 0,
      part: { kind: 'text', text: 'é', logprobs: [{ token: 'é', logprob: -0.5, top: [{ token: 'e', logprob: -1 }] }] },
    },
  ]),
  'parts that came interleaved': answer([
    { type: 'part.start', ix: 0, part: { kind: 'text', text: '' } },
    { type: 'part.delta', ix: 0, op: 'text', value: 'a' },
    { type: 'part.start', ix: 1, part: { kind: 'call', callId: 'c', name: 'f', args: { value: {} } } },
    { type: 'part.delta', ix: 1, op: 'args', value: '{' },
    { type: 'part.start', ix: 2, part: { kind: 'text', text: '' } },
    { type: 'part.delta', ix: 0, op: 'text', value: 'b' },
    { type: 'part.delta', ix: 2, op: 'text', value: 'z' },
    { type: 'part.delta', ix: 1, op: 'args', value: '}' },
    { type: 'part.end', ix: 0, part: { kind: 'text', text: 'ab' } },
    { type: 'part.end', ix: 2, part: { kind: 'text', text: 'z' } },
    { type: 'part.end', ix: 1, part: { kind: 'call', callId: 'c', name: 'f', args: { text: '{}' } } },
  ]),
  'cut by the token limit': [START, ...text(0, 'half a sen'), USAGE, finish('max_tokens'), END],
  'a call cut by the token limit': [
    START,
    ...streamed(
      0,
      { kind: 'call', callId: 'c', name: 'f', args: { value: {} } },
      { kind: 'call', callId: 'c', name: 'f', args: { text: '{"a": "b' }, truncated: true },
      [{ op: 'args', value: '{"a": "b' }],
    ),
    USAGE,
    finish('max_tokens'),
    END,
  ],
  'only thoughts, then the limit': [
    START,
    ...streamed(0, { kind: 'reasoning', text: [] }, { kind: 'reasoning', text: ['hm'] }, [
      { op: 'reasoning', value: 'hm', sub: 0 },
    ]),
    finish('max_tokens'),
    END,
  ],
  'stopped by a filter': [START, ...text(0, 'ab'), finish('filter'), END],
  'a blocked prompt': [START, finish('prompt_blocked'), END],
  'a stop string': [START, ...text(0, 'ab'), finish('stop_sequence', { stopSequence: 'X' }), END],
  'no picture came': [START, finish('no_image', { raw: 'NO_IMAGE' }), END],
};
