import { createRequire } from 'node:module';
import type { Document, Node, Pair, YAMLMap } from 'yaml';
import type { Place } from '../ground/index.js';

/** How often aliases may repeat their anchors' values. */
const MOST_ALIASES = 100;

/** A fault of a YAML text, its place, and what to write instead; it quotes nothing of the text. */
export class YamlError extends Error {
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.name = 'YamlError';
    this.place = place;
  }
}

const UNKNOWN_ANCHOR = 'a `*` refers to an unknown anchor: put the string in quotes';

/** What to do about a fault, by the parser's word for it. Its own messages are left out: they quote the text. */
const ADVICE: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'tabs are not allowed for indentation; use spaces',
  BAD_INDENT: 'inconsistent indentation: give this line as many spaces as its neighbours have',
  MISSING_CHAR: 'a quote, a bracket or a space after a colon is missing before this place: add it',
  BLOCK_AS_IMPLICIT_KEY:
    'a map cannot begin in the middle of a line: give it a line of its own, or put the string in quotes',
  MULTILINE_IMPLICIT_KEY: 'a key spans several lines: write a colon and a space after it, or close the quotes',
  BAD_SCALAR_START: 'a string cannot begin with this character: put it in quotes',
  BAD_ALIAS: UNKNOWN_ANCHOR,
  UNEXPECTED_TOKEN: 'unexpected token: check brackets, quotes and indentation before it',
};

/** Loaded late: a start without a file does without it. */
const load = (): typeof import('yaml') => createRequire(import.meta.url)('yaml');

/**
 * The value of a YAML text. Throws YamlError. Duplicate keys are looked for here: the parser compares every key with all
 * before it, which takes minutes for tens of thousands of models.
 */
export function parseYaml(text: string): unknown {
  const { isScalar, LineCounter, parseDocument, visit } = load();
  const lines = new LineCounter();
  const placeAt = (offset = 0): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw new YamlError(ADVICE[fault.code] ?? 'check the text before it', placeAt(fault.pos[0]));
  const anchors = new Set<string>();
  const remember = ({ anchor }: { anchor?: string | undefined }): void => {
    if (anchor !== undefined) anchors.add(anchor);
  };
  visit(document, {
    Scalar: (_key, scalar) => remember(scalar),
    Seq: (_key, list) => remember(list),
    Alias(_key, { source, range }) {
      if (!anchors.has(source)) throw new YamlError(UNKNOWN_ANCHOR, placeAt(range?.[0]));
    },
    Map(_key, map) {
      remember(map);
      const seen = new Map<unknown, number>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const [offset = 0] = key.range ?? [];
        const first = seen.get(key.value);
        if (first !== undefined) {
          const message = `this key is in line ${placeAt(first).line} already: leave one of them out, or put both into one`;
          throw new YamlError(message, placeAt(offset));
        }
        seen.set(key.value, offset);
      }
    },
  });
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch {
    throw new YamlError('too many aliases: write the values out', placeAt());
  }
}

/**
 * Finds the places of values in a text of YAML or JSON that was parsed before. That of a value is where it begins; what is
 * not there is looked for at the name of the nearest thing around it, and `asKey` asks for the name in any case.
 */
export function createLocator(text: string): (steps: readonly (string | number)[], asKey: boolean) => Place {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } = load();
  const lines = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  /** Pairs by name: a file may have ten thousand models, and a mistake in each. */
  const indices = new WeakMap<object, ReadonlyMap<string, Pair>>();
  const indexOf = (map: YAMLMap): ReadonlyMap<string, Pair> => {
    const index =
      indices.get(map) ??
      new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])));
    indices.set(map, index);
    return index;
  };
  const step = (node: unknown, name: string | number): Pair | Node | undefined => {
    const target = isAlias(node) ? node.resolve(document) : node;
    if (isSeq(target)) return target.items[Number(name)] as Node | undefined;
    return isMap(target) ? indexOf(target).get(String(name)) : undefined;
  };
  return (steps, asKey) => {
    let node: unknown = document.contents;
    let nearest: unknown = document.contents;
    let whole = true;
    for (const name of steps) {
      const found = step(node, name);
      whole = found !== undefined;
      if (found === undefined) break;
      nearest = 'key' in found ? found.key : found;
      node = 'key' in found ? found.value : found;
    }
    const shown = whole && !asKey && rangeOf(node) !== undefined ? node : nearest;
    const { line, col } = lines.linePos(rangeOf(shown)?.[0] ?? 0);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
}

function rangeOf(node: unknown): readonly number[] | undefined {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) ? range : undefined;
}
