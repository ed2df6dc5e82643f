import fc from 'fast-check';
import { frameArray, frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import { argumentText, inFragments, maybe, opaque, PICTURE, seldom, textOf, type Wire } from './values.js';

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
    {
      functionCall: {
        partialArgs: [
          { jsonPath: '$.items[0].qty', numberValue: 2 },
          { jsonPath: "$['a b']", boolValue: true },
          { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      },
    },
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

const USAGE: readonly Wire[] = [
  { promptTokenCount: 6, totalTokenCount: 6 },
  { promptTokenCount: 6, candidatesTokenCount: 3, thoughtsTokenCount: 40, totalTokenCount: 49 },
  {
    promptTokenCount: 47,
    cachedContentTokenCount: 10,
    candidatesTokenCount: 3,
    toolUsePromptTokenCount: 9,
    totalTokenCount: 59,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 47 }],
    serviceTier: 'standard',
  },
  { trafficType: 'ON_DEMAND' },
];

const usages = fc.array(maybe(fc.constantFrom(...USAGE)), { minLength: 1, maxLength: 4 });

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

const SOURCES: readonly Wire[] = [
  { web: { uri: 'https://a.example', title: 'a.example' } },
  { web: { uri: 'https://b.example', title: 'b.example' } },
  { retrievedContext: { uri: 'gs://x', title: 'doc.pdf', text: 'the words' } },
];

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
        groundingChunks: SOURCES,
        groundingSupports,
      },
    }),
    ...(licence && {
      citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 3, uri: 'https://l.example', license: 'mit' }] },
    }),
    ...(url && {
      urlContextMetadata: {
        urlMetadata: [{ retrievedUrl: 'https://u.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
      },
    }),
  };
}

const FINISHES = [
  ...['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'NO_IMAGE'],
  ...['IMAGE_SAFETY', 'CONTINUATION', 'OTHER', 'FINISH_REASON_UNSPECIFIED', 'SOME_NEW_REASON', 'LANGUAGE'],
];

const finish: fc.Arbitrary<Wire> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ finishReason: 'STOP' }) },
  { weight: 2, arbitrary: fc.constant({ finishReason: 'MAX_TOKENS' }) },
  {
    weight: 2,
    arbitrary: fc.record({ finishReason: fc.constantFrom(...FINISHES), finishMessage: fc.constant('Because.') }),
  },
);

const LOGPROBS = { chosenCandidates: [{ token: 'So', tokenId: 3, logProbability: -0.1 }], topCandidates: [] };

/** How the last chunk looks, and what comes after it. */
const closing = fc.record({
  content: fc.constantFrom<Wire | undefined>(
    { parts: [{ text: '' }], role: 'model' },
    {},
    { role: 'model' },
    undefined,
  ),
  apart: fc.boolean(),
  late: seldom(5),
  average: fc.boolean(),
  safety: seldom(5),
  logprobs: seldom(6),
});

const BLOCKED: Wire = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT', safetyRatings: [] } };
const FAILURE: Wire = { error: { code: 503, message: 'It broke.', status: 'UNAVAILABLE' } };

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
      const data = { ...BLOCKED, promptFeedback: { blockReason: spec.blocks }, ...chunk(undefined, 1) };
      return close([{ data, finishes: true }]);
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
    if (spec.special === 1) return close([...aside, ...events, { data: FAILURE }]);
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
        safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW', blocked: spec.indexed }],
      }),
      ...(logprobs && { logprobsResult: LOGPROBS }),
    };
    const lastParts = apart ? undefined : bundles.at(-1);
    if (lastParts !== undefined) events.pop();
    const said = lastParts === undefined ? content : { parts: lastParts, role: 'model' };
    const final = chunk({ ...(said !== undefined && { content: said }), ...end }, events.length);
    events.push({ data: final, finishes: true });
    // Metadata may follow the finish ([G §6.2] note 3).
    if (late) events.push({ data: chunk(metadata, events.length) });
    return close([...events.slice(0, 1), ...aside, ...events.slice(1)]);
  });
