import { isObject, type Json, type JsonObject } from '../../../translators/wire/json.js';
import { type Dice, nearMiss, sampleOf } from '../../schema/instances.js';
import { type Draft, type Verdict, verdict } from '../../schema/validate.js';
import { type Projected, type Projection, projectSchema } from './projections.js';

/** A schema and the draft whose words it uses. */
export interface Source {
  readonly schema: JsonObject;
  readonly draft: Draft;
}

/** Values on which source and projection differ, the first of each direction. */
export interface Difference {
  wider?: Json;
  narrower?: Json;
}

export type Direction = keyof Difference;
export const DIRECTIONS = ['wider', 'narrower'] as const satisfies readonly Direction[];

/** A source, what became of it, and both verdicts on values in the form of the source. */
export interface Pair {
  readonly projected: Projected;
  before: Verdict;
  after: Verdict;
  /** Whether the place can hold the value at all: arguments are objects. */
  fits(value: Json): boolean;
}

/** Whether what is sent keeps the words of its draft: two dialects take schemas as they are, unless they are held to. */
export function goesVerbatim({ to, strict }: Projection, { held }: Projected): boolean {
  return (to === 'responses' || to === 'chatCompletions') && !(strict === true && held);
}

/** Projects a source and compiles both sides. */
export function pairOf(projection: Projection, { schema, draft }: Source): Pair {
  const projected = projectSchema(projection, schema);
  const { wrapped, sent } = projected;
  // What goes out as it came keeps the words of its draft.
  const verbatim = goesVerbatim(projection, projected);
  const reading = { ...projection.reading, ...(verbatim && { draft }) };
  const after = verdict(projected.schema, reading);
  return {
    projected,
    before: verdict(schema, { draft }),
    after: (value) => after(wrapped ? { value } : value),
    fits: (value) => {
      if (projection.of === 'answer' || wrapped) return true;
      // Of a function without parameters services say no more than that it can be called without arguments.
      return isObject(value) && (sent !== undefined || Object.keys(value).length === 0);
    },
  };
}

function unwrapped({ schema, wrapped }: Projected): JsonObject {
  if (!wrapped) return schema;
  const { value } = isObject(schema.properties) ? schema.properties : {};
  return { ...(isObject(value) ? value : {}), ...(isObject(schema.$defs) && { $defs: schema.$defs }) };
}

/** Values of the source, values of the projection, and both with one change. */
export function valuesFor({ schema }: Source, pair: Pair, dice: Dice, count: number): Json[] {
  const values: Json[] = [];
  const projection = unwrapped(pair.projected);
  for (let index = 0; index < count; index++) {
    const value = sampleOf(index % 2 === 0 ? schema : projection, dice);
    const near = nearMiss(value, dice);
    values.push(value, near, nearMiss(near, dice));
  }
  return values.filter(pair.fits);
}

/** Where the two differ on `values`, and how often each verdict of the source was seen. */
export function differences(pair: Pair, values: readonly Json[]): Difference & { accepted: number; refused: number } {
  const found: Difference & { accepted: number; refused: number } = { accepted: 0, refused: 0 };
  for (const value of values) {
    const before = pair.before(value);
    const after = pair.after(value);
    if (before === undefined || after === undefined) continue;
    found[before ? 'accepted' : 'refused'] += 1;
    if (before !== after) found[before ? 'narrower' : 'wider'] ??= value;
  }
  return found;
}
