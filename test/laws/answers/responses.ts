import fc from 'fast-check';
import type { Part } from '../../../translators/canonical/content.js';
import type { CanonicalResponse, FinishKind, Usage } from '../../../translators/canonical/response.js';
import type { DialectId } from '../../../translators/index.js';
import { has, lawTableOf } from '../dialects/index.js';
import { counts, ids, jsonObjects, jsonValues, known, maybe, mostly, rarely, words } from '../values.js';
import type { Ending } from './endings.js';
import { hostedPairs } from './hosted.js';
import { bags, plainParts } from './parts.js';

export type Kinds = readonly (readonly [FinishKind, readonly string[]])[];

const CUT: ReadonlySet<FinishKind> = new Set(['max_tokens', 'context_window', 'refusal']);

const KINDS = lawTableOf('finishWords');

const ENDINGS = lawTableOf('endings');

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
        if (kind === 'stop_sequence') return { finish: { ...base, stopSequence: sequence } };
        return ENDINGS[source].told(base, { sequence, detail, category });
      }),
  );
}

/** The last call of an answer that was cut is cut itself, where the wire does not say. */
function cut(source: DialectId, parts: readonly Part[], { finish }: Ending): readonly Part[] {
  const last = parts.at(-1);
  if (!has(source, 'cutCalls') || last?.kind !== 'call' || !CUT.has(finish.kind)) return parts;
  return [...parts.slice(0, -1), { ...last, truncated: true }];
}

/** Counts that only some wires tell. */
export type UsageCount = 'cacheWrite' | 'cacheWrite1h' | 'toolInput' | 'webSearch' | 'webFetch';

const COUNTS = lawTableOf('usageCounts');

function atMost(count: number | undefined, limit: number): number | undefined {
  return count === undefined ? undefined : Math.min(count, limit);
}

function usages(source: DialectId): fc.Arbitrary<Usage> {
  const count = maybe(counts);
  const told = new Set(COUNTS[source]);
  const countOf = (name: UsageCount) => (told.has(name) ? count : fc.constant(undefined));
  const { webSearch, webFetch } = { webSearch: countOf('webSearch'), webFetch: countOf('webFetch') };
  return fc
    .record({
      input: mostly(counts),
      output: mostly(counts),
      cacheRead: count,
      cacheWrite: countOf('cacheWrite'),
      cacheWrite1h: countOf('cacheWrite1h'),
      toolInput: countOf('toolInput'),
      reasoning: count,
      hosted: told.has('webSearch') ? maybe(fc.record({ webSearch, webFetch }).map(known)) : fc.constant(undefined),
      ext: bags(source),
    })
    .map((usage) => {
      // Parts of a sum that this source always tells together with it.
      const whole = has(source, 'partialUsage') ? usage : { ...usage, input: usage.input ?? 0 };
      const { input = Number.POSITIVE_INFINITY, output = Number.POSITIVE_INFINITY } = whole;
      // What is a part of a count is no more than it.
      const cacheRead = atMost(whole.cacheRead, input);
      const cacheWrite = atMost(whole.cacheWrite, input - (cacheRead ?? 0));
      return known({
        ...whole,
        cacheRead,
        cacheWrite,
        reasoning: atMost(whole.reasoning, output),
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
    createdAt: has(source, 'creationTime') ? maybe(fc.nat()) : fc.constant(undefined),
    tier: maybe(fc.constantFrom(...TIERS[source])),
    ext: rarely(
      fc.record({ odd: maybe(jsonValues), figures: maybe(jsonObjects) }).map(({ odd, figures }) => ({
        [source]: known({ odd_key: odd, [TELEMETRY[source]]: figures === undefined ? undefined : { avg: figures } }),
      })),
    ),
    extraCandidates: has(source, 'candidates')
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
      const ending = drawnEnd.finish.kind === 'compaction' && !compacts ? naturalEnd(source) : drawnEnd;
      const kept = ending.empty === true ? [] : unique(drawn);
      const summary = kept.filter(isCompaction).slice(-1);
      const held = cut(source, compacts ? summary : kept, ending);
      return located(
        known({
          source,
          ...envelope,
          parts: held,
          finish: ENDINGS[source].settled(held, ending.finish),
          usage,
          error: ending.error,
        }),
      );
    });
}

/** A summary ends an answer; without one it ends as usual. */
function naturalEnd(source: DialectId): Ending {
  const [, raws = []] = KINDS[source].find(([kind]) => kind === 'end') ?? [];
  return { finish: { kind: 'end', raw: raws[0] ?? '', dialect: source } };
}

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
