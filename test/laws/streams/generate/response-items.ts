import fc from 'fast-check';
import {
  argumentText,
  type Fragments,
  inFragments,
  maybe,
  opaque,
  PICTURE,
  seldom,
  spoken,
  textOf,
  type Wire,
} from './values.js';

/** An output item on its way: its events but for their numbers, and how it stands in the final output. */
export interface Item {
  readonly events: readonly Wire[];
  readonly node: Wire;
}

/** What makes an item at a place of the output. `cut`: the answer ends inside it. */
export type MakeItem = (output_index: number, cut: boolean) => Item;

/** An item between its first and its last event. */
function item(output_index: number, head: Wire, between: readonly Wire[], node: Wire): Item {
  const item_id = node.id;
  return {
    events: [
      { type: 'response.output_item.added', output_index, item: head },
      ...between.map((event) => ({ item_id, output_index, ...event })),
      { type: 'response.output_item.done', output_index, item: node },
    ],
    node,
  };
}

const annotation: fc.Arbitrary<(length: number) => Wire> = fc
  .record({ kind: fc.nat(3), from: fc.nat(), to: fc.nat() })
  .map(({ kind, from, to }) => (length) => {
    const [start_index = 0, end_index = 0] = [from % (length + 1), to % (length + 1)].sort((a, b) => a - b);
    switch (kind) {
      case 0:
        return { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: end_index };
      case 1:
        return {
          type: 'container_file_citation',
          container_id: 'cntr_1',
          file_id: 'cfile_1',
          filename: 'b.csv',
          start_index,
          end_index,
        };
      default:
        return { type: 'url_citation', url: `https://example.org/${kind}`, title: 'T', start_index, end_index };
    }
  });

const LOGPROBS = [
  { token: 'So', logprob: -0.1, bytes: [83, 111], top_logprobs: [{ token: 'So', logprob: -0.1, bytes: [83, 111] }] },
];

interface Part {
  readonly said: Fragments;
  readonly refusal: boolean;
  readonly annotations: readonly ((length: number) => Wire)[];
  readonly logprobs: boolean;
}

const part: fc.Arbitrary<Part> = fc.record({
  said: inFragments(textOf(6)),
  refusal: seldom(8),
  annotations: fc.array(annotation, { maxLength: 2 }),
  logprobs: seldom(6),
});

/** The events of a part of a message, and the part as it stays. */
function partEvents(
  content_index: number,
  { said, refusal, annotations, logprobs }: Part,
): { events: Wire[]; node: Wire } {
  const at = { content_index };
  if (refusal) {
    const node = { type: 'refusal', refusal: said.whole };
    return {
      node,
      events: [
        { type: 'response.content_part.added', ...at, part: { type: 'refusal', refusal: '' } },
        ...said.pieces.map((delta) => ({ type: 'response.refusal.delta', ...at, delta, obfuscation: 'xYz' })),
        { type: 'response.refusal.done', ...at, refusal: said.whole },
        { type: 'response.content_part.done', ...at, part: node },
      ],
    };
  }
  const cited = annotations.map((make) => make([...said.whole].length));
  const tokens = logprobs ? LOGPROBS : [];
  const node = { type: 'output_text', text: said.whole, annotations: cited, logprobs: tokens };
  return {
    node,
    events: [
      {
        type: 'response.content_part.added',
        ...at,
        part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
      },
      ...said.pieces.map((delta, index) => ({
        type: 'response.output_text.delta',
        ...at,
        delta,
        logprobs: index === 0 ? tokens : [],
        obfuscation: 'aB',
      })),
      ...cited.map((one, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index,
        annotation: one,
      })),
      { type: 'response.output_text.done', ...at, text: said.whole, logprobs: tokens },
      { type: 'response.content_part.done', ...at, part: node },
    ],
  };
}

const message: fc.Arbitrary<MakeItem> = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    phase: maybe(fc.constantFrom('commentary', 'final_answer')),
  })
  .map(({ parts, phase }) => (output_index, cut) => {
    const id = `msg_${output_index}`;
    const made = parts.map((one, index) => partEvents(index, one));
    const head = { id, type: 'message', role: 'assistant', ...(phase !== undefined && { phase }) };
    return item(
      output_index,
      { ...head, status: 'in_progress', content: [] },
      made.flatMap(({ events }) => events),
      { ...head, status: cut ? 'incomplete' : 'completed', content: made.map(({ node }) => node) },
    );
  });

const reasoning: fc.Arbitrary<MakeItem> = fc
  .record({
    summary: fc.array(inFragments(spoken), { maxLength: 2 }),
    raw: fc.array(inFragments(spoken), { maxLength: 1 }),
    state: maybe(opaque),
  })
  .map(({ summary, raw, state }) => (output_index) => {
    const id = `rs_${output_index}`;
    const paragraphs = summary.flatMap(({ whole, pieces }, summary_index) => {
      const piece = { type: 'summary_text', text: whole };
      const at = { summary_index };
      return [
        { type: 'response.reasoning_summary_part.added', ...at, part: { ...piece, text: '' } },
        ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
        { type: 'response.reasoning_summary_text.done', ...at, text: whole },
        { type: 'response.reasoning_summary_part.done', ...at, part: piece },
      ];
    });
    const full = raw.flatMap(({ whole, pieces }, content_index) => {
      const piece = { type: 'reasoning_text', text: whole };
      const at = { content_index };
      return [
        { type: 'response.content_part.added', ...at, part: { ...piece, text: '' } },
        ...pieces.map((delta) => ({ type: 'response.reasoning_text.delta', ...at, delta })),
        { type: 'response.reasoning_text.done', ...at, text: whole },
        { type: 'response.content_part.done', ...at, part: piece },
      ];
    });
    const node = {
      id,
      type: 'reasoning',
      summary: summary.map(({ whole }) => ({ type: 'summary_text', text: whole })),
      ...(raw.length > 0 && { content: raw.map(({ whole }) => ({ type: 'reasoning_text', text: whole })) }),
      ...(state !== undefined && { encrypted_content: state }),
    };
    const head = { id, type: 'reasoning', summary: [], ...(state !== undefined && { encrypted_content: 'part' }) };
    return item(output_index, head, [...paragraphs, ...full], node);
  });

const call: fc.Arbitrary<MakeItem> = fc
  .record({
    name: fc.constantFrom('look', 'get_weather', 'parallel', 'write'),
    args: inFragments(fc.oneof({ weight: 9, arbitrary: argumentText }, fc.constantFrom('{"cut": "of', '[1]'))),
    namespace: maybe(fc.constant('crm')),
    silent: fc.boolean(),
  })
  .map(({ name, args, namespace, silent }) => (output_index, cut) => {
    const id = `fc_${output_index}`;
    const words = cut ? args.whole.slice(0, -1) : args.whole;
    const head = {
      id,
      type: 'function_call',
      call_id: `call_${output_index}`,
      name,
      ...(namespace !== undefined && { namespace }),
    };
    // Some hosts tell the arguments only at the end.
    const deltas = silent || cut ? [] : args.pieces;
    return item(
      output_index,
      { ...head, arguments: '', status: 'in_progress' },
      [
        ...deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', delta, obfuscation: 'q' })),
        { type: 'response.function_call_arguments.done', arguments: words },
      ],
      { ...head, arguments: words, status: cut ? 'incomplete' : 'completed' },
    );
  });

const custom: fc.Arbitrary<MakeItem> = fc
  .record({ input: inFragments(textOf(5)), finished: fc.boolean() })
  .map(({ input, finished }) => (output_index, cut) => {
    const id = `ctc_${output_index}`;
    const head = { id, type: 'custom_tool_call', call_id: `call_${output_index}`, name: 'write' };
    return item(
      output_index,
      { ...head, status: 'in_progress', input: '' },
      [
        ...input.pieces.map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta })),
        ...(finished ? [{ type: 'response.custom_tool_call_input.done', input: input.whole }] : []),
      ],
      { ...head, status: cut ? 'incomplete' : 'completed', input: input.whole },
    );
  });

const WEB = 'response.web_search_call';

const search: fc.Arbitrary<MakeItem> = fc
  .constantFrom<Wire>(
    {
      type: 'search',
      query: 'oslo',
      queries: ['oslo', 'oslo now'],
      sources: [{ type: 'url', url: 'https://a.example' }],
    },
    { type: 'search', query: '' },
    { type: 'open_page', url: 'https://a.example/x' },
    { type: 'find_in_page', url: 'https://a.example/x', pattern: 'p' },
  )
  .map((action) => (output_index) => {
    const head = { id: `ws_${output_index}`, type: 'web_search_call' };
    return item(
      output_index,
      { ...head, status: 'in_progress' },
      [{ type: `${WEB}.in_progress` }, { type: `${WEB}.searching` }, { type: `${WEB}.completed` }],
      { ...head, status: 'completed', action },
    );
  });

const CODE = 'response.code_interpreter_call';

const code: fc.Arbitrary<MakeItem> = fc
  .record({
    source: inFragments(fc.constantFrom('print("ä")\n', '', 'x = "😀"')),
    outputs: fc.constantFrom(
      null,
      [{ type: 'logs', logs: 'ä\n' }],
      [{ type: 'image', url: 'https://a.example/i.png' }],
    ),
  })
  .map(({ source, outputs }) => (output_index) => {
    const head = { id: `ci_${output_index}`, type: 'code_interpreter_call', container_id: 'cntr_1' };
    return item(
      output_index,
      { ...head, status: 'in_progress', code: '', outputs: null },
      [
        { type: `${CODE}.in_progress` },
        ...source.pieces.map((delta) => ({ type: `${CODE}_code.delta`, delta })),
        { type: `${CODE}_code.done`, code: source.whole },
        { type: `${CODE}.interpreting` },
        { type: `${CODE}.completed` },
      ],
      { ...head, status: 'completed', code: source.whole, outputs },
    );
  });

const IMAGE = 'response.image_generation_call';

const image: fc.Arbitrary<MakeItem> = fc.nat(2).map((partial) => (output_index) => {
  const head = { id: `ig_${output_index}`, type: 'image_generation_call' };
  return item(
    output_index,
    { ...head, status: 'in_progress' },
    [
      { type: `${IMAGE}.in_progress` },
      { type: `${IMAGE}.generating` },
      ...Array.from({ length: partial }, (_, partial_image_index) => ({
        type: `${IMAGE}.partial_image`,
        partial_image_index,
        partial_image_b64: PICTURE,
      })),
      { type: `${IMAGE}.completed` },
    ],
    { ...head, status: 'completed', result: PICTURE, output_format: 'png', revised_prompt: 'a dot', size: '1x1' },
  );
});

const MCP = 'response.mcp_call';

const mcp: fc.Arbitrary<MakeItem> = fc
  .record({ args: inFragments(argumentText), failed: fc.boolean() })
  .map(({ args, failed }) => (output_index) => {
    const head = { id: `mcp_${output_index}`, type: 'mcp_call', server_label: 'srv', name: 'echo' };
    return item(
      output_index,
      { ...head, arguments: '', output: null, error: null },
      [
        { type: `${MCP}.in_progress` },
        ...args.pieces.map((delta) => ({ type: `${MCP}_arguments.delta`, delta })),
        { type: `${MCP}_arguments.done`, arguments: args.whole },
        { type: failed ? `${MCP}.failed` : `${MCP}.completed` },
      ],
      {
        ...head,
        status: failed ? 'failed' : 'completed',
        arguments: args.whole,
        output: failed ? null : 'ok',
        error: failed ? { type: 'mcp_tool_execution_error', content: 'no' } : null,
      },
    );
  });

const listTools: MakeItem = (output_index) => {
  const head = { id: `mcpl_${output_index}`, type: 'mcp_list_tools', server_label: 'srv' };
  return item(
    output_index,
    { ...head, tools: [] },
    [{ type: 'response.mcp_list_tools.in_progress' }, { type: 'response.mcp_list_tools.completed' }],
    { ...head, tools: [{ name: 'echo', input_schema: { type: 'object' } }] },
  );
};

const fileSearch: MakeItem = (output_index) => {
  const head = { id: `fs_${output_index}`, type: 'file_search_call', queries: ['q'] };
  const results = [{ file_id: 'file_1', filename: 'a.pdf', score: 0.5, text: 'hit', attributes: {} }];
  return item(
    output_index,
    { ...head, queries: [], status: 'in_progress', results: null },
    ['in_progress', 'searching', 'completed'].map((step) => ({ type: `response.file_search_call.${step}` })),
    { ...head, status: 'completed', results },
  );
};

/** Items that come and go whole. */
function lone(prefix: string, node: Wire): MakeItem {
  return (output_index) => {
    const whole = { ...node, id: `${prefix}_${output_index}` };
    return item(output_index, whole, [], whole);
  };
}

const other: fc.Arbitrary<MakeItem> = fc.constantFrom<MakeItem>(
  listTools,
  fileSearch,
  lone('mcpr', { type: 'mcp_approval_request', server_label: 'srv', name: 'echo', arguments: '{}' }),
  lone('cmp', { type: 'compaction', encrypted_content: 'gAAA' }),
  lone('lsh', {
    type: 'local_shell_call',
    call_id: 'call_lsh',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  }),
  lone('cm', { type: 'program', call_id: 'call_cm', code: 'x', fingerprint: 'f' }),
  lone('new', { type: 'future_item', anything: 1 }),
);

/** Any output item. */
export const anyItem: fc.Arbitrary<MakeItem> = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 4, arbitrary: reasoning },
  { weight: 5, arbitrary: call },
  { weight: 2, arbitrary: custom },
  { weight: 2, arbitrary: search },
  { weight: 2, arbitrary: code },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: mcp },
  { weight: 2, arbitrary: other },
);

/** An item that the output limit can cut. */
export const cutItem: fc.Arbitrary<MakeItem> = fc.oneof(message, call, custom, reasoning);
