import fc from 'fast-check';
import { type Data, readData } from '../../../support/frames.js';
import { blockEvents, message } from '../../../support/wire/messages.js';
import { frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import {
  argumentText,
  type Fragments,
  inFragments,
  inTurn,
  maybe,
  objectIn,
  opaque,
  seldom,
  textOf,
  type Wire,
} from './values.js';

const DATA = readData('laws/streams/generate/messages.yaml');

/** A block of an answer and its events; it is undefined where only a stream can say the same. */
interface Block {
  readonly node: Wire | undefined;
  readonly events: readonly Wire[];
}

/** What makes a block at a place of the content. */
type Make = (index: number) => Block;

/** A block whose text comes in these pieces. */
function block(index: number, node: Wire, pieces: readonly string[] = []): Block {
  return { node, events: blockEvents(node, index, () => pieces) };
}

const text: fc.Arbitrary<Make> = fc
  .record({
    said: inFragments(textOf(6)),
    citations: fc.array(fc.constantFrom<Wire>(...DATA.citations), { maxLength: 2 }),
    before: fc.boolean(),
    typed: fc.boolean(),
  })
  .map(({ said, citations, before, typed }) => (index) => {
    const node = { type: 'text', text: said.whole, ...(citations.length > 0 && { citations }) };
    const { events } = block(index, node, said.pieces);
    const [start = {}, ...deltas] = events.slice(0, -1);
    const isWords = ({ delta }: Data): boolean => delta.text !== undefined;
    const words = deltas
      .filter(isWords)
      .map((event: Data) => (typed ? event : { ...event, delta: { text: event.delta.text } }));
    const cites = deltas.filter((event) => !isWords(event));
    const between = before ? [...cites, ...words] : [...words, ...cites];
    return { node, events: [start, ...between, ...events.slice(-1)] };
  });

const thinking: fc.Arbitrary<Make> = fc.record({ said: inFragments(textOf(5)), signature: opaque }).map(
  ({ said, signature }) =>
    (index) =>
      block(index, { type: 'thinking', thinking: said.whole, signature }, said.pieces),
);

const redacted: fc.Arbitrary<Make> = opaque.map((data) => (index) => block(index, { type: 'redacted_thinking', data }));

/** A call whose arguments come in pieces. Those that are no JSON object have no place in a whole answer. */
function calling(index: number, node: Wire, args: Fragments): Block {
  const input = args.whole === '' ? {} : objectIn(args.whole);
  return { ...block(index, { ...node, input: {} }, args.pieces), node: input && { ...node, input } };
}

const call: fc.Arbitrary<Make> = fc
  .record({
    name: fc.constantFrom('look', 'get_weather', 'parallel', 'write'),
    args: inFragments(fc.oneof({ weight: 9, arbitrary: argumentText }, fc.constantFrom('', '{"cut": "of', '[1]'))),
    empty: fc.boolean(),
    whole: fc.boolean(),
    caller: fc.boolean(),
  })
  .map(({ name, args, empty, whole, caller }) => (index) => {
    const head = { type: 'tool_use', id: `toolu_${index}`, name, ...(caller && { caller: { type: 'direct' } }) };
    const input = objectIn(args.whole);
    if (!whole || input === undefined)
      return calling(index, head, empty ? { ...args, pieces: ['', ...args.pieces] } : args);
    // Some hosts give the input whole in the first event.
    const node = { ...head, input };
    const { events } = block(index, node);
    return { node, events: events.map((event, turn) => (turn === 0 ? { ...event, content_block: node } : event)) };
  });

/** A call that the service runs, and right behind it what it brought: two blocks. */
const hosted: fc.Arbitrary<readonly Make[]> = fc
  .record({ spec: fc.constantFrom<Data>(...DATA.hosted), tag: fc.nat(9999) })
  .chain(({ spec: { name, input, result }, tag }) =>
    inFragments(fc.constant<string>(input)).map((args): readonly Make[] => {
      const id = `srvtoolu_${tag}`;
      const asked: Make = (index) => calling(index, { type: 'server_tool_use', id, name }, args);
      const brought = { ...result, tool_use_id: id, caller: { type: 'direct' } };
      return result === undefined ? [asked] : [asked, (index) => block(index, brought)];
    }),
  );

const mcp: fc.Arbitrary<readonly Make[]> = fc
  .record({ args: inFragments(argumentText), failed: fc.boolean(), tag: fc.nat(9999) })
  .map(({ args, failed, tag }) => {
    const id = `mcptoolu_${tag}`;
    const content = [{ type: 'text', text: 'ok' }];
    return [
      (index) => calling(index, { type: 'mcp_tool_use', id, name: 'echo', server_name: 'srv' }, args),
      (index) => block(index, { type: 'mcp_tool_result', tool_use_id: id, is_error: failed, content }),
    ];
  });

const rare: fc.Arbitrary<Make> = fc.constantFrom<Data>(...DATA.rare).map(({ start, delta }) => (index) => {
  const [first = {}, last = {}] = block(index, start).events;
  if (delta === undefined) return { node: start, events: [first, last] };
  const { type, ...fields } = delta;
  const node = type === 'compaction_delta' ? { ...start, ...fields } : start;
  return { node, events: [first, { type: 'content_block_delta', index, delta }, last] };
});

const one = (make: Make): readonly Make[] => [make];
const blocks: fc.Arbitrary<readonly Make[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: text.map(one) },
      { weight: 3, arbitrary: thinking.map(one) },
      { weight: 1, arbitrary: redacted.map(one) },
      { weight: 4, arbitrary: call.map(one) },
      { weight: 3, arbitrary: hosted },
      { weight: 1, arbitrary: mcp },
      { weight: 1, arbitrary: rare.map(one) },
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
  { weight: 3, arbitrary: fc.constantFrom<Wire>(...DATA.ends).map((delta): Ending => ({ delta })) },
  inFragments(fc.constantFrom('', '{"path": "/tm', '{"a": 1, "b": "\\u00')).map(
    (cut): Ending => ({ delta: { stop_reason: 'max_tokens', stop_sequence: null }, cut }),
  ),
);

/** Legal streams of this dialect ([M §5]), and of hosts that take its liberties. */
export const messagesStream: fc.Arbitrary<WireStream> = fc
  .record({
    blocks,
    ending,
    startUsage: fc.constantFrom<Wire>(...DATA.startUsage),
    endUsage: fc.array(fc.constantFrom<Wire>(...DATA.endUsage), { minLength: 1, maxLength: 2 }),
    inside: fc.boolean(),
    extra: maybe(fc.constantFrom<Wire>(...DATA.beside)),
    picks: maybe(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 })),
    strangers: fc.array(fc.tuple(fc.nat(), fc.constantFrom<Wire>(...DATA.strangers)), { maxLength: 3 }),
    fails: seldom(8),
    failure: fc.constantFrom('overloaded_error', 'api_error', 'rate_limit_error', 'new_error'),
    framing,
  })
  .map(({ ending: { delta, cut }, ...spec }) => {
    const makers = [...spec.blocks];
    if (cut !== undefined)
      makers.push((index) => calling(index, { type: 'tool_use', id: `toolu_${index}`, name: 'write' }, cut));
    const content = makers.map((make, index) => make(index));
    // Hosts of this dialect that run calls at once send their deltas as they come; starts stay in order.
    const events = inTurn(
      content.map((made) => made.events),
      spec.picks,
    );
    for (const [at, event] of spec.strangers) events.splice(at % (events.length + 1), 0, event);
    const unsaid = { stop_reason: null, usage: spec.startUsage };
    const started = { type: 'message_start', message: message([], unsaid) };
    const framed = (wire: Wire, finishes = false): WireEvent => ({ name: String(wire.type), data: wire, finishes });
    if (spec.fails) {
      const error = { type: 'error', error: { type: spec.failure, message: 'It broke.', details: null } };
      return frameStream(
        [started, ...events, error].map((wire) => framed(wire)),
        spec.framing,
      );
    }
    const deltas = spec.endUsage.map((usage) =>
      spec.inside
        ? { type: 'message_delta', delta: { ...delta, usage } }
        : { type: 'message_delta', delta, usage, ...spec.extra },
    );
    const counts = Object.assign(
      { ...spec.startUsage },
      ...spec.endUsage.map((usage) => Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null))),
    );
    const nodes = content.flatMap(({ node }) => (node === undefined ? [] : [node]));
    const whole = message(nodes, { ...delta, ...(!spec.inside && spec.extra), usage: counts });
    return {
      ...frameStream(
        [
          framed(started),
          ...events.map((wire) => framed(wire)),
          ...deltas.map((wire) => framed(wire, true)),
          framed({ type: 'message_stop' }),
        ],
        spec.framing,
        spec.picks !== undefined,
      ),
      ...(nodes.length === content.length && { whole }),
    };
  });
