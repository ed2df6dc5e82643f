import fc from 'fast-check';
import type {
  ApprovalPart,
  Arguments,
  CallPart,
  CompactionPart,
  HandoverPart,
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
  TokenLogprob,
} from '../../../translators/canonical/content.js';
import type { StateEntry } from '../../../translators/canonical/state.js';
import type { DialectId } from '../../../translators/index.js';
import { encodeCarrier } from '../../../translators/wire/carrier.js';
import { has, lawTableOf } from '../dialects/index.js';
import {
  asWellFormed,
  base64,
  ids,
  jsonObjects,
  jsonValues,
  known,
  maybe,
  rarely,
  texts,
  toolNames,
  urls,
  wellFormed,
  words,
} from '../values.js';

/** The domain of the state of generated answers. */
const DOMAIN = 'lawdomain';

/** A state entry of the service of `source`. Payloads are any well-formed text: they are never opened on the way out. */
export function entries(source: DialectId, kind: StateEntry['kind']): fc.Arbitrary<StateEntry> {
  const payload = fc.oneof(
    { weight: 6, arbitrary: wellFormed },
    { weight: 6, arbitrary: jsonObjects.map((node) => asWellFormed(JSON.stringify(node))) },
    // Beyond 2 KiB payloads are deflated (translation.md 4.2.1).
    { weight: 1, arbitrary: wellFormed.map((text) => `${text}-`.repeat(2100)) },
    // A carrier of another gateway on the way, and one of this very domain (4.2.7).
    { weight: 1, arbitrary: fc.constantFrom('elsewhere', DOMAIN).map(nested) },
  );
  return payload.map((text) => ({ dialect: source, domain: DOMAIN, kind, payload: text }));
}

function nested(domain: string): string {
  return encodeCarrier('messages', domain, [
    { dialect: 'messages', domain, kind: 'reasoning', payload: '{"type":"x"}' },
  ]);
}

function signed(source: DialectId, on: StateEntry['on']): fc.Arbitrary<readonly StateEntry[] | undefined> {
  return maybe(entries(source, 'signature').map((entry) => [{ ...entry, on, h: '0011223344556677' }]));
}

const oddKeys = fc.constantFrom('odd_key', 'odd_key', 'a/b', 'x~y', '__proto__');

/** Keys that only the source knows; rare, because most nodes have none. */
export function bags(source: DialectId) {
  return rarely(fc.tuple(oddKeys, jsonValues).map(([key, value]) => ({ [source]: { [key]: value } })));
}

const logprob = fc.constantFrom(0, -0.5, -1.25, -9999);

/** Tokens that add up to the text. */
function tokens(source: DialectId, text: string): fc.Arbitrary<TokenLogprob[]> {
  const bytesOf = (token: string): { bytes?: number[] } =>
    has(source, 'logprobBytes') ? { bytes: [...new TextEncoder().encode(token)] } : {};
  return fc
    .record({
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
      values: fc.array(logprob, { minLength: 1 }),
    })
    .map(({ sizes, values }) => {
      const characters = [...asWellFormed(text)];
      const out: TokenLogprob[] = [];
      for (let at = 0, turn = 0; at < characters.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        const token = characters.slice(at, at + size).join('');
        const value = values[turn % values.length] ?? 0;
        const top = turn % 2 === 0 ? [] : [{ token: `${token}?`, logprob: value - 1, ...bytesOf(`${token}?`) }];
        out.push({ token, logprob: value, ...bytesOf(token), top });
        at += size;
      }
      return out;
    });
}

function textParts(source: DialectId): fc.Arbitrary<TextPart> {
  return fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: texts }).chain((text) => {
    const list = fc.array(CITATIONS[source](text), { maxLength: 3 });
    return fc
      .record({
        kind: fc.constant('text' as const),
        text: fc.constant(text),
        citations: text === '' ? fc.constant(undefined) : maybe(list),
        logprobs: !has(source, 'logprobs') || text === '' ? fc.constant(undefined) : maybe(tokens(source, text)),
        phase: has(source, 'phases') ? maybe(fc.constantFrom('commentary', 'final_answer')) : fc.constant(undefined),
        state: has(source, 'signedParts') ? signed(source, text === '' ? 'empty' : 'text') : fc.constant(undefined),
        ext: bags(source),
      })
      .map(known);
  });
}

const CITATIONS = lawTableOf('citations');

function reasoningParts(source: DialectId): fc.Arbitrary<ReasoningPart> {
  const state = entries(source, 'reasoning').map((entry) => [entry]);
  const none: States = fc.constant([{ dialect: source, domain: DOMAIN, kind: 'none', payload: '' }]);
  return REASONING[source](state, none);
}

/** Lists of opaque state. */
export type States = fc.Arbitrary<StateEntry[]>;

const REASONING = lawTableOf('reasoningParts');

/** Argument texts as models write them, well and badly. */
const argumentTexts = fc.oneof(
  { weight: 5, arbitrary: jsonObjects.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: jsonObjects.map((value) => JSON.stringify(value, null, 2)) },
  { weight: 1, arbitrary: jsonObjects.map((value) => JSON.stringify(value).slice(0, -1)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ' ',
      'null',
      '[]',
      '"text"',
      '{"n":12345678901234567890}',
      '{"n":9007199254740993}',
      '{"n":1e400}',
      '{"n":1.0}',
      '{"a":1,"a":2}',
      '{"_raw_arguments":"x"}',
      'not json',
    ),
  },
);

function args(source: DialectId): fc.Arbitrary<Arguments> {
  if (!has(source, 'textArguments')) return jsonObjects.map((value) => ({ value }));
  return fc.oneof(
    { weight: 6, arbitrary: argumentTexts.map((text) => ({ text })) },
    { weight: 1, arbitrary: fc.constant({ value: {} }) },
  );
}

function callParts(source: DialectId): fc.Arbitrary<CallPart> {
  const plain = fc
    .record({
      kind: fc.constant('call' as const),
      callId: has(source, 'callIds')
        ? ids
        : fc.oneof({ weight: 4, arbitrary: ids }, { weight: 1, arbitrary: fc.constant('') }),
      name: toolNames,
      namespace: has(source, 'namespaces') ? rarely(toolNames) : fc.constant(undefined),
      args: args(source),
      truncated: has(source, 'callStatus') ? rarely(fc.constant(true)) : fc.constant(undefined),
      state: has(source, 'signedParts') ? signed(source, 'call') : fc.constant(undefined),
      ext: bags(source),
    })
    .map((part): CallPart => known(part));
  if (!has(source, 'customTools')) return plain;
  const custom = fc
    .tuple(plain, texts)
    .map(([part, freeform]): CallPart => ({ ...part, args: { value: {} }, freeform }));
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: custom });
}

export const refusals: fc.Arbitrary<RefusalPart> = fc
  .record({
    kind: fc.constant('refusal' as const),
    text: fc.oneof(words, texts),
    phase: maybe(fc.constant('final_answer')),
  })
  .map(known);

/** Pictures that a model made, as some hosts tell them beside the text. */
export function pictures(source: DialectId): fc.Arbitrary<MediaPart> {
  return fc
    .record({
      kind: fc.constant('media' as const),
      class: fc.constant('image' as const),
      mime: fc.constantFrom('image/png', 'image/jpeg'),
      data: base64.map((bytes) => ({ from: 'base64' as const, base64: bytes })),
      ext: bags(source),
    })
    .map(known);
}

export function media(source: DialectId): fc.Arbitrary<MediaPart> {
  return fc
    .record({
      kind: fc.constant('media' as const),
      type: fc.constantFrom(
        ['image', 'image/png'] as const,
        ['image', 'image/jpeg'] as const,
        ['audio', 'audio/wav'] as const,
        ['video', 'video/mp4'] as const,
      ),
      data: fc.oneof(
        { weight: 4, arbitrary: base64.map((bytes) => ({ from: 'base64' as const, base64: bytes })) },
        { weight: 1, arbitrary: urls.map((url) => ({ from: 'url' as const, url })) },
      ),
      filename: maybe(words),
      thought: rarely(fc.constant(true)),
      state: signed(source, 'image'),
      ext: bags(source),
    })
    .map(({ type, ...rest }) => known({ ...rest, class: type[0], mime: type[1] }));
}

/** Summaries of what came before: with words of their own, or as what only their service can decipher. */
export function compactions(source: DialectId, holds: 'words' | 'ciphertext'): fc.Arbitrary<CompactionPart> {
  return fc
    .record({
      kind: fc.constant('compaction' as const),
      summary: holds === 'words' ? maybe(words) : fc.constant(undefined),
      state: entries(source, holds === 'words' ? 'reasoning' : 'hosted').map((entry) => [entry]),
    })
    .map(known);
}

export const approvals: fc.Arbitrary<ApprovalPart> = fc.record({
  kind: fc.constant('approval' as const),
  role: fc.constant('request' as const),
  approvalId: ids,
  fields: jsonObjects,
});

export const handovers: fc.Arbitrary<HandoverPart> = fc.record({
  kind: fc.constant('handover' as const),
  fields: jsonObjects,
});

function opaques(source: DialectId): fc.Arbitrary<OpaquePart> {
  return fc.record({
    kind: fc.constant('opaque' as const),
    dialect: fc.constant(source),
    type: toolNames,
    raw: jsonObjects,
  });
}

/** Any part but hosted calls that an answer of `source` may hold. */
export function plainParts(source: DialectId): fc.Arbitrary<Part> {
  const common: fc.WeightedArbitrary<Part>[] = [
    { weight: 6, arbitrary: textParts(source) },
    { weight: 3, arbitrary: reasoningParts(source) },
    { weight: 3, arbitrary: callParts(source) },
    { weight: 1, arbitrary: opaques(source) },
  ];
  return fc.oneof(...common, ...FURTHER_PARTS[source]());
}

const FURTHER_PARTS = lawTableOf('furtherParts');
