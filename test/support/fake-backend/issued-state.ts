import { randomBytes } from 'node:crypto';
import type { StateKeeper } from '../../../src/simulator/rules/index.js';

/** Opaque state that is random on each issue and remembered, so that only what was really issued is known again. */
export function createIssuedState(): StateKeeper & { readonly issued: ReadonlyMap<string, string> } {
  const issued = new Map<string, string>();
  return {
    issued,
    issue(binding) {
      const token = randomBytes(96).toString('base64');
      issued.set(token, binding);
      return token;
    },
    check(token, binding) {
      const known = issued.get(token);
      if (known === undefined) return 'forged';
      return binding === undefined || binding === known ? 'valid' : 'altered';
    },
  };
}

/** Accepts every token; for reading recorded traffic, whose state was issued by the real services. */
export const TRUSTING_STATE: StateKeeper = { issue: (binding) => binding, check: () => 'valid' };
