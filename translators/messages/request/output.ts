import { FINAL_ANSWER, furtherKeys, keepRest, mayAnswerByCall, schemaInWords } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, objectRoot, rawSchema, type SchemaChange, toCurrentShape } from '../../schema/index.js';
import { isObject } from '../../wire/json.js';
import { check, invalid, keep, keysOf, type Mutable, remember, remembered, restore } from '../nodes.js';
import { rules } from '../rules.js';
import { encodeStrictSchema } from '../schema/strict.js';
import * as wire from '../wire/index.js';
import type { Request } from './members.js';

const FORMAT = keysOf(wire.outputFormat);

const OUTPUT_CONFIG = keysOf(wire.outputConfig);

export function decodeOutput(
  out: Mutable<CanonicalRequest>,
  request: Request,
  body: JsonObject,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  const config = request.output_config;
  if (config) {
    at.output = '/output_config';
    keepRest(bag, 'output_config', body.output_config, OUTPUT_CONFIG);
    if (typeof config.effort === 'string' && out.reasoning?.effort === undefined) {
      const rest = isObject(bag.output_config) ? bag.output_config : {};
      bag.output_config = furtherKeys({ ...rest, effort: config.effort }, '/output_config');
    }
  }
  if (config?.format) out.output = decodeFormat(config.format, '/output_config/format');
  else if (request.output_format) out.output = decodeFormat(request.output_format, '/output_format');
}

function decodeFormat(node: JsonObject, ptr: string): OutputFormat {
  const format = check(wire.outputFormat, node, ptr);
  if (format.type !== 'json_schema') throw invalid(`${ptr}/type`, 'expected json_schema');
  if (!format.schema) throw invalid(`${ptr}/schema`, 'field required');
  return remember({ kind: 'schema', schema: format.schema, ...keep(node, FORMAT, ptr) }, node);
}

export function encodeOwnOutput(
  out: JsonObject,
  request: CanonicalRequest,
  at: Readonly<Record<string, string>>,
): void {
  const { output, reasoning } = request;
  const format = output && (remembered(output) ?? restore({ type: 'json_schema', schema: output.schema }, output));
  const config: JsonObject = {};
  if (reasoning?.effort !== undefined) config.effort = reasoning.effort;
  if (format !== undefined && output?.src?.ptr === '/output_format') out.output_format = format;
  else if (format !== undefined) config.format = format;
  if (at.output !== undefined || Object.keys(config).length > 0) out.output_config = config;
}

/** How the wish for a form of the answer is put to the service. */
interface OutputPlan {
  readonly format?: JsonObject;
  /** The hidden function whose input is the answer; its call has to be forced. */
  readonly tool?: JsonObject;
  /** Words that ask for the form, for the last instruction block. */
  readonly instruction?: string;
  /** Documents of the request must not be citable. */
  readonly closesCitations: boolean;
}

const NOTHING: OutputPlan = { closesCitations: false };

/** The form of the answer (translation.md 2.10). `forces`: calls can be forced together with what is planned for thinking. */
export function planOutput(request: CanonicalRequest, forces: boolean, context: EncodeRequestContext): OutputPlan {
  const { output } = request;
  if (output === undefined || output.kind === 'text') return NOTHING;
  const path = output.src?.ptr ?? request.at?.output ?? '';
  if (output.kind === 'json') {
    context.losses.add(path, 'output.format', 'approximated', 'JSON output is requested in the instructions');
    return { instruction: schemaInWords(undefined), closesCitations: false };
  }
  return planSchema(output, path, request, forces, context);
}

function planSchema(
  output: OutputFormat,
  path: string,
  request: CanonicalRequest,
  forces: boolean,
  { losses, target }: EncodeRequestContext,
): OutputPlan {
  const wanted = output.kind === 'enum' ? enumSchema(output) : output.schema;
  if (output.kind === 'enum') {
    losses.add(path, 'output.format', 'approximated', 'the choices are wrapped in an object');
  }
  if (output.name !== undefined && output.name !== 'response') {
    losses.add(path, 'output.name', 'dropped', 'answer schemas have no name');
  }
  const byCall = !target.schemaOutput && forces && mayAnswerByCall(request, rules);
  if (output.description !== undefined && !byCall) {
    losses.add(path, 'output.description', 'dropped', 'answer schemas have no description in the target');
  }
  if (byCall) {
    const tool = answerTool(output, wanted, path, losses);
    return { tool, closesCitations: closeCitations(request, path, losses) };
  }
  if (!target.schemaOutput) {
    losses.add(
      path,
      'output.schema',
      'approximated',
      'the schema is part of the instructions; the answer is not validated',
    );
    return { instruction: schemaInWords(wanted ?? {}), closesCitations: false };
  }
  const strict = encodeStrictSchema(wanted, 'answer');
  const projected = target.rawSchemas === true ? rawSchema(wanted, strict, 'answer') : strict;
  if (projected.wrapped)
    losses.add(path, 'schema.root', 'approximated', 'the answer is wrapped in an object, under the key value');
  const changes = describeChanges(projected.changes);
  if (changes !== undefined) losses.add(path, 'output.schema', 'approximated', changes);
  const held = target.rawSchemas !== true;
  if (output.strict === false || (output.strict === true && !held)) {
    const detail = held ? 'answers are always held to their schema' : 'the server may not enforce the schema';
    losses.add(path, 'output.strict', 'approximated', detail);
  }
  const closesCitations = closeCitations(request, path, losses);
  return { format: { type: 'json_schema', schema: projected.schema }, closesCitations };
}

function closeCitations(request: CanonicalRequest, path: string, losses: EncodeRequestContext['losses']): boolean {
  const cites = citesDocuments(request);
  if (cites)
    losses.add(
      path,
      'part.citation',
      'approximated',
      'citations and a schema exclude each other; citations are switched off',
    );
  return cites;
}

function enumSchema(output: OutputFormat): JsonObject {
  return {
    type: 'object',
    properties: { value: { type: 'string', enum: output.enum ?? [] } },
    required: ['value'],
    additionalProperties: false,
  };
}

/** Emulation E1 of translation.md 2.10. No tool of these models is strict, so the input holds to the schema mostly. */
function answerTool(
  output: OutputFormat,
  wanted: JsonObject | undefined,
  path: string,
  losses: EncodeRequestContext['losses'],
): JsonObject {
  losses.add(
    path,
    'output.format',
    'approximated',
    'the answer is requested as a tool call; its schema is not enforced',
  );
  const changes: SchemaChange[] = [];
  const current = isObject(wanted) ? toCurrentShape(wanted, changes) : wanted;
  const root = objectRoot(current, { combinators: 'wrap', of: 'answer' });
  if (root.wrapped)
    losses.add(path, 'schema.root', 'approximated', 'the answer is wrapped in an object, under the key value');
  const detail = describeChanges([...changes, ...root.changes]);
  if (detail !== undefined) losses.add(path, 'output.schema', 'approximated', detail);
  const description = output.description ?? 'Gives the final answer.';
  return { name: FINAL_ANSWER, description, input_schema: root.schema };
}

function citesDocuments(request: CanonicalRequest): boolean {
  return request.turns.some((turn) =>
    turn.parts.some((part) => isCitable(part) || (part.kind === 'result' && part.parts.some(isCitable))),
  );
}

function isCitable(part: { readonly kind: string; readonly citable?: boolean }): boolean {
  return part.citable === true;
}
