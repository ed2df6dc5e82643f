import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { lookUp } from '../wire/json.js';

const DETAILS: Readonly<Record<string, string>> = { low: 'low', medium: 'auto', high: 'high' };

/** The detail of pictures that say none, for targets where each has its own; undefined when the request asks for nothing that there is. */
export function pictureDetail(request: CanonicalRequest, losses: Losses): string | undefined {
  const { mediaResolution } = request;
  if (mediaResolution === undefined) return undefined;
  const detail = lookUp(DETAILS, mediaResolution);
  if (detail === undefined)
    losses.add(request, 'mediaResolution', 'dropped', 'the service does not provide this detail');
  else losses.add(request, 'mediaResolution', 'approximated', 'applied as the detail of each image');
  return detail;
}
