import { type DialectId, dialectIds } from '../../translators/index.js';
import type { Members } from '../../translators/wire/members.js';
import type { Schema } from '../../translators/wire/schema.js';
import { lawTableOf } from '../laws/dialects/index.js';

/** A setting of the model, as a table of request members names it. */
export interface Setting {
  /** The key of the member on the wire. */
  readonly key: string;
  /** The path of the field: `sampling.topK`. */
  readonly field: string;
  /** The feature of its losses; absent for what only the source's own service can grant. */
  readonly feature: string | undefined;
  /** A value that is legal on the wire, where the table checks it. */
  readonly sample: unknown;
}

const MEMBERS = lawTableOf('members');

/** The settings of a dialect that are members of the outermost object, in the order of its table. */
export function settingsOf(dialect: DialectId): Setting[] {
  return settingsIn(MEMBERS[dialect]);
}

function settingsIn(members: Members): Setting[] {
  return Object.entries(members).flatMap(([key, { field, feature, schema }]) =>
    field === undefined ? [] : [{ key, field, feature, sample: schema && sampleOf(schema) }],
  );
}

/** The settings of all dialects, each field once. */
export function allSettings(): Setting[] {
  const inner = dialectIds.flatMap((id) =>
    Object.values(MEMBERS[id]).flatMap(({ members }) => settingsIn(members ?? {})),
  );
  const all = [...dialectIds.flatMap(settingsOf), ...inner];
  return [...new Map(all.map((setting) => [setting.field, setting])).values()];
}

/** What a field of a request holds. */
export function fieldAt(request: object, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (held, key) => (typeof held === 'object' && held !== null ? Reflect.get(held, key) : undefined),
      request,
    );
}

/** A legal value for a schema; undefined for one that takes more than words, numbers, switches and lists of them. */
function sampleOf(schema: Schema): unknown {
  switch (schema.kind) {
    case 'string':
      return 'x';
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array': {
      const element = sampleOf(schema.element);
      return element === undefined ? undefined : [element];
    }
    default:
      return undefined;
  }
}
