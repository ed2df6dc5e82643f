import { schemaInWords, schemaName, schemaOfWords } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, objectRoot, rawSchema } from '../../schema/index.js';
import { check, complete, fault, keysOf, type Origin, origin, type Reader, remember, remembered } from '../nodes.js';
import { encodeStrictSchema } from '../schema/encode.js';
import * as wire from '../wire/index.js';

const FORMAT = keysOf(wire.textFormat);

/** `text.format` [R §2.2]. Throws `invalid_request` for a type that nobody knows (translation.md 0.14). */
export function decodeOutput(node: JsonObject, reader: Reader): OutputFormat {
  const ptr = '/text/format';
  const format = check(wire.textFormat, node, ptr, reader);
  return remember(decodeKind(format, origin(node, FORMAT, ptr), ptr, reader), node);
}

function decodeKind(format: wire.TextFormat, from: Origin, ptr: string, reader: Reader): OutputFormat {
  switch (format.type) {
    case 'text':
      return { kind: 'text', ...from };
    case 'json_object':
      return { kind: 'json', ...from };
    case 'json_schema':
      if (format.name === undefined) throw fault(reader, `${ptr}/name`, 'expected a name');
      if (!format.schema) throw fault(reader, `${ptr}/schema`, 'expected a schema');
      return {
        kind: 'schema',
        schema: format.schema,
        name: format.name,
        description: format.description ?? undefined,
        strict: format.strict ?? undefined,
        ...from,
      };
    default:
      throw fault(reader, `${ptr}/type`, 'expected text, json_object or json_schema');
  }
}

/** The format as it came. */
export function encodeOwnOutput(output: OutputFormat): JsonObject {
  const form = remembered(output);
  if (form !== undefined) return form;
  if (output.kind === 'text') return complete({ type: 'text' }, output);
  if (output.kind === 'json') return complete({ type: 'json_object' }, output);
  const fields: JsonObject = { type: 'json_schema', name: output.name };
  if (output.schema !== undefined) fields.schema = output.schema;
  if (output.description !== undefined) fields.description = output.description;
  if (output.strict !== undefined) fields.strict = output.strict;
  return complete(fields, output);
}

/** How the wish for a form of the answer is put to the service. */
interface OutputPlan {
  readonly format?: JsonObject;
  /** Words that ask for the form, for the end of the instructions. */
  readonly instruction?: string;
}

/** The form of a foreign request's answer (translation.md 2.10); nothing for plain text. */
export function planOutput({ output }: CanonicalRequest, context: EncodeRequestContext): OutputPlan {
  const { losses, target } = context;
  if (output === undefined || output.kind === 'text') return {};
  const ptr = ptrOf(output);
  if (output.kind === 'json') {
    if (target.jsonMode) return { format: { type: 'json_object' } };
    losses.add(ptr, 'output.format', 'approximated', 'JSON output is requested in the instructions');
    return { instruction: schemaInWords(undefined) };
  }
  if (output.kind === 'enum')
    losses.add(ptr, 'output.format', 'approximated', 'the list of values is sent as a schema');
  const wanted = output.kind === 'enum' ? schemaOfWords(output) : output.schema;
  return target.schemaOutput
    ? { format: encodeSchemaFormat(output, wanted, context) }
    : { instruction: inWords(output, wanted, context) };
}

/** Emulation E2 of translation.md 2.10. */
function inWords(output: OutputFormat, wanted: unknown, { losses, target }: EncodeRequestContext): string {
  const ptr = ptrOf(output);
  losses.add(
    ptr,
    'output.schema',
    'approximated',
    'the schema is part of the instructions; the answer is not validated',
  );
  if (output.name !== undefined && output.name !== 'response')
    losses.add(ptr, 'output.name', 'dropped', 'a schema in the instructions has no name');
  if (output.description !== undefined)
    losses.add(ptr, 'output.description', 'dropped', 'a schema in the instructions has no separate description');
  return schemaInWords(looseSchema(wanted, ptr, { losses, target }));
}

function encodeSchemaFormat(
  output: OutputFormat,
  schema: unknown,
  { losses, target }: EncodeRequestContext,
): JsonObject {
  const ptr = ptrOf(output);
  const name = schemaName(output, losses);
  const described = output.description === undefined ? {} : { description: output.description };
  const head = { type: 'json_schema', name, ...described };
  if (output.strict === true && target.rawSchemas === true) {
    losses.add(ptr, 'output.strict', 'approximated', 'the server may not enforce the schema');
  } else if (output.strict === true) {
    const projected = encodeStrictSchema(schema, 'answer');
    if (!('refused' in projected)) {
      report(projected.changes, projected.wrapped, ptr, losses);
      return { ...head, schema: projected.schema, strict: true };
    }
    losses.add(ptr, 'output.strict', 'approximated', `the schema is not enforced: ${projected.refused}`);
  }
  return { ...head, schema: looseSchema(schema, ptr, { losses, target }), strict: false };
}

/** A schema to which nothing holds the answer. */
function looseSchema(
  schema: unknown,
  ptr: string,
  { losses, target }: Pick<EncodeRequestContext, 'losses' | 'target'>,
): JsonObject {
  const demanded = objectRoot(schema, { combinators: 'wrap', of: 'answer' });
  const rooted = target.rawSchemas === true ? rawSchema(schema, demanded, 'answer') : demanded;
  report(rooted.changes, rooted.wrapped, ptr, losses);
  return rooted.schema;
}

function report(changes: Parameters<typeof describeChanges>[0], wrapped: boolean, ptr: string, losses: Losses): void {
  const detail = describeChanges(changes);
  if (detail !== undefined) losses.add(ptr, 'output.schema', 'approximated', detail);
  if (wrapped) losses.add(ptr, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
}
