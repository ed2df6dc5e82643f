import { furtherKeys, opensWithJson, schemaInWords, schemaName, schemaOfWords } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isObject, parseJson } from '../../wire/json.js';
import { check, DIALECT, invalid, keep, keysOf, remember, remembered, restore, withExtra } from '../nodes.js';
import { type EncodedSchema, encodeSchema } from '../schema/encode.js';
import { serverFlags } from '../servers/index.js';
import * as wire from '../wire/index.js';

const PTR = '/response_format';
const FORMAT = keysOf(wire.responseFormat);
const SCHEMA = keysOf(wire.jsonSchema);

/**
 * `response_format` [H §5]; undefined for grammars and tags that single servers take. Throws `invalid_request` for schemas
 * that are none.
 */
export function decodeOutput(node: JsonObject): OutputFormat | undefined {
  const output = decodeKind(node);
  return output && remember(output, node);
}

function decodeKind(node: JsonObject): OutputFormat | undefined {
  const { type, json_schema: inner } = check(wire.responseFormat, node, PTR);
  const kept = keep(node, FORMAT, PTR);
  switch (type) {
    case 'text':
      return { kind: 'text', ...kept };
    case 'json_object':
      return { kind: 'json', ...kept };
    case 'json_schema': {
      const ptr = `${PTR}/json_schema`;
      if (!inner) throw invalid(ptr, 'expected an object');
      const { name, description, schema, strict } = check(wire.jsonSchema, inner, ptr);
      const rest = keep(inner, SCHEMA, ptr).ext?.[DIALECT];
      return {
        kind: 'schema',
        schema: schema ?? {},
        ...(typeof name === 'string' && { name }),
        ...(typeof description === 'string' && { description }),
        // Left out it is false here (translation.md 2.10).
        strict: strict === true,
        ...(rest === undefined ? kept : withExtra(kept, 'json_schema', furtherKeys({ ...rest }, ptr))),
      };
    }
    default:
      return undefined;
  }
}

/** Where servers of their own take a schema, or words to choose from, in the place of `response_format` [H §2.2]. */
const GUIDES: readonly (readonly [path: readonly [string, ...string[]], kind: 'schema' | 'enum'])[] = [
  [['guided_json'], 'schema'],
  [['structured_outputs', 'json'], 'schema'],
  [['guided_choice'], 'enum'],
  [['structured_outputs', 'choice'], 'enum'],
];

/**
 * The form that such a member asks for, which leaves the bag; undefined where none does. Patterns and grammars stay there: no other dialect
 * has them.
 */
export function decodeGuide(bag: JsonObject, raw: JsonObject): OutputFormat | undefined {
  for (const [[member, key], kind] of GUIDES) {
    const whole = bag[member];
    const value = key === undefined ? whole : isObject(whole) ? whole[key] : undefined;
    const form = formOf(kind, value);
    if (form === undefined) continue;
    raw[member] = whole;
    const { [key ?? '']: _read, ...rest }: JsonObject = key === undefined || !isObject(whole) ? {} : whole;
    delete bag[member];
    if (Object.keys(rest).length > 0) bag[member] = furtherKeys(rest, `/${member}`);
    return { ...form, src: { ptr: `/${[member, ...(key === undefined ? [] : [key])].join('/')}` } };
  }
  return undefined;
}

function formOf(kind: 'schema' | 'enum', value: unknown): OutputFormat | undefined {
  if (kind === 'enum') {
    const isList = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
    return isList ? { kind, schema: { type: 'string', enum: value }, enum: value } : undefined;
  }
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  const schema = parsed?.ok ? parsed.value : value;
  return isObject(schema) ? { kind, schema, strict: false } : undefined;
}

/** Whether the form stands in `response_format`. */
export function isResponseFormat({ src }: OutputFormat): boolean {
  return src === undefined || src.ptr.startsWith(PTR);
}

/** The format as it came. */
export function encodeOwnOutput(output: OutputFormat): JsonObject {
  const form = remembered(output);
  if (form !== undefined) return form;
  switch (output.kind) {
    case 'text':
      return restore({ type: 'text' }, output);
    case 'json':
      return restore({ type: 'json_object' }, output);
    case 'schema':
    case 'enum': {
      const { name, description, schema, strict } = output;
      const inner: JsonObject = { ...(name !== undefined && { name }) };
      if (description !== undefined) inner.description = description;
      if (schema !== undefined) inner.schema = schema;
      if (strict === true) inner.strict = true;
      return restore({ type: 'json_schema', json_schema: inner }, output);
    }
  }
}

/** How the wish for a form of the answer is put to a server. */
export interface OutputPlan {
  readonly format?: JsonObject;
  /** What has to be said in words beside it. */
  readonly instruction?: string;
}

/** The form of a foreign request's answer (translation.md 2.10). `tools`: some are sent. */
export function planOutput(request: CanonicalRequest, tools: boolean, context: EncodeRequestContext): OutputPlan {
  const { output } = request;
  const { losses, target } = context;
  if (output === undefined || output.kind === 'text') return {};
  if (output.kind === 'json') {
    if (!target.jsonMode) {
      losses.add(output, 'output.format', 'approximated', 'JSON output is requested in the instructions');
      return { instruction: schemaInWords(undefined) };
    }
    const format = { type: 'json_object' };
    if (speaksOfJson(request)) return { format };
    losses.add(output, 'output.format', 'invented', 'JSON mode requires the word JSON in a message; one was added');
    return { format, instruction: 'Answer in JSON.' };
  }
  const wanted = output.kind === 'enum' ? schemaOfWords(output) : (output.schema ?? {});
  if (output.kind === 'enum')
    losses.add(output, 'output.format', 'approximated', 'the list of values is sent as a schema');
  if (!target.schemaOutput || (tools && !target.schemaWithTools)) return inWords(output, wanted, !tools, context);
  if (output.strict === true && !target.strictTools)
    losses.add(output, 'output.strict', 'approximated', 'the server may not enforce the schema');
  const { schema, strict } = answerSchema(output, wanted, serverFlags(target).plainSchemas, context);
  return {
    format: {
      type: 'json_schema',
      json_schema: {
        name: schemaName(output, losses),
        ...(output.description !== undefined && { description: output.description }),
        schema,
        ...(strict && { strict }),
      },
    },
  };
}

function answerSchema(
  output: OutputFormat,
  wanted: JsonObject,
  plain: boolean,
  { losses, target }: EncodeRequestContext,
): EncodedSchema {
  const { strict = false } = output;
  const features = { schema: 'output.schema', strict: 'output.strict' } as const;
  return encodeSchema(
    wanted,
    {
      of: 'answer',
      strict: strict && target.strictTools,
      plain,
      node: output,
      features,
    },
    losses,
  );
}

/** Emulation E2 of translation.md 2.10, with plain JSON demanded where the server can. */
function inWords(
  output: OutputFormat,
  wanted: JsonObject,
  mayDemand: boolean,
  context: EncodeRequestContext,
): OutputPlan {
  const { losses, target } = context;
  losses.add(
    output,
    'output.schema',
    'approximated',
    'the schema is part of the instructions; the answer is not validated',
  );
  if (output.name !== undefined && output.name !== 'response')
    losses.add(output, 'output.name', 'dropped', 'a schema in the instructions has no name');
  if (output.description !== undefined)
    losses.add(output, 'output.description', 'dropped', 'a schema in the instructions has no separate description');
  const { schema } = answerSchema(output, wanted, false, context);
  const instruction = schemaInWords(schema);
  return target.jsonMode && mayDemand ? { format: { type: 'json_object' }, instruction } : { instruction };
}

/** Whether the instructions or the user's first words speak of JSON, which the server demands [H §5]. */
function speaksOfJson(request: CanonicalRequest): boolean {
  const said = request.instructions.some(({ parts }) =>
    parts.some((part) => part.kind === 'text' && /json/i.test(part.text)),
  );
  return said || opensWithJson(request);
}
