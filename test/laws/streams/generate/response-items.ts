import fc from 'fast-check';
import { readData } from '../../../support/frames.js';
import { itemEvents } from '../../../support/wire/responses.js';
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

const DATA = readData('laws/streams/generate/responses.yaml');

/** An output item on its way: its events but for their numbers, and how it stands in the final output. */
export interface Item {
  readonly events: readonly Wire[];
  readonly node: Wire;
}

/** What makes an item at a place of the output. `cut`: the answer ends inside it. */
export type MakeItem = (output_index: number, cut: boolean) => Item;

/** The texts of nodes in the pieces that were drawn for them. */
type Drawn = readonly (readonly [node: Wire, text: Fragments])[];

/** An item whose texts come in pieces; some services pad them. */
function item(output_index: number, node: Wire, texts: Drawn = []): Item {
  const pieces = new Map(texts.map(([of, text]) => [of, text.pieces]));
  const events = itemEvents(node, output_index, (_text, _member, of) => pieces.get(of) ?? []);
  const padded = events.map((event) => (PADDED.test(String(event.type)) ? { ...event, obfuscation: 'aB' } : event));
  return { events: padded, node };
}

const PADDED = /\.(?:output_text|refusal|function_call_arguments)\.delta$/;

const annotation: fc.Arbitrary<(length: number) => Wire> = fc
  .record({ one: fc.constantFrom<Wire>(...DATA.annotations), from: fc.nat(), to: fc.nat() })
  .map(({ one, from, to }) => (length) => {
    const [start_index = 0, end_index = 0] = [from % (length + 1), to % (length + 1)].sort((a, b) => a - b);
    return { ...one, ...(one.type === 'file_citation' ? { index: end_index } : { start_index, end_index }) };
  });

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

/** A part as it stays. */
function partOf({ said, refusal, annotations, logprobs }: Part): Wire {
  if (refusal) return { type: 'refusal', refusal: said.whole };
  const cited = annotations.map((make) => make([...said.whole].length));
  return { type: 'output_text', text: said.whole, annotations: cited, logprobs: logprobs ? DATA.logprobs : [] };
}

const message: fc.Arbitrary<MakeItem> = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    phase: maybe(fc.constantFrom('commentary', 'final_answer')),
  })
  .map(({ parts, phase }) => (output_index, cut) => {
    const made = parts.map((one) => [partOf(one), one.said] as const);
    const content = made.map(([node]) => node);
    const head = {
      id: `msg_${output_index}`,
      type: 'message',
      role: 'assistant',
      ...(phase !== undefined && { phase }),
    };
    return item(output_index, { ...head, status: cut ? 'incomplete' : 'completed', content }, made);
  });

const reasoning: fc.Arbitrary<MakeItem> = fc
  .record({
    summary: fc.array(inFragments(spoken), { maxLength: 2 }),
    raw: fc.array(inFragments(spoken), { maxLength: 1 }),
    state: maybe(opaque),
  })
  .map(({ summary, raw, state }) => (output_index) => {
    const drawn = (type: string, texts: readonly Fragments[]) =>
      texts.map((text) => [{ type, text: text.whole }, text] as const);
    const [paragraphs, full] = [drawn('summary_text', summary), drawn('reasoning_text', raw)];
    const node = {
      id: `rs_${output_index}`,
      type: 'reasoning',
      summary: paragraphs.map(([piece]) => piece),
      ...(raw.length > 0 && { content: full.map(([piece]) => piece) }),
      ...(state !== undefined && { encrypted_content: state }),
    };
    return item(output_index, node, [...paragraphs, ...full]);
  });

const call: fc.Arbitrary<MakeItem> = fc
  .record({
    name: fc.constantFrom('look', 'get_weather', 'parallel', 'write'),
    args: inFragments(fc.oneof({ weight: 9, arbitrary: argumentText }, fc.constantFrom('{"cut": "of', '[1]'))),
    namespace: maybe(fc.constant('crm')),
    silent: fc.boolean(),
  })
  .map(({ name, args, namespace, silent }) => (output_index, cut) => {
    const node = {
      id: `fc_${output_index}`,
      type: 'function_call',
      call_id: `call_${output_index}`,
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: cut ? args.whole.slice(0, -1) : args.whole,
      status: cut ? 'incomplete' : 'completed',
    };
    // Some hosts tell the arguments only at the end.
    return item(output_index, node, silent || cut ? [] : [[node, args]]);
  });

const custom: fc.Arbitrary<MakeItem> = fc
  .record({ input: inFragments(textOf(5)), finished: fc.boolean() })
  .map(({ input, finished }) => (output_index, cut) => {
    const node = {
      id: `ctc_${output_index}`,
      type: 'custom_tool_call',
      call_id: `call_${output_index}`,
      name: 'write',
      status: cut ? 'incomplete' : 'completed',
      input: input.whole,
    };
    const { events } = item(output_index, node, [[node, input]]);
    return { node, events: events.filter(({ type }) => finished || type !== 'response.custom_tool_call_input.done') };
  });

const search: fc.Arbitrary<MakeItem> = fc
  .constantFrom<Wire>(...DATA.searches)
  .map(
    (action) => (output_index) =>
      item(output_index, { id: `ws_${output_index}`, type: 'web_search_call', status: 'completed', action }),
  );

const code: fc.Arbitrary<MakeItem> = fc
  .record({
    source: inFragments(fc.constantFrom('print("ä")\n', '', 'x = "😀"')),
    outputs: fc.constantFrom<Wire[] | null>(...DATA.outputs),
  })
  .map(({ source, outputs }) => (output_index) => {
    const head = { id: `ci_${output_index}`, type: 'code_interpreter_call', container_id: 'cntr_1' };
    const node = { ...head, status: 'completed', code: source.whole, outputs };
    return item(output_index, node, [[node, source]]);
  });

const image: fc.Arbitrary<MakeItem> = fc.nat(2).map((partial) => (output_index) => {
  const { node, events } = item(output_index, {
    id: `ig_${output_index}`,
    type: 'image_generation_call',
    status: 'completed',
    result: PICTURE,
    output_format: 'png',
    revised_prompt: 'a dot',
    size: '1x1',
  });
  const pictures = Array.from({ length: partial }, (_, partial_image_index) => ({
    type: 'response.image_generation_call.partial_image',
    item_id: node.id,
    output_index,
    partial_image_index,
    partial_image_b64: PICTURE,
  }));
  return { node, events: [...events.slice(0, -2), ...pictures, ...events.slice(-2)] };
});

const mcp: fc.Arbitrary<MakeItem> = fc
  .record({ args: inFragments(argumentText), failed: fc.boolean() })
  .map(({ args, failed }) => (output_index) => {
    const node = {
      id: `mcp_${output_index}`,
      type: 'mcp_call',
      server_label: 'srv',
      name: 'echo',
      status: failed ? 'failed' : 'completed',
      arguments: args.whole,
      output: failed ? null : 'ok',
      error: failed ? { type: 'mcp_tool_execution_error', content: 'no' } : null,
    };
    return item(output_index, node, [[node, args]]);
  });

const other: fc.Arbitrary<MakeItem> = fc.constantFrom(...Object.entries<Wire>(DATA.alone)).map(
  ([prefix, node]) =>
    (output_index) =>
      item(output_index, { ...node, id: `${prefix}_${output_index}` }),
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
