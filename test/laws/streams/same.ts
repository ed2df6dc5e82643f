import type { DialectId, Loss } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';
import type { Wire } from './generate/values.js';
import { addPart } from './readers/generate-content.js';
import { UNPARSED } from './readers/messages.js';

/** Where two answers differ. */
export interface Difference {
  readonly path: string;
  readonly streamed: unknown;
  readonly folded: unknown;
}

/**
 * The first place where a streamed answer and a folded one differ in another way than the folding law lists
 * (translation.md 6.7); undefined when there is none. An exception holds only with its loss entry.
 */
export function difference(
  to: DialectId,
  streamed: Wire,
  folded: Wire,
  losses: readonly Loss[],
): Difference | undefined {
  return DIFFERENCES[to](streamed, folded, losses);
}

const DIFFERENCES = lawTableOf('differenceOf');

/** Exception c: adjacent unsigned texts are equal to their join. */
export function withJoinedTexts(answer: Wire): Wire {
  const { candidates } = answer;
  if (!Array.isArray(candidates)) return answer;
  const [candidate] = candidates;
  const parts: Wire[] = [];
  for (const part of candidate.content.parts) addPart(parts, part);
  if (parts.length === 0) parts.push({ text: '' });
  return { ...answer, candidates: [{ ...candidate, content: { ...candidate.content, parts } }] };
}

/**
 * Only who asks for counts is told them in a stream [H §7.2], and a stream begins with an empty text where a whole answer
 * says that there is none.
 */
export function differentCompletions(streamed: Wire, folded: Wire): Difference | undefined {
  const { usage: _usage, ...uncounted } = folded;
  return compare('', withText(streamed), withText(streamed.usage === undefined ? uncounted : folded));
}

function withText(answer: Wire): Wire {
  const choices = (answer.choices as readonly Wire[]).map(({ message, ...choice }) => {
    const { content, ...said } = message as Wire;
    return { ...choice, message: { ...said, content: content ?? '' } };
  });
  return { ...answer, choices };
}

/** Exceptions a and f: citations widened to their block or too late for it, and arguments that are no JSON object. */
export function differentMessages(streamed: Wire, folded: Wire, losses: readonly Loss[]): Difference | undefined {
  const { content: blocks, ...one } = streamed as { readonly content: readonly Wire[] };
  const { content: segments, ...other } = withToldTier(folded, streamed, losses) as {
    readonly content: readonly Wire[];
  };
  let at = 0;
  for (const [place, block] of blocks.entries()) {
    const path = `.content[${place}]`;
    const first = segments[at];
    if (first === undefined) return { path, streamed: block, folded: undefined };
    at += 1;
    const plain = compare(path, block, first);
    if (plain === undefined) continue;
    if (block.type !== 'text' || first.type !== 'text') {
      if (!isUnparsed(block, first, losses)) return plain;
      continue;
    }
    const joined = [first];
    while (textOf(joined).length < String(block.text).length && segments[at]?.type === 'text') {
      joined.push(segments[at] ?? {});
      at += 1;
    }
    if (textOf(joined) !== block.text) return { path, streamed: block, folded: joined };
    const wrong = differentCitations(citationsOf([block]), citationsOf(joined), losses);
    if (wrong !== undefined) return { path: `${path}.citations ${wrong}`, streamed: block, folded: joined };
  }
  if (at < segments.length) return { path: '.content.length', streamed: blocks, folded: segments };
  return compare('', one, other);
}

/**
 * A stream tells the tier in its first event or not at all [M §5.5]: one that became known later is lost, and the standard
 * one goes without saying.
 */
function withToldTier(folded: Wire, streamed: Wire, losses: readonly Loss[]): Wire {
  const [usage, told] = [folded.usage, streamed.usage];
  if (!isObject(usage) || !isObject(told) || told.service_tier !== null) return folded;
  const lost = losses.some(({ feature, kind }) => feature === 'tier' && kind === 'dropped');
  return usage.service_tier === 'standard' || lost ? { ...folded, usage: { ...usage, service_tier: null } } : folded;
}

function isUnparsed(block: Wire, other: Wire, losses: readonly Loss[]): boolean {
  const raw = Reflect.get(Object(block.input), UNPARSED);
  const told = losses.some(({ feature, kind }) => feature === 'call.args' && kind === 'approximated');
  return told && typeof raw === 'string' && compare('', block, other) === undefined;
}

function textOf(blocks: readonly Wire[]): string {
  return blocks.map(({ text }) => text).join('');
}

function citationsOf(blocks: readonly Wire[]): string[] {
  return [
    ...new Set(
      blocks.flatMap(({ citations }) => (Array.isArray(citations) ? citations : [])).map((one) => JSON.stringify(one)),
    ),
  ];
}

function differentCitations(
  streamed: readonly string[],
  folded: readonly string[],
  losses: readonly Loss[],
): string | undefined {
  const missing = folded.filter((citation) => !streamed.includes(citation));
  const made = streamed.filter((citation) => !folded.includes(citation));
  if (made.length > 0) return `made up: ${made}`;
  const kinds = losses.filter(({ feature }) => feature === 'part.citation').map(({ kind }) => kind);
  if (missing.length > 0 && !kinds.includes('dropped')) return `missing: ${missing}`;
  return kinds.length === 0 ? 'without a loss entry' : undefined;
}

export function compare(path: string, one: unknown, other: unknown): Difference | undefined {
  if (Object.is(one, other)) return undefined;
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return first(one.map((value, index) => compare(`${path}[${index}]`, value, other[index])));
  }
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return first(keys.map((key) => compare(`${path}.${key}`, one[key], other[key])));
  }
  return { path, streamed: one, folded: other };
}

function first(found: readonly (Difference | undefined)[]): Difference | undefined {
  return found.find((difference) => difference !== undefined);
}

function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
