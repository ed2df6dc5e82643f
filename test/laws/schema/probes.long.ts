import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../translators/wire/json.js';
import { createDice } from '../../schema/instances.js';
import { DIRECTIONS, type Direction, differences, pairOf, type Source, valuesFor } from './compare.js';
import { DEFINITIONS, PLACES, PROBES } from './probes.js';
import { PROJECTIONS, type Projection } from './projections.js';
import { REAL_WORLD } from './real-world.js';

/** Keywords whose loss is told although no value can be found that shows it, or not by these means. */
const UNSHOWN: Readonly<Record<string, string>> = {
  'format made-up, wider': 'no validator knows the format',
  'contentEncoding, wider': "a hint by today's drafts; validators of draft 7 may hold values to it",
  'unevaluatedItems, wider': 'what it refuses depends on all that stands beside it; it is told wherever it is lost',
  'unevaluatedItems, narrower': 'the same: a tuple counts as open although nothing may follow it',
};

function sourceOf(probe: Json, { closes }: Projection): Source {
  const text = JSON.stringify(probe);
  const schema: JsonObject = {
    type: 'object',
    properties: { p: probe },
    required: ['p'],
    ...(closes === true && { additionalProperties: false }),
    ...(text.includes('$ref') && { $defs: DEFINITIONS }),
  };
  return { schema, draft: '2020' };
}

/** The directions that the losses name, and those for which values were found. */
function directionsOf(projection: Projection, source: Source): { claimed: Direction[]; found: Direction[] } {
  const pair = pairOf(projection, source);
  const claimed = DIRECTIONS.filter((direction) => pair.projected.claims[direction].length > 0);
  const found = new Set<Direction>();
  for (let round = 0; round < 40; round++) {
    const differing = differences(pair, valuesFor(source, pair, createDice(round), 10));
    for (const direction of DIRECTIONS) if (differing[direction] !== undefined) found.add(direction);
    if (round > 1 && claimed.every((direction) => found.has(direction))) break;
  }
  return { claimed, found: DIRECTIONS.filter((direction) => found.has(direction)) };
}

describe.each(PROJECTIONS)('$name', (projection) => {
  test('schemas as they are met: every direction is told, and each that is told is so', () => {
    const wrong: string[] = [];
    for (const [name, source] of Object.entries(REAL_WORLD)) {
      const { claimed, found } = directionsOf(projection, source);
      if (claimed.join() !== found.join()) wrong.push(`${name}: said ${claimed.join()}, found ${found.join()}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(Object.keys(PLACES))('what losses say is so and all that is so is said: %s', (place) => {
    const wrong: string[] = [];
    for (const [name, probe] of Object.entries(PROBES)) {
      const source = sourceOf(PLACES[place]?.(probe) ?? {}, projection);
      const { claimed, found } = directionsOf(projection, source);
      const shown = claimed.filter((direction) => found.includes(direction) || !(`${name}, ${direction}` in UNSHOWN));
      if (shown.join() !== found.join()) wrong.push(`${name}: said ${claimed.join()}, found ${found.join()}`);
    }
    expect(wrong).toEqual([]);
  });
});
