import fc from 'fast-check';
import { type Data, readData } from '../../../support/frames.js';
import { called, legacyCall } from './chat-calls.js';
import { type Framing, frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import { type Fragments, inFragments, maybe, opaque, seldom, textOf, type Wire } from './values.js';

const DATA = readData('laws/streams/generate/chat-completions.yaml');

/** What one host thinks: the deltas, and the members of the message in a whole answer. */
interface Thought {
  readonly deltas: readonly Wire[];
  readonly whole: Wire;
  /** Whole answers hold it as chunks of their content. */
  readonly chunks?: readonly Wire[];
}

type ThoughtStyle = (said: Fragments, state: string) => Thought;

const detail = (fields: Wire, format: string): Wire => ({ type: 'reasoning.text', ...fields, format, index: 0 });

/** How hosts show thoughts [H §3.3], [H §7.2]. */
const THOUGHTS: readonly ThoughtStyle[] = [
  ({ whole, pieces }) => ({
    deltas: pieces.map((reasoning_content) => ({ reasoning_content })),
    whole: { reasoning_content: whole },
  }),
  ({ whole, pieces }) => ({
    deltas: pieces.map((reasoning) => ({ reasoning })),
    whole: { reasoning: whole },
  }),
  ({ whole, pieces }) => ({
    deltas: pieces.map((piece) => ({ reasoning_content: piece, reasoning: piece })),
    whole: { reasoning_content: whole, reasoning: whole },
  }),
  ({ whole, pieces }, state) => {
    const format = 'anthropic-claude-v1';
    return {
      deltas: [
        ...pieces.map((text) => ({ reasoning: text, reasoning_details: [detail({ text }, format)] })),
        { reasoning: null, reasoning_details: [{ ...detail({}, format), signature: state }] },
      ],
      whole: { reasoning: whole, reasoning_details: [{ ...detail({ text: whole }, format), signature: state }] },
    };
  },
  (_said, data) => {
    const entry = { type: 'reasoning.encrypted', data, format: 'openai-responses-v1', id: 'rs_1', index: 0 };
    return { deltas: [{ reasoning_details: [entry] }], whole: { reasoning_details: [entry] } };
  },
  ({ whole, pieces }, state) => ({
    deltas: [...pieces.map((reasoning_text) => ({ reasoning_text })), { reasoning_opaque: state }],
    whole: { reasoning_text: whole, reasoning_opaque: state },
  }),
  ({ whole, pieces }) => {
    const chunk = (text: string): Wire => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
    return { deltas: pieces.map((piece) => ({ content: [chunk(piece)] })), whole: {}, chunks: [chunk(whole)] };
  },
];

const thought: fc.Arbitrary<Thought> = fc
  .record({ style: fc.constantFrom(...THOUGHTS), said: inFragments(textOf(5)), state: opaque })
  .map(({ style, said, state }) => style(said, state));

const spec = fc.record({
  head: fc.constantFrom('own', 'own', 'joined', 'always', 'never', 'azure'),
  thought: maybe(thought),
  said: maybe(inFragments(textOf(7))),
  asChunks: seldom(6),
  refusal: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: inFragments(fc.constant('I cannot help with that.')) },
  ),
  called: maybe(called),
  legacy: fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: legacyCall }),
  late: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: textOf(3) }),
  cited: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 2 }) },
  ),
  mixed: seldom(4),
  finish: fc.constantFrom<string | null>(...DATA.finishes.flat()),
  finishApart: fc.boolean(),
  stopString: seldom(12),
  place: fc.constantFrom<string>(...DATA.places),
  usage: fc.constantFrom<Wire>(...DATA.usages),
  logprobs: seldom(8),
  fails: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom<Data>(...DATA.failures)),
  rotates: seldom(10),
  obfuscates: seldom(6),
  tier: maybe(fc.constant('default')),
  done: fc.nat(9).map((one) => one > 0),
  framing,
});

type Spec = typeof spec extends fc.Arbitrary<infer T> ? T : never;

function citations({ said, cited }: Spec): readonly Wire[] {
  const length = [...(said?.whole ?? '')].length;
  return (cited ?? []).map(([one, other]) => {
    const [start_index = 0, end_index = 0] = [one % (length + 1), other % (length + 1)].sort((a, b) => a - b);
    const url_citation = { start_index, end_index, url: 'https://a.example/', title: 'A' };
    return { type: 'url_citation', url_citation };
  });
}

/** One choice of a chunk before its envelope. */
interface Said {
  readonly delta: Wire;
  readonly logprobs?: Wire;
}

function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

function tokensOf(piece: string): Wire {
  const bytes = [...new TextEncoder().encode(piece)];
  return { content: [{ token: piece, logprob: -0.5, bytes, top_logprobs: [] }], refusal: null };
}

function deltasOf(given: Spec): Said[] {
  const { thought, said, asChunks, refusal, called, legacy, late, logprobs } = given;
  const texts = (said?.pieces ?? []).map((piece): Said => {
    const delta = { content: asChunks ? [{ type: 'text', text: piece }] : piece };
    return logprobs && piece !== '' && isWellFormed(piece) ? { delta, logprobs: tokensOf(piece) } : { delta };
  });
  const annotations = citations(given);
  const calls = (called?.chunks ?? []).map((tool_calls): Said => ({ delta: { tool_calls } }));
  const before: Said[] = [
    ...(thought?.deltas ?? []).map((delta) => ({ delta })),
    ...texts,
    ...(annotations.length > 0 ? [{ delta: { annotations } }] : []),
    ...(refusal?.pieces ?? []).map((piece) => ({ delta: { refusal: piece } })),
  ];
  const [last, first] = [before.at(-1), calls[0]];
  // Some hosts put what they say last and their first call in one chunk.
  if (given.mixed && last !== undefined && first !== undefined) {
    before[before.length - 1] = { ...last, delta: { ...last.delta, ...first.delta } };
    calls.shift();
  }
  return [
    ...before,
    ...calls,
    ...(legacy === undefined || called !== undefined
      ? []
      : legacy.deltas.map((function_call) => ({ delta: { function_call } }))),
    ...(late === undefined ? [] : [{ delta: { content: late } }]),
  ];
}

/** The message of the answer that the host would have given whole; none where only a stream can say the same. */
function messageOf(given: Spec): Wire | undefined {
  const { thought, said, asChunks, refusal, called, legacy, late } = given;
  if (late !== undefined && late !== '') return undefined;
  const text = said?.whole ?? '';
  const chunked = asChunks || thought?.chunks !== undefined;
  const chunks = [...(thought?.chunks ?? []), ...(text === '' ? [] : [{ type: 'text', text }])];
  const annotations = citations(given);
  return {
    role: 'assistant',
    content: chunked ? chunks : text,
    refusal: refusal?.whole ?? null,
    ...thought?.whole,
    ...(annotations.length > 0 && { annotations }),
    ...(called !== undefined && { tool_calls: called.whole }),
    ...(legacy !== undefined && called === undefined && { function_call: legacy.whole }),
  };
}

const BASE = { object: 'chat.completion.chunk', created: 1_760_000_000, model: 'm-real' };

function envelope({ rotates, obfuscates, tier }: Spec, turn: number): Wire {
  return {
    id: rotates ? `chatcmpl-0${turn + 1}` : 'chatcmpl-01',
    ...BASE,
    ...(tier !== undefined && { service_tier: tier }),
    ...(obfuscates && { obfuscation: 'x'.repeat(turn) }),
  };
}

function wholeOf(given: Spec, finish: string | null): Wire | undefined {
  const message = messageOf(given);
  if (message === undefined || given.fails !== undefined) return undefined;
  const tokens = deltasOf(given).flatMap(({ logprobs }) => (logprobs?.content ?? []) as readonly Wire[]);
  const choice = {
    index: 0,
    message,
    finish_reason: finish,
    logprobs: tokens.length > 0 ? { content: tokens, refusal: null } : null,
    ...(given.stopString && { stop_reason: '</s>' }),
  };
  return {
    id: 'chatcmpl-01',
    ...BASE,
    object: 'chat.completion',
    choices: [choice],
    ...(given.tier !== undefined && { service_tier: given.tier }),
    ...(given.place !== 'none' && { usage: given.usage }),
  };
}

/** The events of a stream, without the word that ends every one. */
function eventsOf(given: Spec): WireEvent[] {
  const { head, finish, usage } = given;
  // A host that gives no word for the end closes its stream with the counts [H §7.6].
  const unnamed = finish === null || finish === '';
  const place = unnamed ? 'own' : given.place;
  const told = (): Wire => (place === 'every' ? { usage } : place === 'own' ? { usage: null } : {});
  const said = deltasOf(given);
  const open = head === 'own' || head === 'azure' ? [{ delta: { role: 'assistant', content: '' } }] : [];
  const all: Said[] = [...open, ...said];
  const apart = given.finishApart || all.length === open.length;
  if (apart) all.push({ delta: {} });
  const events = all.map(({ delta, logprobs }, turn): WireEvent => {
    const isLast = turn === all.length - 1;
    const role = head === 'always' || (head === 'joined' && turn === 0) ? { role: 'assistant' } : {};
    const choice = {
      index: 0,
      delta: { ...role, ...delta },
      finish_reason: isLast ? finish : null,
      ...(logprobs !== undefined && { logprobs }),
      ...(isLast && given.stopString && { stop_reason: '</s>' }),
    };
    const counts =
      isLast && place === 'finish' ? { usage } : isLast && place === 'groq' ? { x_groq: { usage } } : told();
    return { data: { ...envelope(given, turn), choices: [choice], ...counts }, finishes: isLast && !unnamed };
  });
  const last = events.at(-1)?.data.choices;
  if (given.fails !== undefined) return [...events.slice(0, -1), given.fails];
  const after = envelope(given, events.length);
  if (place === 'own') events.push({ data: { ...after, choices: [], usage }, finishes: unnamed });
  if (place === 'twice') {
    const choice = {
      index: 0,
      delta: { content: '' },
      finish_reason: Reflect.get(Object((last as Wire[])[0]), 'finish_reason'),
    };
    events.push({ data: { ...after, choices: [choice], usage } });
  }
  return events;
}

/** Whether parts are on their way at the same time: calls in turn, or a text behind a call that may go on behind it. */
function isInterleaved({ called, legacy, late }: Spec): boolean {
  if (called?.interleaved === true) return true;
  if (late === undefined || late === '') return false;
  const calls = called?.whole ?? (legacy === undefined ? [] : [{ function: legacy.whole }]);
  return !calls.every((call) => isClosed(Object(call.function).arguments));
}

/** Whether the brackets of arguments are closed, so that their call is whole. */
function isClosed(text: unknown): boolean {
  try {
    return typeof text === 'string' && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Legal streams of this dialect ([H §7]), and of hosts that take its liberties. */
export const chatCompletionsStream: fc.Arbitrary<WireStream> = spec.map((given) => {
  const unnamed = given.finish === null || given.finish === '';
  const events: WireEvent[] = [...(given.head === 'azure' ? [{ data: DATA.filtered }] : []), ...eventsOf(given)];
  const how: Framing = { ...given.framing, done: given.done };
  const stream = frameStream(events, how, isInterleaved(given));
  const whole = wholeOf({ ...given, place: unnamed ? 'own' : given.place }, given.finish);
  return whole === undefined ? stream : { ...stream, whole };
});
