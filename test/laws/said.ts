import type { DialectId } from '../../translators/index.js';
import { type Data, readData } from '../support/frames.js';

/** What stands for the words of the data file; a member of which nothing is given is absent. */
export interface Given {
  readonly id: string;
  readonly text?: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly state?: string | undefined;
}

const SAID = readData('laws/said.yaml');

/** What a model says or its service does of a kind, as nodes of a dialect; none where it does no such thing. */
export function saidIn(dialect: DialectId, kind: string, { id, text, name, args, state }: Given): Data[] {
  const words = { TEXT: text, NAME: name, ARGS: args, JSON: JSON.stringify(args), STATE: state };
  return filledIn(SAID[dialect]?.[kind] ?? [], words, id);
}

/**
 * A node with values in the place of words. A word of a list gives way to the entries of a list; a member whose word has no
 * value is absent; `@` in a text is the id.
 */
export function filledIn(node: Data, words: Readonly<Record<string, unknown>>, id = '@'): Data {
  const isWord = (text: unknown): text is string => typeof text === 'string' && Object.hasOwn(words, text);
  if (isWord(node)) return words[node];
  if (typeof node === 'string') return node.replaceAll('@', id);
  if (Array.isArray(node)) {
    return node.flatMap((entry) => (isWord(entry) ? (words[entry] ?? []) : [filledIn(entry, words, id)]));
  }
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(([key, member]) => [key, filledIn(member, words, id)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
