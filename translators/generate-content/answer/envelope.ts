import { dropExtras } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import type { CanonicalResponse, Finish } from '../../canonical/response.js';
import { hashHex } from '../../wire/hash.js';
import { DIALECT } from '../nodes.js';
import { reportUsage } from '../response/usage.js';

/** Reports fields of an answer of another service, besides its candidate, that this dialect does not have. */
export function reportEnvelope(
  { ext, usage, tier, extraCandidates }: Pick<CanonicalResponse, 'ext' | 'usage' | 'tier' | 'extraCandidates'>,
  losses: Losses,
): void {
  dropExtras({ ext, usage }, DIALECT, losses);
  if (tier !== undefined) losses.add('', 'tier', 'dropped', 'the tier belongs to another service');
  if (extraCandidates !== undefined) losses.add('', 'candidates', 'dropped', 'only the first candidate is returned');
  if (usage !== undefined) reportUsage(usage, losses);
}

/** Whether clients of this dialect see an answer that ended so as an error (translation.md 5.2). */
export function isFailure({ kind }: Finish): boolean {
  return kind === 'failed' || kind === 'cancelled';
}

/** The failure that an answer stands for. */
export function failureOf(response: Pick<CanonicalResponse, 'finish' | 'error'>): TranslationError {
  const { error, finish } = response;
  if (finish.kind === 'cancelled') {
    return new TranslationError('cancelled', 'the answer was cancelled', { dialect: DIALECT });
  }
  return new TranslationError(error?.kind ?? 'internal', error?.message ?? 'the backend failed', {
    dialect: DIALECT,
    ...(error?.code !== undefined && { code: error.code }),
  });
}

/** The id of an answer as clients of this dialect see it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return hashHex(`${id}\n${nonce}`, 32);
}
