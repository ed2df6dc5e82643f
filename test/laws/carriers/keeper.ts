import { createHash } from 'node:crypto';
import type { StateKeeper } from '../../../src/simulator/rules/index.js';

/** State of one backend: every token differs, and the keeper knows which part each belongs to. */
export interface Keeper extends StateKeeper {
  readonly tokens: ReadonlyMap<string, string>;
}

/**
 * A keeper whose tokens depend on `label` and their number only; every other token is so long that a carrier deflates it.
 * A `loose` one asks of a call's token only that the name of the function is right: a fingerprint covers no more.
 */
export function createKeeper(label: string, loose = false): Keeper {
  const tokens = new Map<string, string>();
  const bound = (binding: string): string => (loose ? binding.replace(/^(call \["[^"]*").*$/, '$1') : binding);
  return {
    tokens,
    issue(binding) {
      const seed = `${label} ${tokens.size}`;
      const blocks = tokens.size % 2 === 0 ? 1 : 90;
      const bytes = Array.from({ length: blocks }, (_, index) =>
        createHash('sha256').update(`${seed} ${index}`).digest(),
      );
      const token = Buffer.concat(bytes).toString('base64');
      tokens.set(token, binding);
      return token;
    },
    check(token, binding) {
      const known = tokens.get(token);
      if (known === undefined) return 'forged';
      return binding === undefined || bound(binding) === bound(known) ? 'valid' : 'altered';
    },
  };
}
