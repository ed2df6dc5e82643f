import type { Losses } from '../canonical/loss.js';
import { ptrOf } from '../canonical/node.js';
import type { HostedTool, UserLocation } from '../canonical/tools.js';

/** Country codes of ISO 3166-1 alpha-2, which is all that searches take. */
const COUNTRY = /^[A-Za-z]{2}$/;

/**
 * Where the user of a web search is, as other services take it: a country that is no code is reported and left out, for
 * they refuse the whole request for it. Undefined when nothing is left.
 */
export function searchPlace(tool: HostedTool, losses: Losses): UserLocation | undefined {
  const { userLocation } = tool.settings;
  if (userLocation === undefined) return undefined;
  const { country, ...rest } = userLocation;
  const known = country === undefined || COUNTRY.test(country);
  if (!known) {
    const at = tool.src?.at?.userLocation;
    const path = at === undefined ? ptrOf(tool) : `${at}/country`;
    losses.add(path, 'tool.hosted.settings', 'dropped', 'the country is no code of two letters');
  }
  const place: UserLocation = known ? userLocation : rest;
  return (place.city ?? place.region ?? place.country ?? place.timezone) === undefined ? undefined : place;
}
