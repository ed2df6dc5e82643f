import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';

/** A hosted call of another service, or its result: messages of this dialect show only what the answer cites of it (chat-translation.md 5.1). */
export function dropHosted(part: HostedCallPart | HostedResultPart, losses: Losses): void {
  if (part.kind === 'hostedCall') losses.add(part.src?.ptr ?? '', 'hosted.call', 'dropped', 'no message shows it');
}
