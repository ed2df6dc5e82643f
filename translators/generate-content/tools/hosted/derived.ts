import type { HostedCallPart, HostedResultPart, Part } from '../../../canonical/content.js';

/** Whether a part was read out of metadata. */
export function isDerived(part: Part): part is HostedCallPart | HostedResultPart {
  return part.src?.ptr.endsWith('Metadata') === true;
}
