import { schemaName, schemaOfWords } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
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

/** Format of a foreign request (translation.md 2.10); undefined for plain text. */
export function encodeForeignOutput(request: CanonicalRequest, context: EncodeRequestContext): JsonObject | undefined {
  const { output } = request;
  switch (output?.kind) {
    case undefined:
    case 'text':
      return undefined;
    case 'json':
      return { type: 'json_object' };
    case 'schema':
      return encodeSchemaFormat(output, output.schema, context);
    case 'enum': {
      const ptr = output.src?.ptr ?? '';
      context.losses.add(ptr, 'output.format', 'approximated', 'the list of words became a schema');
      return encodeSchemaFormat(output, schemaOfWords(output), context);
    }
  }
}

function encodeSchemaFormat(
  output: OutputFormat,
  schema: unknown,
  { losses, profile }: EncodeRequestContext,
): JsonObject {
  const ptr = output.src?.ptr ?? '';
  const name = schemaName(output, losses);
  const described = output.description === undefined ? {} : { description: output.description };
  const head = { type: 'json_schema', name, ...described };
  if (output.strict === true && profile.rawSchemas === true) {
    losses.add(ptr, 'output.strict', 'approximated', 'the server decides whether it holds the answer to the schema');
  } else if (output.strict === true) {
    const projected = encodeStrictSchema(schema, 'answer');
    if (!('refused' in projected)) {
      report(projected.changes, projected.wrapped, ptr, losses);
      return { ...head, schema: projected.schema, strict: true };
    }
    losses.add(ptr, 'output.strict', 'approximated', `the answer is not held to the schema: ${projected.refused}`);
  }
  const demanded = objectRoot(schema, { combinators: 'wrap', of: 'answer' });
  const rooted = profile.rawSchemas === true ? rawSchema(schema, demanded, 'answer') : demanded;
  report(rooted.changes, rooted.wrapped, ptr, losses);
  return { ...head, schema: rooted.schema, strict: false };
}

function report(changes: Parameters<typeof describeChanges>[0], wrapped: boolean, ptr: string, losses: Losses): void {
  const detail = describeChanges(changes);
  if (detail !== undefined) losses.add(ptr, 'output.schema', 'approximated', detail);
  if (wrapped) losses.add(ptr, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
}
