import fc from 'fast-check';
import type {
  CallPart,
  Citation,
  MediaPart,
  Part,
  ReasoningPart,
  ResultPart,
  SearchResultPart,
  TextDocPart,
  TextPart,
} from '../../../translators/canonical/content.js';
import type { StateEntry } from '../../../translators/canonical/state.js';
import type { DialectId } from '../../../translators/index.js';
import { encodeCarrier } from '../../../translators/wire/carrier.js';
import type { Data } from '../../support/frames.js';
import { has, lawTableOf } from '../dialects/index.js';
import { mediaPart } from './media.js';
import { tools } from './tools.js';
import { VALUES } from './values.js';
import { cache, ext, fields, label, NOTHING, object, rarely, text, toolName } from './words.js';

/** What a client sends back on a part of the model, where parts are signed. */
function signed(source: DialectId, on: 'text' | 'call'): fc.Arbitrary<readonly StateEntry[] | undefined> {
  const domain = `unknown:${source}`;
  const state: readonly StateEntry[] = [{ dialect: source, domain, kind: 'signature', payload: 'c2ln', on }];
  return has(source, 'signedParts') ? rarely(fc.constant(state), 6) : NOTHING;
}

const citation = fc.constantFrom<Citation>(...VALUES.citations);

/** A text with whatever may hang on one. */
function textPart(source: DialectId, cited: boolean): fc.Arbitrary<TextPart> {
  return fields<TextPart>({
    kind: fc.constant('text'),
    text,
    cache: rarely(cache, 9),
    phase: cited && has(source, 'phases') ? rarely(fc.constantFrom('commentary', 'final_answer'), 9) : NOTHING,
    citations: rarely(fc.array(citation, { minLength: 1, maxLength: 2 }), cited ? 9 : 60),
    state: cited ? signed(source, 'text') : NOTHING,
    ext: ext(source),
  }).map((part) =>
    part.citations === undefined || /^[\0-\ud7ff]{3}/.test(part.text) ? part : { ...part, text: 'cited' },
  );
}

function documentPart(source: DialectId): fc.Arbitrary<TextDocPart> {
  return fields<TextDocPart>({
    kind: fc.constant('textdoc'),
    title: rarely(label, 1),
    context: rarely(fc.constant('about it')),
    citable: rarely(fc.boolean()),
    parts: fc.array(
      fc.oneof(
        { arbitrary: text.map((words): TextPart => ({ kind: 'text', text: words })), weight: 5 },
        { arbitrary: fc.constant({ kind: 'media' as const, ...VALUES.bytes[0] } as MediaPart), weight: 1 },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    cache: rarely(cache, 9),
    ext: ext(source),
  });
}

function plainImage({ class: kind, mime, data }: MediaPart): MediaPart {
  return { kind: 'media', class: kind, ...(mime !== undefined && { mime }), data };
}

function searchPart(source: DialectId): fc.Arbitrary<SearchResultPart> {
  return fields<SearchResultPart>({
    kind: fc.constant('searchResult'),
    source: fc.constantFrom('https://example.org/s', 'kb'),
    title: label,
    parts: fc.array(
      text.map((words): TextPart => ({ kind: 'text', text: words })),
      { minLength: 1, maxLength: 2 },
    ),
    citable: rarely(fc.boolean()),
    cache: rarely(cache, 9),
    ext: ext(source),
  });
}

function opaquePart(source: DialectId): fc.Arbitrary<Part> {
  return fc.constant({ kind: 'opaque', dialect: source, type: 'odd_block', raw: { type: 'odd_block', x: 1 } });
}

/** What a user says beside results. */
export function userPart(source: DialectId): fc.Arbitrary<Part> {
  return fc.oneof(
    { arbitrary: textPart(source, false), weight: 12 },
    { arbitrary: mediaPart(source), weight: 4 },
    ...inMessages(source),
    { arbitrary: opaquePart(source), weight: 1 },
  );
}

/** Kinds of parts that one dialect alone has. */
function inMessages(source: DialectId): fc.WeightedArbitrary<SearchResultPart | TextDocPart>[] {
  if (!has(source, 'documents')) return [];
  return [
    { arbitrary: documentPart(source), weight: 1 },
    { arbitrary: searchPart(source), weight: 1 },
  ];
}

/** The words of a call; its id is given by the conversation around it. */
export function callPart(source: DialectId): fc.Arbitrary<CallPart> {
  return fc
    .tuple(
      fields<Omit<CallPart, 'kind' | 'callId' | 'args'>>({
        name: toolName,
        namespace: has(source, 'namespaces') ? rarely(fc.constantFrom('ns', 'crm'), 14) : NOTHING,
        freeform: has(source, 'customTools') ? rarely(text, 14) : NOTHING,
        truncated: rarely(fc.constant(true), 29),
        state: signed(source, 'call'),
        cache: has(source, 'cacheMarks') ? rarely(cache, 14) : NOTHING,
      }),
      fc.oneof(
        { arbitrary: object.map((value) => ({ value })), weight: 4 },
        { arbitrary: object.map((value) => ({ text: JSON.stringify(value) })), weight: 4 },
        {
          arbitrary: fc.constantFrom(
            { text: '' },
            { text: ' {"a" : 1.0} ' },
            { text: '{"id": 12345678901234567890}' },
            { text: '[1]' },
            { text: '{"cut": "of' },
            { text: 'null' },
            { value: {} },
          ),
          weight: 2,
        },
      ),
    )
    .map(([call, args]) => ({
      kind: 'call',
      callId: '',
      ...call,
      args: call.freeform === undefined ? args : { value: {} },
    }));
}

/** What a tool gave back; id and name are the conversation's. */
export function resultPart(source: DialectId): fc.Arbitrary<ResultPart> {
  const child = fc.oneof(
    { arbitrary: textPart(source, false), weight: 8 },
    { arbitrary: mediaPart(source), weight: 2 },
    ...inMessages(source),
    {
      arbitrary: fc.constant({
        kind: 'opaque' as const,
        dialect: source,
        type: 'tool_reference',
        raw: { type: 'tool_reference', tool_name: 'f' },
      }),
      weight: 1,
    },
  );
  const content = fc.oneof(
    { arbitrary: fc.array(child, { maxLength: 3 }).map((parts) => ({ parts })), weight: 6 },
    { arbitrary: object.map((value) => ({ parts: [], json: value })), weight: 2 },
    {
      arbitrary: fc.tuple(object, mediaPart(source)).map(([value, media]) => ({ parts: [media], json: value })),
      weight: 1,
    },
  );
  const rest = fields<Pick<ResultPart, 'isError' | 'cache' | 'ext'>>({
    isError: rarely(fc.boolean()),
    cache: has(source, 'cacheMarks') ? rarely(cache, 14) : NOTHING,
    ext: ext(source),
  });
  return fc.tuple(content, rest).map(([inner, more]) => ({ kind: 'result', callId: '', ...inner, ...more }));
}

const NODES = lawTableOf('reasoningNode');

function entry(dialect: DialectId, domain: string): StateEntry {
  return { dialect, domain, kind: 'reasoning', payload: JSON.stringify(NODES[dialect]) };
}

/**
 * Thinking in history: without state, with state of its own service, as a carrier of the target or of a third party, or
 * with a carrier that is damaged. `domains` are those of the services.
 */
function reasoningPart(source: DialectId, domains: Readonly<Record<DialectId, string>>): fc.Arbitrary<ReasoningPart> {
  const shown = fc.array(fc.constantFrom('hm', 'let me see'), { maxLength: 2 });
  const ids = Object.keys(domains) as DialectId[];
  const whole = fc.constantFrom(...ids).map((id) => encodeCarrier(id, domains[id], [entry(id, domains[id])]));
  const carried = fc.oneof(
    { arbitrary: whole, weight: 6 },
    { arbitrary: whole.map((carrier) => `${carrier.slice(0, -6)}AAAA==`), weight: 1 },
    {
      arbitrary: fc.constant(
        encodeCarrier('messages', 'elsewhere', [
          { dialect: 'messages', domain: 'elsewhere', kind: 'none', payload: '' },
        ]),
      ),
      weight: 1,
    },
  );
  return fc.oneof(
    shown.map((words): ReasoningPart => ({ kind: 'reasoning', text: words })),
    fc.tuple(shown, carried).map(([words, carrier]): ReasoningPart => ({ kind: 'reasoning', text: words, carrier })),
    shown.map(
      (words): ReasoningPart => ({ kind: 'reasoning', text: words, state: [entry(source, `unknown:${source}`)] }),
    ),
  );
}

/** A call that a service ran itself and what it brought, which may be missing. */
const hostedPair: fc.Arbitrary<readonly Part[]> = fc
  .tuple(fc.constantFrom<Data>(...VALUES.hostedPairs), fc.nat(9), fc.nat(9999))
  .map(([{ call, result }, rare, n]) => {
    const callId = `h_${n}`;
    const pair: readonly Part[] = [
      { kind: 'hostedCall', ...call, callId },
      { kind: 'hostedResult', ...result, callId },
    ];
    return rare === 0 ? pair.slice(0, 1) : rare === 1 ? pair.slice(1) : pair;
  });

const APPROVAL: Part = {
  kind: 'approval',
  role: 'request',
  approvalId: '',
  fields: { name: 'n', server_label: 's', arguments: '{}' },
};

/** What stands in an assistant's turn beside calls; a hosted call comes with its result. */
export function assistantParts(
  source: DialectId,
  domains: Readonly<Record<DialectId, string>>,
): fc.Arbitrary<readonly Part[]> {
  const one = (part: Part): readonly Part[] => [part];
  return fc.oneof(
    { arbitrary: textPart(source, true).map(one), weight: 12 },
    {
      arbitrary: fields<Part & { kind: 'refusal' }>({
        kind: fc.constant('refusal'),
        text,
        phase: rarely(fc.constant('final_answer'), 9),
        cache: rarely(cache, 9),
      }).map(one),
      weight: has(source, 'refusalParts') ? 1 : 0,
    },
    { arbitrary: reasoningPart(source, domains).map(one), weight: 3 },
    { arbitrary: hostedPair, weight: 2 },
    { arbitrary: mediaPart(source).map(plainImage).map(one), weight: 1 },
    { arbitrary: opaquePart(source).map(one), weight: 1 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom<Part>(
            { kind: 'handover', fields: { type: 'fallback' } },
            has(source, 'approvals') ? APPROVAL : { kind: 'compaction', summary: '' },
            { kind: 'compaction', summary: 'what came before' },
            ...(has(source, 'keptParts') ? VALUES.held : []),
          ),
          fc.nat(99_999),
        )
        .map(([part, n]): Part => (part.kind === 'approval' ? { ...part, approvalId: `apr_${n}` } : part))
        .map(one),
      weight: 1,
    },
  );
}

/** Tools that appear or disappear in mid-history. */
export function toolChange(source: DialectId): fc.Arbitrary<Part> {
  return fc
    .tuple(fc.array(tools(source).function, { maxLength: 2 }), fc.array(toolName, { maxLength: 1 }))
    .filter(([added, removed]) => added.length + removed.length > 0)
    .map(([added, removed]) => ({ kind: 'toolChange', added, removed }));
}
