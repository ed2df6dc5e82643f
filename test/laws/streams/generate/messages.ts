import fc from 'fast-check';
import { frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import {
  argumentText,
  type Fragments,
  inFragments,
  maybe,
  opaque,
  riffle,
  seldom,
  textOf,
  type Wire,
} from './values.js';

/** The events of one block; its index is set when it is placed. */
type Block = (index: number) => readonly Wire[];

function block(index: number, start: Wire, deltas: readonly Wire[] = []): Wire[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

const citation: fc.Arbitrary<Wire> = fc.constantFrom<Wire>(
  {
    type: 'web_search_result_location',
    url: 'https://example.org/a',
    title: 'A',
    encrypted_index: 'Eo8B',
    cited_text: 'forty',
  },
  {
    type: 'char_location',
    document_index: 0,
    document_title: 'Doc',
    start_char_index: 0,
    end_char_index: 9,
    cited_text: 'the words',
    file_id: null,
  },
  {
    type: 'page_location',
    document_index: 0,
    document_title: null,
    start_page_number: 1,
    end_page_number: 2,
    cited_text: 'p',
  },
  {
    type: 'search_result_location',
    search_result_index: 0,
    source: 'https://example.org/s',
    title: null,
    start_block_index: 0,
    end_block_index: 1,
    cited_text: 's',
  },
);

const text: fc.Arbitrary<Block> = fc
  .record({
    said: inFragments(textOf(6)),
    citations: fc.array(citation, { maxLength: 2 }),
    before: fc.boolean(),
    typed: fc.boolean(),
  })
  .map(({ said, citations, before, typed }) => (index) => {
    const words = said.pieces.map((piece) => ({ ...(typed && { type: 'text_delta' }), text: piece }));
    const cites = citations.map((one) => ({ type: 'citations_delta', citation: one }));
    const start = { type: 'text', text: '', ...(citations.length > 0 && { citations: [] }) };
    return block(index, start, before ? [...cites, ...words] : [...words, ...cites]);
  });

const thinking: fc.Arbitrary<Block> = fc.record({ said: inFragments(textOf(5)), signature: opaque }).map(
  ({ said, signature }) =>
    (index) =>
      block(index, { type: 'thinking', thinking: '', signature: '' }, [
        ...said.pieces.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature },
      ]),
);

const redacted: fc.Arbitrary<Block> = opaque.map(
  (data) => (index) => block(index, { type: 'redacted_thinking', data }),
);

function fragments(args: Fragments): Wire[] {
  return args.pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

const call: fc.Arbitrary<Block> = fc
  .record({
    name: fc.constantFrom('look', 'get_weather', 'parallel', 'write'),
    args: inFragments(fc.oneof({ weight: 9, arbitrary: argumentText }, fc.constantFrom('', '{"cut": "of', '[1]'))),
    empty: fc.boolean(),
    whole: fc.boolean(),
    caller: fc.boolean(),
  })
  .map(({ name, args, empty, whole, caller }) => (index) => {
    const start = { type: 'tool_use', id: `toolu_${index}`, name, ...(caller && { caller: { type: 'direct' } }) };
    // Some hosts give the input whole in the first event.
    if (whole && args.whole.startsWith('{') && args.whole.endsWith('}'))
      return block(index, { ...start, input: JSON.parse(args.whole) });
    const first = empty ? [{ type: 'input_json_delta', partial_json: '' }] : [];
    return block(index, { ...start, input: {} }, [...first, ...fragments(args)]);
  });

interface HostedSpec {
  readonly name: string;
  readonly input: string;
  readonly result: Wire | undefined;
}

const HOSTED: readonly HostedSpec[] = [
  {
    name: 'web_search',
    input: '{"query": "oslo"}',
    result: {
      type: 'web_search_tool_result',
      content: [
        { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'Eq', page_age: null },
      ],
    },
  },
  {
    name: 'web_search',
    input: '{"query": ""}',
    result: {
      type: 'web_search_tool_result',
      content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    },
  },
  {
    name: 'web_fetch',
    input: '{"url":"https://a.example/x"}',
    result: {
      type: 'web_fetch_tool_result',
      content: {
        type: 'web_fetch_result',
        url: 'https://a.example/x',
        retrieved_at: null,
        content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'page' }, title: 'X' },
      },
    },
  },
  {
    name: 'code_execution',
    input: '{"code":"print(1)"}',
    result: {
      type: 'code_execution_tool_result',
      content: { type: 'code_execution_result', stdout: '1\n', stderr: 'warn', return_code: 0, content: [] },
    },
  },
  {
    name: 'bash_code_execution',
    input: '{"command":"ls"}',
    result: {
      type: 'bash_code_execution_tool_result',
      content: { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 1, content: [] },
    },
  },
  {
    name: 'tool_search_tool_regex',
    input: '{"query":"x"}',
    result: {
      type: 'tool_search_tool_result',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'a' }],
      },
    },
  },
  { name: 'web_search', input: '{"query":"dangling"}', result: undefined },
];

/** A call that the service runs, and right behind it what it brought: two blocks. */
const hosted: fc.Arbitrary<readonly Block[]> = fc
  .record({ spec: fc.constantFrom(...HOSTED), tag: fc.nat(9999) })
  .chain(({ spec, tag }) =>
    inFragments(fc.constant(spec.input)).map((args): readonly Block[] => {
      const id = `srvtoolu_${tag}`;
      const asked: Block = (index) =>
        block(index, { type: 'server_tool_use', id, name: spec.name, input: {} }, fragments(args));
      const { result } = spec;
      return result === undefined
        ? [asked]
        : [asked, (index) => block(index, { ...result, tool_use_id: id, caller: { type: 'direct' } })];
    }),
  );

const mcp: fc.Arbitrary<readonly Block[]> = fc
  .record({ args: inFragments(argumentText), failed: fc.boolean(), tag: fc.nat(9999) })
  .map(({ args, failed, tag }) => {
    const id = `mcptoolu_${tag}`;
    return [
      (index) =>
        block(index, { type: 'mcp_tool_use', id, name: 'echo', server_name: 'srv', input: {} }, fragments(args)),
      (index) =>
        block(index, {
          type: 'mcp_tool_result',
          tool_use_id: id,
          is_error: failed,
          content: [{ type: 'text', text: 'ok' }],
        }),
    ];
  });

const rare: fc.Arbitrary<Block> = fc.constantFrom<Block>(
  (index) => block(index, { type: 'container_upload', file_id: 'file_1' }),
  (index) => block(index, { type: 'fallback', from: { model: 'a' }, to: { model: 'b' }, trigger: { type: 'refusal' } }),
  (index) =>
    block(index, { type: 'compaction', content: null }, [
      { type: 'compaction_delta', content: 'what was said', encrypted_content: 'Eq' },
    ]),
  (index) => block(index, { type: 'future_block', anything: [1] }, [{ type: 'future_delta', more: 'x' }]),
);

const blocks: fc.Arbitrary<readonly Block[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: text.map((one): readonly Block[] => [one]) },
      { weight: 3, arbitrary: thinking.map((one): readonly Block[] => [one]) },
      { weight: 1, arbitrary: redacted.map((one): readonly Block[] => [one]) },
      { weight: 4, arbitrary: call.map((one): readonly Block[] => [one]) },
      { weight: 3, arbitrary: hosted },
      { weight: 1, arbitrary: mcp },
      { weight: 1, arbitrary: rare.map((one): readonly Block[] => [one]) },
    ),
    { maxLength: 6 },
  )
  .map((groups) => groups.flat());

interface Ending {
  readonly delta: Wire;
  /** A call that the limit cut. */
  readonly cut?: Fragments;
}

const ending: fc.Arbitrary<Ending> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom('end_turn', 'tool_use', 'pause_turn', 'model_context_window_exceeded', 'max_tokens', 'compaction')
      .map((stop_reason): Ending => ({ delta: { stop_reason, stop_sequence: null } })),
  },
  fc.constant<Ending>({ delta: { stop_reason: 'stop_sequence', stop_sequence: '</s>' } }),
  fc.constant<Ending>({ delta: { stop_reason: 'some_new_reason', stop_sequence: null } }),
  fc
    .constantFrom<Wire | null>(
      { type: 'refusal', category: 'cyber', explanation: 'No.' },
      { type: 'refusal', category: null, explanation: null, recommended_model: 'm' },
      null,
    )
    .map((stop_details): Ending => ({ delta: { stop_reason: 'refusal', stop_sequence: null, stop_details } })),
  inFragments(fc.constantFrom('', '{"path": "/tm', '{"a": 1, "b": "\\u00')).map(
    (cut): Ending => ({ delta: { stop_reason: 'max_tokens', stop_sequence: null }, cut }),
  ),
);

const startUsage: fc.Arbitrary<Wire> = fc.constantFrom<Wire>(
  { input_tokens: 12, output_tokens: 1 },
  {
    input_tokens: 12,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 100,
    cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
    output_tokens: 3,
    service_tier: 'standard',
    inference_geo: 'not_available',
  },
);

const endUsage: fc.Arbitrary<Wire> = fc.constantFrom<Wire>(
  { output_tokens: 30 },
  {
    input_tokens: 40,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 7,
    output_tokens: 30,
    output_tokens_details: { thinking_tokens: 11 },
    server_tool_use: { web_search_requests: 2 },
  },
  { input_tokens: null, output_tokens: 2, iterations: [{ type: 'message', input_tokens: 1, output_tokens: 2 }] },
);

const strange: fc.Arbitrary<Wire> = fc.constantFrom<Wire>(
  { type: 'ping' },
  { type: 'future_event', value: { error: null } },
);

/** Legal streams of this dialect ([M §5]), and of hosts that take its liberties. */
export const messagesStream: fc.Arbitrary<WireStream> = fc
  .record({
    blocks,
    ending,
    startUsage,
    endUsage: fc.array(endUsage, { minLength: 1, maxLength: 2 }),
    inside: fc.boolean(),
    extra: maybe(
      fc.constantFrom<Wire>({ container: { id: 'cont_1', expires_at: 'later' } }, { context_management: {} }),
    ),
    picks: maybe(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 })),
    strangers: fc.array(fc.tuple(fc.nat(), strange), { maxLength: 3 }),
    fails: seldom(8),
    failure: fc.constantFrom('overloaded_error', 'api_error', 'rate_limit_error', 'new_error'),
    framing,
  })
  .map((spec) => {
    const { ending: last, failure } = spec;
    const cut: Block | undefined =
      last.cut === undefined
        ? undefined
        : (index) =>
            block(
              index,
              { type: 'tool_use', id: `toolu_${index}`, name: 'write', input: {} },
              fragments(last.cut ?? { whole: '', pieces: [] }),
            );
    const content = [...spec.blocks, ...(cut === undefined ? [] : [cut])].map((one, index) => one(index));
    // Hosts of this dialect that run calls at once send their deltas as they come; starts stay in order.
    const events: Wire[] = spec.picks === undefined ? content.flat() : interleaved(content, spec.picks);
    for (const [at, event] of spec.strangers) events.splice(at % (events.length + 1), 0, event);
    const message = {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: spec.startUsage,
    };
    const started = { type: 'message_start', message };
    const framed = (wire: Wire, finishes = false): WireEvent => ({ name: String(wire.type), data: wire, finishes });
    if (spec.fails) {
      const error = { type: 'error', error: { type: failure, message: 'It broke.', details: null } };
      return frameStream(
        [started, ...events, error].map((wire) => framed(wire)),
        spec.framing,
      );
    }
    const deltas = spec.endUsage.map((usage) =>
      spec.inside
        ? { type: 'message_delta', delta: { ...last.delta, usage } }
        : { type: 'message_delta', delta: last.delta, usage, ...spec.extra },
    );
    return frameStream(
      [
        framed(started),
        ...events.map((wire) => framed(wire)),
        ...deltas.map((wire) => framed(wire, true)),
        framed({ type: 'message_stop' }),
      ],
      spec.framing,
      spec.picks !== undefined,
    );
  });

/** Blocks in each other's way: two neighbours at a time, whose starts keep their order. */
function interleaved(content: readonly (readonly Wire[])[], picks: readonly number[]): Wire[] {
  const out: Wire[] = [];
  for (let at = 0; at < content.length; at += 2) {
    const [first = [], second = []] = content.slice(at, at + 2);
    const [start, ...rest] = first;
    if (start !== undefined) out.push(start);
    out.push(...riffle([rest, second], picks));
  }
  return out;
}
