import {
  createLosses,
  type DialectId,
  dialects,
  type EncodedRequest,
  type Losses,
  type ModelTarget,
  refuseLosses,
  TranslationError,
} from '../../translators/index.js';
import { lossesOf, openExchange, translatedAsk } from '../call/index.js';
import { type Counting, countingOf } from '../protocol/index.js';
import type { Attempt, Media } from './attempt.js';
import { type CountedPlan, countedBy } from './counted.js';
import { withMedia } from './inlining.js';
import { planRelay } from './relay-plan.js';
import { configuredProfile } from './restrictions.js';
import { contextOf, translatedHeaders } from './translation.js';

/** How a target counts the tokens of a request: the backend does, or it is estimated (translation.md 8). */
export function planCount(attempt: Attempt): CountedPlan | Promise<CountedPlan> {
  const { config } = attempt.backend;
  const counting = countingOf(config);
  return withMedia(attempt, (media) => {
    const plan =
      config.dialect === attempt.call.dialect
        ? countedBy(planRelay(attempt, 'count', media))
        : translatedCount(attempt, media);
    if (counting?.dialect === config.dialect) return plan;
    return (counting && countedElsewhere(plan, counting)) ?? { ...plan, local: true };
  });
}

function translatedCount(attempt: Attempt, media: Media | undefined): CountedPlan {
  const { backend, call, policy, target } = attempt;
  const { dialect } = backend.config;
  const losses = lossesOf(attempt.decoded());
  const sent = encodeFor(attempt, dialect, configuredProfile(target), losses, media);
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return {
    kind: 'counted',
    by: dialect,
    attempt,
    sent: {
      ...translatedAsk(backend.config, dialects[dialect], 'count', sent),
      headers: translatedHeaders(attempt, sent),
    },
    losses,
    media,
  };
}

/**
 * The same by the route of another dialect at the host of the backend: what would be lost in that dialect is lost in no answer. undefined
 * for a request that cannot be said in it.
 */
function countedElsewhere(plan: CountedPlan, { dialect, choice, path }: Counting): CountedPlan | undefined {
  const { attempt, media } = plan;
  try {
    const profile = dialects[dialect].target(attempt.target.model, choice);
    const sent = encodeFor(attempt, dialect, profile, createLosses(), media);
    return {
      ...plan,
      by: dialect,
      sent: {
        method: 'POST',
        path: path({ model: sent.model, stream: false }),
        body: JSON.stringify(dialects[dialect].count.encodeRequest(sent)),
        headers: translatedHeaders(attempt, { ...sent, betas: [] }),
      },
      relaysErrors: false,
    };
  } catch (thrown) {
    if (thrown instanceof TranslationError) return undefined;
    throw thrown;
  }
}

function encodeFor(
  attempt: Attempt,
  dialect: DialectId,
  profile: ModelTarget,
  losses: Losses,
  media: Media | undefined,
): EncodedRequest {
  const { omitMedia, seedUser } = attempt.gateway.config.translate;
  const context = contextOf(attempt, {
    backend: dialects[dialect],
    stream: false,
    profile,
    losses,
    counting: true,
    media,
  });
  return openExchange(context, { omitMedia, seedUser }).sent;
}
