import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { type Diff, diffAt, type Passage } from './diff.js';
import { stable } from './json.js';
import { compareSchemas, isWrapped } from './schemas.js';

/** The form of the answer. */
export function compareOutput(
  x: CanonicalRequest,
  y: CanonicalRequest,
  target: DialectId,
  via: Passage | undefined,
): Diff[] {
  const before = x.output ?? { kind: 'text' as const };
  const after = y.output ?? { kind: 'text' as const };
  const at = ['/output'];
  const diffs: Diff[] = [];
  if (before.kind !== after.kind) {
    const silent = before.kind === 'text';
    diffs.push(diffAt(`format ${before.kind} -> ${after.kind}`, at, ['output.format', 'output.schema'], silent));
    // A schema in words has an object at its root too.
    diffs.push(diffAt('a schema in words', at, ['schema.root'], true));
  } else if (before.kind === 'schema') {
    const how = compareSchemas(before.schema, after.schema, 'answer');
    const read = has(target, 'schemaSubset') && stable(before.schema).includes('"oneOf"');
    if (how !== 'equal' || read) {
      const wrapped = isWrapped(before.schema, after.schema);
      const features = wrapped ? ['schema.root'] : ['output.schema', 'schema.root'];
      diffs.push(diffAt(`schema of the answer ${how}`, at, features, how !== 'different'));
      if (wrapped) diffs.push(diffAt('schema inside an object', at, ['output.schema'], true));
    }
  }
  if (before.kind !== 'schema' && before.kind !== 'enum') return diffs;
  if (before.name !== after.name) {
    // Every schema has a name in one dialect; `response` says nothing (translation.md 2.10).
    diffs.push(diffAt(`name ${before.name} -> ${after.name}`, at, ['output.name'], before.name === 'response'));
  }
  if (before.description !== after.description) {
    diffs.push(diffAt('description of the answer', at, ['output.description']));
  }
  const strict = (one: { strict?: boolean }): boolean => one.strict === true;
  const implied =
    has(target, 'strictAnswers') && after.kind === 'schema'
      ? before.strict !== false
      : strict(before) === strict(after);
  const notHeld = before.kind !== after.kind && before.kind !== 'enum';
  // Coming back from where every schema is held to, it reads as one that nobody asked to be held to.
  const impliedThere = via !== undefined && has(via.dialect, 'strictAnswers') && before.strict !== false;
  if (!implied || (notHeld && strict(before))) {
    diffs.push(
      diffAt(
        'strictness of the answer',
        at,
        ['output.strict', ...(notHeld ? ['output.schema', 'output.format'] : [])],
        impliedThere,
      ),
    );
  }
  // Where nobody knows the server, nobody knows whether it holds answers to schemas.
  if (has(target, 'strictAnswers') && implied) diffs.push(diffAt('who holds the answer', at, ['output.strict'], true));
  // Citations and a schema exclude each other in one dialect; the entry stands at the schema.
  if (has(target, 'citationsOrSchema')) diffs.push(diffAt('citations', at, ['part.citation'], true));
  return diffs;
}
