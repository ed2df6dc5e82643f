import { dropForeign } from '../../adapt/index.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { OutputFormat } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, withoutDialect } from '../../schema/index.js';
import { isObject } from '../../wire/json.js';
import { bagOf } from '../content/media.js';
import { DIALECT, remember, remembered } from '../nodes.js';
import { decodeSchema } from '../schema/decode.js';
import { encodeSchema } from '../schema/encode.js';
import { decodeJsonSchema, encodeJsonSchema } from '../schema/json-schema.js';
import type { Config } from './members.js';

const JSON_TYPE = 'application/json';
const ENUM_TYPE = 'text/x.enum';

/** Schema fields in the order in which they count; all but the first hold JSON Schema ([G §2.6]). */
const SCHEMA_FIELDS = ['responseSchema', 'responseJsonSchema', '_responseJsonSchema'] as const;

/** The output format and what of its fields the model cannot hold. */
interface ReadOutput {
  readonly output?: OutputFormat;
  readonly bag?: JsonObject;
}

/** Reads the mime and schema fields of `generationConfig`. */
export function decodeOutput(config: Config, ptr: string): ReadOutput {
  const { responseMimeType: mime, responseFormat } = config;
  if (responseFormat !== undefined) return decodeFormats(responseFormat, mime, ptr);
  const field = SCHEMA_FIELDS.find((name) => config[name] !== undefined);
  const others = SCHEMA_FIELDS.filter((name) => name !== field && config[name] !== undefined);
  const bag = others.length === 0 ? undefined : Object.fromEntries(others.map((name) => [name, config[name]]));
  const schema = field === undefined ? undefined : config[field];
  if (field === undefined || schema === undefined) return decodeMime(mime, ptr);
  const standard = field === 'responseSchema' ? decodeSchema(schema) : decodeJsonSchema(schema);
  const kind = mime === ENUM_TYPE ? 'enum' : 'schema';
  const words = kind === 'enum' && Array.isArray(standard.enum) ? standard.enum.filter(isText) : undefined;
  const output: OutputFormat = { kind, schema: standard, ...(words !== undefined && { enum: words }), src: { ptr } };
  const form = { ...(mime !== undefined && { responseMimeType: mime }), [field]: schema };
  return { output: remember(output, form), ...(bag !== undefined && { bag }) };
}

function decodeMime(mime: string | undefined, ptr: string): ReadOutput {
  if (mime === undefined) return {};
  if (mime === JSON_TYPE) return { output: { kind: 'json', src: { ptr } } };
  if (mime === 'text/plain') return { output: { kind: 'text', src: { ptr } } };
  return { bag: { responseMimeType: mime } };
}

/** Reads a list of output formats: the first text format counts, the rest stays in the bag of the format. */
function decodeFormats(value: JsonObject | JsonObject[], mime: string | undefined, ptr: string): ReadOutput {
  const list = Array.isArray(value) ? value : [value];
  const place = list.findIndex((format) => isObject(format.text));
  const text = list[place]?.text;
  const schema = isObject(text) ? text.schema : undefined;
  const type = isObject(text) ? (text.mimeType ?? text.mime_type) : undefined;
  const others = list.filter((_, index) => index !== place);
  const ext = others.length === 0 ? undefined : bagOf({ responseFormat: others });
  const output: OutputFormat = {
    kind: isObject(schema) ? 'schema' : type === JSON_TYPE ? 'json' : 'text',
    ...(isObject(schema) && { schema: decodeJsonSchema(schema) }),
    ...(ext !== undefined && { ext }),
    src: { ptr },
  };
  return {
    output: remember(output, { responseFormat: value }),
    ...(mime !== undefined && { bag: { responseMimeType: mime } }),
  };
}

/** Encodes the format as it came. */
export function encodeOwnOutput(output: OutputFormat): JsonObject {
  const form = remembered(output);
  if (form !== undefined) return form;
  const others = output.ext?.generateContent?.responseFormat;
  const responseMimeType = mimeOf(output);
  if (Array.isArray(others)) {
    const { schema } = output;
    return { responseFormat: [{ text: { mimeType: responseMimeType, ...(schema && { schema }) } }, ...others] };
  }
  if (output.kind !== 'schema' && output.kind !== 'enum') return { responseMimeType };
  return { responseMimeType, responseJsonSchema: output.schema };
}

function mimeOf(output: OutputFormat): string {
  if (output.kind === 'text') return 'text/plain';
  return output.kind === 'enum' ? ENUM_TYPE : JSON_TYPE;
}

/** Fields for the config, or a sentence for the instructions where the model cannot be held to a format. */
interface EncodedOutput {
  readonly fields: JsonObject;
  readonly note?: string;
}

/** Encodes the format of another dialect (translation.md 2.10). `tools` says whether functions are declared. */
export function encodeForeignOutput(
  output: OutputFormat | undefined,
  tools: boolean,
  { losses, target }: EncodeRequestContext,
): EncodedOutput {
  if (output === undefined || output.kind === 'text') return { fields: {} };
  const path = ptrOf(output);
  dropForeign(output, DIALECT, losses);
  reportNames(output, path, losses);
  const able = output.kind === 'json' ? target.jsonMode : target.schemaOutput;
  if (!able || (tools && !target.schemaWithTools)) {
    losses.add(output, 'output.format', 'approximated', 'the format is requested in the instructions and not enforced');
    return { fields: {}, note: noteOf(output) };
  }
  const responseMimeType = mimeOf(output);
  if (!isObject(output.schema)) return { fields: { responseMimeType } };
  if (target.jsonSchemaField && target.rawSchemas === true) {
    return { fields: { responseMimeType, responseJsonSchema: withoutDialect(output.schema) } };
  }
  const projected = target.jsonSchemaField ? encodeJsonSchema(output.schema) : encodeSchema(output.schema, 'answer');
  const changes = describeChanges(projected.changes);
  if (changes !== undefined) losses.add(output, 'output.schema', 'approximated', changes);
  if (projected.schema === undefined) return { fields: { responseMimeType } };
  const field = target.jsonSchemaField ? 'responseJsonSchema' : 'responseSchema';
  return { fields: { responseMimeType, [field]: projected.schema } };
}

function reportNames(output: OutputFormat, path: string, losses: EncodeRequestContext['losses']): void {
  if (output.name !== undefined && output.name !== 'response') {
    losses.add(path, 'output.name', 'dropped', 'schemas of answers have no name');
  }
  if (output.description !== undefined) {
    losses.add(path, 'output.description', 'dropped', 'answer schemas have no description in the target');
  }
  if (output.strict === true) losses.add(path, 'output.strict', 'dropped', 'the target does not support this switch');
}

function noteOf(output: OutputFormat): string {
  if (output.schema === undefined) return 'Reply with one JSON object and nothing else.';
  const schema = JSON.stringify(output.schema);
  return `${schema}\nReply with one JSON value that validates against this schema and nothing else.`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
