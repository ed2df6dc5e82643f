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
  const filled = (node: Data): Data => {
    if (typeof node === 'string')
      return Object.hasOwn(words, node) ? Reflect.get(words, node) : node.replaceAll('@', id);
    if (Array.isArray(node)) return node.map(filled);
    if (typeof node !== 'object' || node === null) return node;
    const members = Object.entries(node).map(([key, member]) => [key, filled(member)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return filled(SAID[dialect]?.[kind] ?? []);
}
