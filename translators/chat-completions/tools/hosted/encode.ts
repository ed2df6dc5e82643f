import type { Part } from '../../../canonical/content.js';
import type { Feature } from '../../../canonical/loss.js';

const UNSEEN = 'clients of this dialect see no calls that the service ran';

/** What is lost of calls that a service ran: messages show only what the answer cites of them (translation.md 5.1). */
export const HOSTED_LOSSES = {
  hostedCall: ['hosted.call', UNSEEN],
  hostedResult: ['hosted.output', UNSEEN],
} as const satisfies Partial<Record<Part['kind'], readonly [Feature, string]>>;
