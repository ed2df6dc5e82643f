import type { Part } from '../canonical/content.js';
import type { EventSink } from '../canonical/events.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { CanonicalResponse } from '../canonical/response.js';
import type { Target } from '../target/target.js';
import { createLeftOut } from '../wire/left-out.js';

/** Leaves thoughts out of one answer. */
export interface ThoughtFilter {
  response(response: CanonicalResponse): CanonicalResponse;
  stage(next: EventSink): EventSink;
}

/** For a client that wants no thinking, and a host that does not know how to do without; undefined for every other. */
export function createThoughtFilter(
  request: CanonicalRequest | undefined,
  target: Target | undefined,
  losses: Losses,
): ThoughtFilter | undefined {
  if (request?.reasoning?.mode !== 'off' || target?.unsupported.has('thinkingOff') !== true) return undefined;
  let told = false;
  const isUnwanted = (part: Part): boolean => {
    if (part.kind !== 'reasoning') return false;
    const holdsState = part.carrier !== undefined || part.state?.some(({ kind }) => kind !== 'none') === true;
    const feature = holdsState ? 'reasoning.state' : 'reasoning.text';
    if (!told) losses.add(part, feature, 'dropped', 'reasoning is not sent to a client that did not request it');
    told = true;
    return true;
  };
  return {
    response(response) {
      const parts = response.parts.filter((part) => !isUnwanted(part));
      return parts.length === response.parts.length ? response : { ...response, parts };
    },
    stage(next) {
      const gone = createLeftOut();
      return (event) => {
        if (!('ix' in event)) return next(event);
        if (event.type === 'part.start' && isUnwanted(event.part)) gone.drop(event.ix);
        if (gone.has(event.ix)) return;
        const ix = gone.placeOf(event.ix);
        next(ix === event.ix ? event : { ...event, ix });
      };
    },
  };
}
