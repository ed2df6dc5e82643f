import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, OutputFormat } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { describeChanges, toStrictMessages } from '../schema/index.js';

/** How the wish for a form of the answer is put to the service. */
export interface OutputPlan {
  readonly format?: JsonObject;
  /** Words that ask for the form, for the last instruction block. */
  readonly instruction?: string;
  /** Documents of the request must not be citable. */
  readonly closesCitations: boolean;
}

const NOTHING: OutputPlan = { closesCitations: false };

/** The form of the answer (translation.md 2.10). */
export function planOutput(request: CanonicalRequest, context: EncodeRequestContext): OutputPlan {
  const { output } = request;
  if (output === undefined || output.kind === 'text') return NOTHING;
  const path = output.src?.ptr ?? request.at?.output ?? '';
  if (output.kind === 'json') {
    context.losses.add(path, 'output.format', 'approximated', 'JSON without a schema is asked for in words');
    return { instruction: 'Reply with one JSON object and nothing else.', closesCitations: false };
  }
  return planSchema(output, path, request, context);
}

function planSchema(
  output: OutputFormat,
  path: string,
  request: CanonicalRequest,
  { losses, profile }: EncodeRequestContext,
): OutputPlan {
  const wanted = output.kind === 'enum' ? enumSchema(output) : output.schema;
  if (output.kind === 'enum') {
    losses.add(path, 'output.format', 'approximated', 'the words to choose from stand in an object');
  }
  if (output.name !== undefined && output.name !== 'response') {
    losses.add(path, 'output.name', 'dropped', 'answer schemas have no name');
  }
  if (output.description !== undefined) {
    losses.add(path, 'output.description', 'dropped', 'answer schemas have no description of their own');
  }
  if (!profile.schemaOutput) {
    losses.add(path, 'output.schema', 'approximated', 'the schema is asked for in words; nothing checks the answer');
    return { instruction: inWords(wanted), closesCitations: false };
  }
  const projected = toStrictMessages(wanted, 'answer');
  if (projected.wrapped)
    losses.add(path, 'schema.root', 'approximated', 'the answer stands in an object, in the key value');
  const changes = describeChanges(projected.changes);
  if (changes !== undefined) losses.add(path, 'output.schema', 'approximated', changes);
  if (output.strict === false)
    losses.add(path, 'output.strict', 'approximated', 'answers are always held to their schema');
  const cites = citesDocuments(request);
  if (cites)
    losses.add(path, 'part.citation', 'approximated', 'citations and a schema exclude each other; they are off');
  return { format: { type: 'json_schema', schema: projected.schema }, closesCitations: cites };
}

function enumSchema(output: OutputFormat): JsonObject {
  return {
    type: 'object',
    properties: { value: { type: 'string', enum: output.enum ?? [] } },
    required: ['value'],
    additionalProperties: false,
  };
}

function inWords(schema: JsonObject | undefined): string {
  const text = JSON.stringify(schema ?? {});
  return `Reply with one JSON value that validates against this schema and nothing else.\n${text}`;
}

function citesDocuments(request: CanonicalRequest): boolean {
  return request.turns.some((turn) =>
    turn.parts.some((part) => isCitable(part) || (part.kind === 'result' && part.parts.some(isCitable))),
  );
}

function isCitable(part: { readonly kind: string; readonly citable?: boolean }): boolean {
  return part.citable === true;
}
