import type { Feature, Losses, LossSubject } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import {
  type Described,
  describeChanges,
  encodePlainSchema,
  encodeStrictSchema,
  objectRoot,
  type SchemaChange,
  withoutDialect,
} from '../../schema/index.js';

/** A schema as it is sent. */
export interface EncodedSchema {
  readonly schema: JsonObject;
  /** Answers and arguments are held to it. */
  readonly strict: boolean;
}

/** How a schema is sent, and what is told of it. */
export interface SchemaOptions {
  readonly of: Described;
  /** To be held to, as far as that can be said. */
  readonly strict: boolean;
  /** The server takes few keywords. */
  readonly plain: boolean;
  /** What has the schema, and the features that losses name. */
  readonly node: LossSubject;
  readonly features: { readonly schema: Feature; readonly strict: Feature };
}

/**
 * A schema for this dialect (translation.md 3): strict as every service demands it where that is asked for and can
 * be said, else as it is with an object at its root. Its `$schema` goes: no server needs it, and models answer nonsense
 * to it (hard case H-FIELD-05). For a server that takes few keywords it is reduced to those, and holds nothing.
 */
export function encodeSchema(given: unknown, options: SchemaOptions, losses: Losses): EncodedSchema {
  const form = encodeForm(given, options, losses);
  if (!options.plain) return form;
  const { node, features } = options;
  const { schema, changes } = encodePlainSchema(form.schema);
  const detail = describeChanges(changes);
  if (detail !== undefined) losses.add(node, features.schema, 'approximated', detail);
  if (form.strict)
    losses.add(node, features.strict, 'approximated', 'the schema is reduced to few keywords and not enforced');
  return { schema, strict: false };
}

/** The schema as servers with every keyword have it. */
function encodeForm(given: unknown, options: SchemaOptions, losses: Losses): EncodedSchema {
  const { of, strict, node, features } = options;
  const tell = (changes: readonly SchemaChange[], wrapped: boolean): void => {
    const detail = describeChanges(changes);
    if (detail !== undefined) losses.add(node, features.schema, 'approximated', detail);
    if (wrapped) losses.add(node, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
  };
  if (strict) {
    const projected = encodeStrictSchema(given, of);
    if (!('refused' in projected)) {
      tell(projected.changes, projected.wrapped);
      return { schema: withoutDialect(projected.schema), strict: true };
    }
    losses.add(node, features.strict, 'approximated', `the schema is not enforced: ${projected.refused}`);
  }
  const rooted = objectRoot(given, { combinators: 'wrap', of, bare: of === 'arguments' });
  tell(rooted.changes, rooted.wrapped);
  return { schema: withoutDialect(rooted.schema), strict: false };
}
