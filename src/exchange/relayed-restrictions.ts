import type { CanonicalError, HostFeature } from '../../translators/index.js';
import type { JsonText } from '../protocol/index.js';
import type { Attempt } from './attempt.js';
import { capIn, unsupportedIn } from './restrictions.js';

/** What the refusals of a relayed request revealed of its host. */
export interface RelayRestrictions {
  /** What it does not support. */
  readonly unsupported: readonly HostFeature[];
  /** How many tokens its model generates at most. */
  readonly cap?: number;
  /** How many refusals that were. */
  readonly times: number;
}

export const UNRESTRICTED: RelayRestrictions = { unsupported: [], times: 0 };

/** How many refusals of one request may reveal a restriction: each has to name a member that none before it named. */
const MAX_RESTRICTIONS = 3;

/** A relayed request, as its host got it. */
interface Sent {
  readonly attempt: Attempt;
  readonly json: JsonText;
  readonly restrictions: RelayRestrictions;
}

/** The restrictions that a refusal of a relayed body may reveal, in the order in which they are tried. */
export function restrictionsAfter(
  { attempt, json, restrictions }: Sent,
  error: CanonicalError,
): readonly RelayRestrictions[] {
  if (restrictions.times === MAX_RESTRICTIONS) return [];
  const { config } = attempt.backend;
  const cap = capIn(config, error, json.value);
  const tries = [...(cap === undefined ? [] : [[]]), ...unsupportedIn(config, error, json.value)];
  return tries.map((unsupported) => ({
    unsupported: [...new Set([...restrictions.unsupported, ...unsupported])],
    cap: cap ?? restrictions.cap,
    times: restrictions.times + 1,
  }));
}
