import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';

/** Reports a call that a service ran, or its result: messages show only what the answer cites of them (translation.md 5.1). */
export function reportHosted(part: HostedCallPart | HostedResultPart, losses: Losses): void {
  const feature = part.kind === 'hostedCall' ? 'hosted.call' : 'hosted.output';
  losses.add(part, feature, 'dropped', 'clients of this dialect do not receive hosted tool calls');
}
