import type { JsonObject } from '../canonical/node.js';
import { isObject } from './json.js';
import { type Changed, withMember } from './shared-copies.js';

/** Places in a list some of whose elements are left out. */
export interface LeftOut {
  drop(index: number): void;
  has(index: number): boolean;
  /** The place of an element among those that stay. */
  placeOf(index: number): number;
}

export function createLeftOut(): LeftOut {
  const gone = new Set<number>();
  return {
    drop: (index) => gone.add(index),
    has: (index) => gone.has(index),
    placeOf(index) {
      let place = index;
      for (const other of gone) if (other < index) place -= 1;
      return place;
    },
  };
}

/** The members of an event that tell its place in a list, the node at that place, and its number in the stream if it has one. */
export interface EventPlaces {
  readonly index: string;
  readonly node: string;
  readonly number?: string;
}

/**
 * A function for the events of one stream, which leaves out those of some nodes: the others have the places and numbers that
 * are left.
 */
export function createEventFilter(
  { index, node, number = '' }: EventPlaces,
  isHidden: (node: JsonObject) => boolean,
): (event: JsonObject) => Changed {
  const gone = createLeftOut();
  let missing = 0;
  return (event) => {
    const { [index]: place, [node]: about, [number]: count } = event;
    if (typeof place === 'number' && isObject(about) && isHidden(about)) gone.drop(place);
    if (typeof place === 'number' && gone.has(place)) {
      missing += 1;
      return [];
    }
    const placed = typeof place === 'number' ? withMember(event, index, gone.placeOf(place)) : event;
    return typeof count === 'number' ? withMember(placed, number, count - missing) : placed;
  };
}
