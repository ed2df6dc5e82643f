import type { DialectId } from '../../../translators/index.js';
import { hash32 } from '../../../translators/wire/hash.js';
import { has, lawTableOf } from '../dialects/index.js';

const NAME_RULES = lawTableOf('nameRules');

/** The name under which `dialect` knows a tool (translation.md 2.7 rule 1). */
function aliasOf(dialect: DialectId, name: string, namespace?: string, taken: readonly string[] = []): string {
  const full = namespace === undefined || has(dialect, 'namespaces') ? name : `${namespace}__${name}`;
  const { legal, char, limit, fixed = [], first } = NAME_RULES[dialect];
  if (legal.test(full) && !fixed.includes(full) && !taken.includes(full)) return full;
  let clean = '';
  for (const letter of full) clean += char.test(letter) ? letter : '_';
  if (first?.test(clean) === false) clean = `_${clean}`;
  return `${clean.slice(0, limit - 9)}_${hash32(full, 8)}`;
}

/** Where a request went: to a dialect, or through one and back into its own. */
export interface Route {
  readonly target: DialectId;
  readonly via?: DialectId;
  /** Names that the stand-ins of the client's built-in tools have taken on the first stretch. */
  readonly taken?: readonly string[];
}

/** The words under which a tool is the same tool at the end of a route. */
export function toolKey({ target, via, taken }: Route, name: string, namespace?: string): string {
  const known = via === undefined ? name : aliasOf(via, name, namespace, taken);
  const within = via === undefined || has(via, 'namespaces') ? namespace : undefined;
  return `${has(target, 'namespaces') ? (within ?? '') : ''} ${aliasOf(target, known, within, via === undefined ? taken : [])}`;
}
