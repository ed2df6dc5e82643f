import { dropTool } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { FunctionTool, HostedFamily, HostedTool, Tool } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, objectRoot, rawSchema } from '../../schema/index.js';
import { DIALECT, type Printer } from '../nodes.js';
import { encodeStrictSchema } from '../schema/encode.js';
import { encodeForeignClient } from './computer.js';
import { encodeCustom } from './encode.js';
import { foreignTools } from './hosted/foreign.js';

/**
 * How tools of a request of another dialect are declared, with their losses; `holds`: calls are to be held to their schemas wherever a
 * schema allows it.
 */
export function foreignToolPrinter(context: EncodeRequestContext, holds: boolean): NonNullable<Printer['tool']> {
  return (tool) => {
    const encoded = encodeForeignTool(tool, context, holds);
    // A tool that is dropped is one loss, whatever keys it had.
    if (encoded !== undefined) dropTool(tool, DIALECT, context.losses);
    return encoded;
  };
}

function encodeForeignTool(tool: Tool, context: EncodeRequestContext, holds: boolean): JsonObject | undefined {
  const { losses } = context;
  switch (tool.kind) {
    case 'function':
      return encodeForeignFunction(tool, context, holds);
    case 'custom':
      return encodeCustom(tool);
    case 'hosted':
      if (!isListed(tool, context)) {
        losses.add(tool, 'tool.hosted', 'dropped', 'the host does not support this tool');
        return undefined;
      }
      return foreignTools[tool.family](tool, context);
    case 'client':
      return encodeForeignClient(tool, losses);
    case 'opaque':
      if (tool.dialect === DIALECT) return tool.raw;
      losses.add(tool, 'tool.opaque', 'dropped', `only supported by the ${tool.dialect} dialect`);
      return undefined;
    default:
      return tool satisfies never;
  }
}

/** Families that hosts of this dialect have or have not, by the word of the profile for them; others have no form here. */
const LISTED: Readonly<Partial<Record<HostedFamily, string>>> = {
  webSearch: 'webSearch',
  urlFetch: 'webSearch',
  codeExec: 'codeExec',
  imageGen: 'imageGen',
  mcp: 'mcp',
};

function isListed({ family }: HostedTool, { target }: EncodeRequestContext): boolean {
  const word = LISTED[family];
  return word === undefined || target.toolTypes[word] !== undefined;
}

/** `strict` is always written: left out, the service may take every property as required (hard case TOOL-16). */
function encodeForeignFunction(tool: FunctionTool, context: EncodeRequestContext, holds: boolean): JsonObject {
  const { parameters, strict } = (holds ? heldSchema(tool, context) : undefined) ?? encodeSchema(tool, context);
  const examples = examplesText(tool, context);
  const description = [tool.description, examples].filter((text) => text !== undefined && text !== '').join('\n\n');
  return { type: 'function', name: tool.name, ...(description !== '' && { description }), parameters, strict };
}

function examplesText(tool: FunctionTool, { losses }: EncodeRequestContext): string | undefined {
  if (tool.inputExamples === undefined || tool.inputExamples.length === 0) return undefined;
  losses.add(tool, 'tool.examples', 'moved', 'the examples are moved to the description');
  return `Examples of input:\n${tool.inputExamples.map((example) => JSON.stringify(example)).join('\n')}`;
}

/** A schema that is strict without changes (translation.md 2.9 `validated`). */
function heldSchema(
  tool: FunctionTool,
  { target }: EncodeRequestContext,
): { parameters: JsonObject; strict: boolean } | undefined {
  if (tool.strict !== undefined || !target.strictTools) return undefined;
  const projected = encodeStrictSchema(tool.schema);
  if ('refused' in projected || projected.wrapped || projected.changes.length > 0) return undefined;
  return { parameters: projected.schema, strict: true };
}

/** translation.md 3.1, 3.3, 3.4. */
function encodeSchema(tool: FunctionTool, context: EncodeRequestContext): { parameters: JsonObject; strict: boolean } {
  const { losses, target } = context;
  if (tool.strict === true && target.strictTools) {
    const projected = encodeStrictSchema(tool.schema);
    if (!('refused' in projected)) {
      reportChanges(projected.changes, tool, losses);
      if (projected.wrapped)
        losses.add(tool, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
      return { parameters: projected.schema, strict: true };
    }
    losses.add(tool, 'tool.strict', 'approximated', `the schema is not enforced: ${projected.refused}`);
  } else if (tool.strict === true) {
    losses.add(tool, 'tool.strict', 'approximated', 'the model does not enforce tool schemas');
  }
  const demanded = objectRoot(tool.schema, { combinators: 'wrap', bare: true });
  const rooted = target.rawSchemas === true ? rawSchema(tool.schema, demanded) : demanded;
  reportChanges(rooted.changes, tool, losses);
  if (rooted.wrapped)
    losses.add(tool, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
  return { parameters: rooted.schema, strict: false };
}

function reportChanges(
  changes: Parameters<typeof describeChanges>[0],
  tool: FunctionTool,
  losses: EncodeRequestContext['losses'],
): void {
  const detail = describeChanges(changes);
  if (detail !== undefined) losses.add(tool, 'tool.schema', 'approximated', detail);
}
