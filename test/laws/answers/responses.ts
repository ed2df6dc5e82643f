import fc from 'fast-check';
import type { Part } from '../../../translators/canonical/content.js';
import type { CanonicalError } from '../../../translators/canonical/errors.js';
import type { CanonicalResponse, Finish, FinishKind, Usage } from '../../../translators/canonical/response.js';
import type { DialectId } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';
import { counts, ids, jsonObjects, jsonValues, known, maybe, mostly, rarely, words } from '../values.js';
import { hostedPairs } from './hosted.js';
import { bags, plainParts } from './parts.js';

/** A way to end, and what has to be so for the source to end in it. */
interface Ending {
  readonly finish: Finish;
  readonly error?: CanonicalError;
  /** The answer holds nothing. */
  readonly empty?: boolean;
}

export type Kinds = readonly (readonly [FinishKind, readonly string[]])[];

const CUT: ReadonlySet<FinishKind> = new Set(['max_tokens', 'context_window', 'refusal']);

const KINDS = lawTableOf('finishWords');

function finishes(source: DialectId): fc.Arbitrary<Ending> {
  return fc.constantFrom(...KINDS[source]).chain(([kind, raws]) =>
    fc
      .record({
        raw: fc.constantFrom(...raws),
        sequence: words,
        detail: maybe(words),
        category: maybe(fc.constant('cyber')),
      })
      .map(({ raw, sequence, detail, category }): Ending => {
        const base = { kind, raw, dialect: source };
        const empty = kind === 'prompt_blocked' || (kind === 'malformed_call' && source === 'messages');
        if (kind === 'stop_sequence') return { finish: { ...base, stopSequence: sequence } };
        if (source === 'messages')
          return { finish: kind === 'refusal' ? known({ ...base, detail, category }) : base, empty };
        if (source === 'generateContent') return { finish: known({ ...base, detail }), empty };
        if (kind === 'failed')
          return { finish: { ...base, detail: sequence }, error: { kind: 'internal', message: sequence, code: raw } };
        const told = kind === 'context_window' || kind === 'prompt_blocked';
        return { finish: told ? { ...base, detail: sequence } : base, empty };
      }),
  );
}

/** The end that the source's own decoder would tell for these parts (translation.md 5.2 rules 2 and 3). */
function settled(source: DialectId, parts: readonly Part[], { finish }: Ending): Finish {
  const calls = parts.some((part) => part.kind === 'call' && part.truncated !== true);
  const refuses = source === 'responses' || source === 'chatCompletions';
  if (refuses && finish.kind === 'end') {
    const refusal = parts.find((part) => part.kind === 'refusal');
    if (refusal?.kind === 'refusal') return { ...finish, kind: 'refusal', detail: refusal.text };
    if (calls) return { ...finish, kind: 'tool_use' };
    return parts.at(-1)?.kind === 'compaction' ? { ...finish, kind: 'compaction' } : finish;
  }
  if (finish.kind !== 'end' || !calls) return finish;
  return source === 'messages' ? { ...finish, kind: 'tool_use', raw: 'tool_use' } : { ...finish, kind: 'tool_use' };
}

/** The last call of a Messages answer that was cut is cut itself. */
function cut(source: DialectId, parts: readonly Part[], { finish }: Ending): readonly Part[] {
  const last = parts.at(-1);
  if (source !== 'messages' || last?.kind !== 'call' || !CUT.has(finish.kind)) return parts;
  return [...parts.slice(0, -1), { ...last, truncated: true }];
}

function usages(source: DialectId): fc.Arbitrary<Usage> {
  const isM = source === 'messages';
  const count = maybe(counts);
  return fc
    .record({
      input: mostly(counts),
      output: mostly(counts),
      cacheRead: count,
      cacheWrite: source === 'generateContent' ? fc.constant(undefined) : count,
      cacheWrite1h: isM ? count : fc.constant(undefined),
      toolInput: source === 'generateContent' ? count : fc.constant(undefined),
      reasoning: count,
      hosted: isM
        ? maybe(fc.record({ webSearch: count, webFetch: count }).map(known))
        : source === 'responses'
          ? maybe(counts.map((webSearch) => ({ webSearch })))
          : fc.constant(undefined),
      ext: bags(source),
    })
    .map((usage) => {
      // Parts of a sum that this source always tells together with it.
      const whole = source === 'responses' ? usage : { ...usage, input: usage.input ?? 0 };
      const { cacheWrite } = whole;
      return known({
        ...whole,
        cacheWrite1h: whole.cacheWrite1h === undefined ? undefined : Math.min(whole.cacheWrite1h, cacheWrite ?? 0),
      });
    });
}

const TIERS = lawTableOf('serviceTiers');

const TELEMETRY = lawTableOf('telemetryKey');

function envelopes(source: DialectId) {
  return fc.record({
    id: ids,
    model: words,
    createdAt: source === 'messages' ? fc.constant(undefined) : maybe(fc.nat()),
    tier: maybe(fc.constantFrom(...TIERS[source])),
    ext: rarely(
      fc.record({ odd: maybe(jsonValues), figures: maybe(jsonObjects) }).map(({ odd, figures }) => ({
        [source]: known({ odd_key: odd, [TELEMETRY[source]]: figures === undefined ? undefined : { avg: figures } }),
      })),
    ),
    extraCandidates:
      source === 'generateContent'
        ? rarely(fc.array(jsonObjects, { minLength: 1, maxLength: 2 }))
        : fc.constant(undefined),
  });
}

/** Every node says where it stands in the canonical answer, so that losses can be compared with what they name. */
export function located(response: CanonicalResponse): CanonicalResponse {
  const parts = response.parts.map((part, index): Part => {
    const src = { ...part.src, ptr: `/parts/${index}` };
    if (part.kind !== 'text' || part.citations === undefined) return { ...part, src };
    const citations = part.citations.map((citation, place) => ({
      ...citation,
      src: { ...citation.src, ptr: `/parts/${index}/citations/${place}` },
    }));
    return { ...part, citations, src };
  });
  const usage =
    response.usage === undefined ? undefined : { ...response.usage, src: { ...response.usage.src, ptr: '/usage' } };
  return known({ ...response, parts, usage, src: { ...response.src, ptr: '' } });
}

/** Canonical answers as the decoder of `source` gives them. */
export function responses(source: DialectId): fc.Arbitrary<CanonicalResponse> {
  const parts = fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: plainParts(source).map((part) => [part]) },
        { weight: 1, arbitrary: hostedPairs(source) },
      ),
      { maxLength: 6 },
    )
    .map((list) => list.flat());
  return fc
    .record({
      ending: finishes(source),
      parts,
      usage: mostly(usages(source)),
      envelope: envelopes(source),
    })
    .map(({ ending: drawnEnd, parts: drawn, usage, envelope }) => {
      const compacts = drawnEnd.finish.kind === 'compaction' && drawn.some(isCompaction);
      const ending = drawnEnd.finish.kind === 'compaction' && !compacts ? NATURAL : drawnEnd;
      const kept = ending.empty === true ? [] : unique(drawn);
      const summary = kept.filter(isCompaction).slice(-1);
      const held = cut(source, compacts ? summary : kept, ending);
      return located(
        known({ source, ...envelope, parts: held, finish: settled(source, held, ending), usage, error: ending.error }),
      );
    });
}

/** A summary ends an answer; without one it ends as usual. */
const NATURAL: Ending = { finish: { kind: 'end', raw: 'end_turn', dialect: 'messages' } };

function isCompaction({ kind }: Part): boolean {
  return kind === 'compaction';
}

/** Ids of calls are unique within an answer. */
function unique(parts: readonly Part[]): Part[] {
  const seen = new Map<string, string>();
  let made = 0;
  return parts.map((part) => {
    if (part.kind === 'hostedResult') return { ...part, callId: seen.get(part.callId) ?? part.callId };
    if ((part.kind !== 'call' && part.kind !== 'hostedCall') || part.callId === '') return part;
    if (part.kind === 'call' && !seen.has(part.callId)) {
      seen.set(part.callId, part.callId);
      return part;
    }
    made += 1;
    const callId = `${part.callId}_${made}`;
    seen.set(part.callId, callId);
    return { ...part, callId };
  });
}
