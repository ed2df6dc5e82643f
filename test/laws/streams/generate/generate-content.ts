import fc from 'fast-check';
import { type Data, readData } from '../../../support/frames.js';
import { frameArray, frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import { argumentText, inFragments, maybe, opaque, PICTURE, seldom, textOf, type Wire } from './values.js';

const DATA = readData('laws/streams/generate/generate-content.yaml');

/** Parts that come one after the other, each in a chunk of its own or with its neighbours. */
type Run = (serial: number) => readonly Wire[];

const signed = maybe(opaque).map((thoughtSignature) => ({
  ...(thoughtSignature !== undefined && { thoughtSignature }),
}));

const text: fc.Arbitrary<Run> = fc
  .record({ said: inFragments(textOf(7)), thought: fc.nat(3), first: fc.nat(4), last: fc.nat(4), state: opaque })
  .map(({ said, thought, first, last, state }) => () => {
    const isThought = thought === 0 && { thought: true };
    const parts: Wire[] = said.pieces.map((piece) => ({ text: piece, ...isThought }));
    if (first === 0 && parts[0] !== undefined) parts[0] = { ...parts[0], thoughtSignature: state };
    if (last === 0) parts.push({ text: '', thoughtSignature: state });
    return parts;
  });

const calls: fc.Arbitrary<Run> = fc
  .record({
    list: fc.array(fc.record({ args: argumentText, named: fc.boolean(), bare: fc.boolean(), free: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    }),
    state: signed,
  })
  .map(
    ({ list, state }) =>
      (serial) =>
        list.map(({ args, named, bare, free }, index) => ({
          functionCall: {
            ...(named && { id: `id${serial}_${index}` }),
            name: index === 1 ? 'get_weather' : free ? 'write' : 'look',
            ...(!bare && { args: JSON.parse(args) }),
          },
          ...(index === 0 && state),
        })),
  );

const partial: fc.Arbitrary<Run> = fc
  .record({ said: inFragments(textOf(5)), state: signed, closed: fc.boolean() })
  .map(({ said, state, closed }) => () => [
    { functionCall: { name: 'save', willContinue: true }, ...state },
    ...said.pieces.map((stringValue) => ({
      functionCall: {
        partialArgs: [{ jsonPath: '$.items[0].name', stringValue, willContinue: true }],
        willContinue: true,
      },
    })),
    { functionCall: { partialArgs: DATA.partialArgs, willContinue: true } },
    ...(closed ? [{ functionCall: {} }] : []),
  ]);

const code: fc.Arbitrary<Run> = fc
  .record({
    state: signed,
    outcome: fc.constantFrom('OUTCOME_OK', 'OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED', ''),
    ids: fc.boolean(),
  })
  .map(({ state, outcome, ids }) => (serial) => {
    const id = ids ? { id: `c${serial}` } : {};
    const ran = { executableCode: { language: 'PYTHON', code: 'print(6*7)\n', ...id }, ...state };
    if (outcome === '') return [ran];
    return [ran, { text: '' }, { codeExecutionResult: { outcome, output: '42\n', ...id } }];
  });

const served: fc.Arbitrary<Run> = signed.map((state) => (serial) => [
  { toolCall: { id: `t${serial}`, toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['oslo'] } }, ...state },
  {
    toolResponse: { id: `t${serial}`, toolType: 'GOOGLE_SEARCH_WEB', response: { search_suggestions: '<p>' } },
    ...state,
  },
]);

const media: fc.Arbitrary<Run> = fc
  .record({ state: signed, thought: fc.boolean(), mimeType: fc.constantFrom('image/png', 'image/png', 'audio/wav') })
  .map(({ state, thought, mimeType }) => () => [
    { inlineData: { mimeType, data: PICTURE }, ...(thought && { thought: true }), ...state },
  ]);

const runs: fc.Arbitrary<readonly Run[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: text },
    { weight: 3, arbitrary: calls },
    { weight: 1, arbitrary: partial },
    { weight: 2, arbitrary: code },
    { weight: 1, arbitrary: served },
    { weight: 1, arbitrary: media },
    fc.constant<Run>(() => [{ futurePart: { a: 1 } }]),
  ),
  { maxLength: 5 },
);

const usages = fc.array(maybe(fc.constantFrom<Wire>(...DATA.usages)), { minLength: 1, maxLength: 4 });

interface Grounding {
  readonly web: boolean;
  readonly supports: readonly { readonly from: number; readonly to: number; readonly chunks: readonly number[] }[];
  readonly queries: readonly string[];
  readonly entry: boolean;
  readonly licence: boolean;
  readonly url: boolean;
}

const grounding: fc.Arbitrary<Grounding> = fc.record({
  web: fc.boolean(),
  supports: fc.array(
    fc.record({ from: fc.nat(), to: fc.nat(), chunks: fc.array(fc.nat(2), { minLength: 1, maxLength: 2 }) }),
    { maxLength: 3 },
  ),
  queries: fc.subarray(['oslo weather', '']),
  entry: fc.boolean(),
  licence: seldom(5),
  url: seldom(4),
});

/** Metadata about sources; segments are UTF-8 bytes over all visible text ([G §5.3] note 1). */
function sourcesOf({ web, supports, queries, entry, licence, url }: Grounding, visible: string): Wire {
  const characters = [...visible];
  const groundingSupports = supports.map(({ from, to, chunks }) => {
    const [start = 0, end = 0] = [from % (characters.length + 1), to % (characters.length + 1)].sort((a, b) => a - b);
    const bytes = (count: number): number => Buffer.byteLength(characters.slice(0, count).join(''));
    const segment = { endIndex: bytes(end), text: characters.slice(start, end).join('') };
    return {
      segment: start === 0 ? segment : { startIndex: bytes(start), ...segment },
      groundingChunkIndices: chunks,
    };
  });
  return {
    ...(web && {
      groundingMetadata: {
        webSearchQueries: queries,
        ...(entry && { searchEntryPoint: { renderedContent: '<style>' } }),
        groundingChunks: DATA.sources,
        groundingSupports,
      },
    }),
    ...(licence && DATA.licence),
    ...(url && DATA.fetched),
  };
}

const finish: fc.Arbitrary<Wire> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ finishReason: 'STOP' }) },
  { weight: 2, arbitrary: fc.constant({ finishReason: 'MAX_TOKENS' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      finishReason: fc.constantFrom<string>(...DATA.finishes.flat()),
      finishMessage: fc.constant('Because.'),
    }),
  },
);

/** How the last chunk looks, and what comes after it. */
const closing = fc.record({
  content: fc.constantFrom<Wire | undefined>(...DATA.lastContents, undefined),
  apart: fc.boolean(),
  late: seldom(5),
  average: fc.boolean(),
  safety: seldom(5),
  logprobs: seldom(6),
});

/** Legal streams of this dialect ([G §6]) in both framings. */
export const generateContentStream: fc.Arbitrary<WireStream> = fc
  .record({
    runs,
    together: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    usages,
    grounding,
    finish,
    closing,
    indexed: fc.boolean(),
    special: fc.nat(19),
    blocks: fc.constantFrom('PROHIBITED_CONTENT', 'SAFETY', 'NEW_REASON'),
    other: seldom(10),
    shape: fc.constantFrom('sse' as const, 'sse' as const, 'sse' as const, 'array' as const),
    framing,
  })
  .map((spec) => {
    const index = spec.indexed ? { index: 0 } : {};
    const envelope = { modelVersion: 'gemini-2.5-flash', responseId: 'r01' };
    const chunk = (candidate: Wire | undefined, turn: number): Wire => {
      const usageMetadata = spec.usages[turn % spec.usages.length];
      return {
        ...(candidate !== undefined && { candidates: [{ ...candidate, ...index }] }),
        ...(usageMetadata !== undefined && { usageMetadata }),
        ...envelope,
      };
    };
    const close = (events: readonly WireEvent[]): WireStream =>
      spec.shape === 'array' ? frameArray(events, spec.indexed) : frameStream(events, spec.framing);
    if (spec.special === 0) {
      const data = { promptFeedback: { blockReason: spec.blocks }, ...chunk(undefined, 1) };
      return { ...close([{ data, finishes: true }]), whole: data };
    }
    const parts = spec.runs.flatMap((run, serial) => run(serial));
    const bundles: Wire[][] = [];
    parts.forEach((part, place) => {
      const last = bundles.at(-1);
      if (last !== undefined && spec.together[place % spec.together.length] === true) last.push(part);
      else bundles.push([part]);
    });
    const events: WireEvent[] = bundles.map((list, turn) => ({
      data: chunk({ content: { parts: list, role: 'model' }, ...(turn === 1 && { groundingMetadata: {} }) }, turn),
    }));
    // A second answer comes in between, of which nothing is told.
    const second = { index: 1, content: { parts: [{ text: 'other' }], role: 'model' } };
    const aside: WireEvent[] = spec.other ? [{ data: { candidates: [second], ...envelope } }] : [];
    if (spec.special === 1) return close([...aside, ...events, { data: DATA.failure }]);
    const visible = parts
      .filter((part) => typeof part.text === 'string' && part.thought !== true)
      .map((part) => part.text)
      .join('');
    const metadata = sourcesOf(spec.grounding, visible);
    const { content, apart, late, average, safety, logprobs } = spec.closing;
    const end: Wire = {
      ...spec.finish,
      ...(!late && metadata),
      ...(average && { avgLogprobs: -0.3 }),
      ...(safety && {
        safetyRatings: [{ ...DATA.safety, blocked: spec.indexed }],
      }),
      ...(logprobs && { logprobsResult: DATA.logprobs }),
    };
    const lastParts = apart ? undefined : bundles.at(-1);
    if (lastParts !== undefined) events.pop();
    const said = lastParts === undefined ? content : { parts: lastParts, role: 'model' };
    const final = chunk({ ...(said !== undefined && { content: said }), ...end }, events.length);
    events.push({ data: final, finishes: true });
    // Metadata may follow the finish ([G §6.2] note 3).
    if (late) events.push({ data: chunk(metadata, events.length) });
    const stream = close([...events.slice(0, 1), ...aside, ...events.slice(1)]);
    const whole = wholeOf(events.map(({ data }) => data));
    return whole === undefined ? stream : { ...stream, whole };
  });

/** The answer that the chunks give whole: their parts in one content, and of everything else what is said last. */
function wholeOf(chunks: readonly Wire[]): Wire | undefined {
  const candidates = chunks.flatMap(({ candidates: [one] = [{}] }: Data) => one);
  const parts = candidates.flatMap(({ content }: Data): readonly Wire[] => content?.parts ?? []);
  const told: Wire = Object.assign({}, ...candidates);
  // Arguments in pieces exist in streams only; where these pairs stand is exception e of the folding law (translation.md 6.7).
  const streamed = parts.some(({ functionCall }: Data) => functionCall?.partialArgs ?? functionCall?.willContinue);
  if (streamed || told.groundingMetadata !== undefined || told.urlContextMetadata !== undefined) return undefined;
  const content = { role: 'model', parts: parts.reduce(joined, []) };
  return { ...Object.assign({}, ...chunks), candidates: [{ ...told, content }] };
}

/** A text that follows unsigned text of its kind joins it. */
function joined(parts: Wire[], part: Wire): Wire[] {
  const last = parts.at(-1);
  const plain = typeof part.text === 'string' && part.thoughtSignature === undefined;
  if (plain && part.text === '') return parts;
  if (!plain || typeof last?.text !== 'string' || last.thoughtSignature !== undefined || last.thought !== part.thought)
    return [...parts, part];
  return [...parts.slice(0, -1), { ...last, text: `${last.text}${part.text}` }];
}
