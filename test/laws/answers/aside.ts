import type { TextPart } from '../../../translators/canonical/content.js';
import { isObject } from '../../../translators/wire/json.js';
import type { Exchange } from './compare.js';
import { same } from './differ.js';
import type { Item } from './norm.js';

type Named = (ptrs: readonly string[], features: readonly string[]) => boolean;

/**
 * Searches and fetches that stand in metadata (translation.md 5.1): all searches are one there, with the pages that were
 * cited among what they found; fetches stand in order.
 */
export function compareAside(from: readonly Item[], to: readonly Item[], exchange: Exchange, named: Named): string[] {
  return [...compareSearches(from, to, exchange, named), ...compareFetches(from, to, named)];
}

const of = (items: readonly Item[], family: string, kind: string): Item[] =>
  items.filter((item) => item.kind === kind && item.facts.family === family);

function compareSearches(from: readonly Item[], to: readonly Item[], { source }: Exchange, named: Named): string[] {
  const complaints: string[] = [];
  const asked = (items: readonly Item[]): unknown[] =>
    of(items, 'webSearch', 'hostedCall').flatMap(({ facts }) => facts.queries as unknown[]);
  const queries = asked(from);
  if (!same(queries, asked(to)))
    complaints.push(`queries ${JSON.stringify(queries)} became ${JSON.stringify(asked(to))}`);
  for (const { facts, ptrs } of of(from, 'webSearch', 'hostedCall')) {
    const plain = facts.action === 'search' && (facts.queries as unknown[]).length > 0 && facts.status === undefined;
    if (!plain && !named(ptrs, ['hosted.call'])) complaints.push(`${ptrs[0]}: ${JSON.stringify(facts)} is not told`);
  }
  const cited = source.parts
    .filter((part): part is TextPart => part.kind === 'text')
    .flatMap((part) => (part.citations ?? []).map(({ url }) => url));
  const found = of(to, 'webSearch', 'hostedResult').flatMap(({ facts }) => facts.sources as Source[]);
  const wanted: Source[] = [];
  for (const { facts, ptrs } of of(from, 'webSearch', 'hostedResult')) {
    const { sources, family: _family, ...rest } = facts;
    const list = sources as Source[];
    wanted.push(...list);
    const missing = list.some(({ url, title, pageAge }) => {
      const hit = found.find((other) => other.url === url && (title === undefined || other.title === title));
      return hit === undefined || pageAge !== undefined;
    });
    const failed = Object.values(rest).some((value) => value !== undefined);
    if ((missing || failed) && !named(ptrs, ['hosted.output', 'hosted.call']))
      complaints.push(`${ptrs[0]}: ${JSON.stringify(facts)} became ${JSON.stringify(found)}`);
  }
  for (const { url } of found) {
    if (!cited.includes(url as string) && !wanted.some((source) => source.url === url))
      complaints.push(`${String(url)} was never found`);
  }
  return complaints;
}

interface Source {
  readonly url?: unknown;
  readonly title?: unknown;
  readonly pageAge?: unknown;
}

function compareFetches(from: readonly Item[], to: readonly Item[], named: Named): string[] {
  const complaints: string[] = [];
  const pairsOf = (items: readonly Item[]) =>
    of(items, 'urlFetch', 'hostedCall').map((call) => ({
      call,
      result: of(items, 'urlFetch', 'hostedResult').find(
        ({ parts }) => Reflect.get(Object(parts[0]), 'callId') === Reflect.get(Object(call.parts[0]), 'callId'),
      ),
    }));
  const told = pairsOf(to);
  for (const { call, result } of pairsOf(from)) {
    if (result === undefined) {
      if (!named(call.ptrs, ['hosted.call'])) complaints.push(`${call.ptrs[0]}: the fetch is not told`);
      continue;
    }
    const read = told.shift()?.result;
    const urlOf = (item: Item | undefined): unknown => item?.facts.url;
    const wanted = { ...result.facts, url: urlOf(result) ?? inputOf(call).url };
    if (!same(wanted, read?.facts) && !named(result.ptrs, ['hosted.output']))
      complaints.push(`${result.ptrs[0]}: ${JSON.stringify(wanted)} became ${JSON.stringify(read?.facts)}`);
    if (!same(inputOf(call).url, wanted.url) && !named(call.ptrs, ['hosted.call']))
      complaints.push(`${call.ptrs[0]}: ${JSON.stringify(inputOf(call))} is not told`);
  }
  if (told.length > 0) complaints.push('a fetch that nobody made');
  return complaints;
}

function inputOf(item: Item): Readonly<Record<string, unknown>> {
  return isObject(item.facts.input) ? item.facts.input : {};
}
