import { dialectIds, dialects, type Limits } from '../../translators/index.js';
import type { ClientCall } from '../http/index.js';

const FULL = { limit: 1, remaining: 1, resetMs: 1 };

/** The kinds of limits that keys have. Input and output tokens are tokens too. */
const KINDS: readonly Limits[] = [{ requests: FULL }, { tokens: FULL, inputTokens: FULL, outputTokens: FULL }];

/** The names of the headers of each kind, by dialect. */
const NAMES = new Map(
  dialectIds.map((id) => [id, KINDS.map((limits) => Object.keys(dialects[id].encodeLimits(limits, 0)))]),
);

/** Headers of a backend without its limits of those kinds of which the caller's key has its own. */
export function withoutOwnKinds(call: ClientCall, headers: Record<string, string>): Record<string, string> {
  const own = call.admission?.headers;
  if (own === undefined) return headers;
  const kept = { ...headers };
  for (const names of NAMES.get(call.dialect) ?? []) {
    if (names.some((name) => name in own)) for (const name of names) delete kept[name];
  }
  return kept;
}
