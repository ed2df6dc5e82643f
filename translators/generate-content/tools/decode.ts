import type { JsonObject } from '../../canonical/node.js';
import type { ClientTool, FunctionTool, Tool } from '../../canonical/tools.js';
import type { RootRules } from '../../schema/index.js';
import { bagOf } from '../content/media.js';
import {
  bagPlaces,
  check,
  checkObject,
  DIALECT,
  fieldNames,
  fieldPtr,
  invalid,
  open,
  remember,
  rememberAll,
} from '../nodes.js';
import { decodeSchema } from '../schema/decode.js';
import { decodeJsonSchema } from '../schema/json-schema.js';
import * as wire from '../wire/index.js';
import { decodeHostedTool } from './hosted/decode.js';
import { TOOL_KEYS } from './hosted/families.js';
import { decodeServer } from './hosted/mcp.js';

const ENTRY = fieldNames('functionDeclarations', 'computerUse', 'mcpServers', ...TOOL_KEYS.keys());
/** Fields of a function that the model has no place for; they stay in the bag. */
const OF_FUNCTIONS = ['response', 'responseJsonSchema', 'behavior'];
const FUNCTION = fieldNames('name', 'description', 'parameters', 'parametersJsonSchema', ...OF_FUNCTIONS);

const COMPUTER = fieldNames('environment');

/** Reads `tools`: entries that each hold any number of tools. */
export function decodeTools(list: readonly JsonObject[], pointer: (index: number) => string): Tool[] {
  return list.flatMap((entry, index) => rememberAll(decodeEntry(entry, pointer(index)), entry));
}

function decodeEntry(entry: JsonObject, ptr: string): Tool[] {
  const tools: Tool[] = [];
  const opened = open(entry, ENTRY, ptr);
  for (const key of Object.keys(opened.known)) {
    const value = opened.known[key];
    const at = fieldPtr(opened, key, ptr);
    if (key === 'functionDeclarations' || key === 'mcpServers') {
      const single = !Array.isArray(value);
      const items: readonly unknown[] = single ? [checkObject(value, at)] : value;
      const decode = key === 'mcpServers' ? decodeServer : decodeFunction;
      items.forEach((item, place) => {
        const itemAt = single ? at : `${at}/${place}`;
        const node = checkObject(item, itemAt);
        tools.push(remember(decode(node, itemAt), node));
      });
      continue;
    }
    const node = checkObject(value, at);
    const tool = key === 'computerUse' ? decodeComputer(node, at) : decodeHostedTool(key, node, at);
    tools.push(remember(tool, node));
  }
  for (const key of Object.keys(opened.rest ?? {})) {
    tools.push({
      kind: 'opaque',
      dialect: DIALECT,
      type: key,
      raw: { [key]: entry[key] },
      src: { ptr: `${ptr}/${key}` },
    });
  }
  return tools;
}

function decodeFunction(value: JsonObject, ptr: string): FunctionTool {
  const opened = open(value, FUNCTION, ptr);
  const { name, description, parameters, parametersJsonSchema } = check(
    wire.functionDeclaration,
    opened.known,
    ptr,
    opened.names,
  );
  if (name === '') throw invalid('name: a function has a name', fieldPtr(opened, 'name', ptr));
  const { response, responseJsonSchema, behavior } = opened.known;
  const given = parametersJsonSchema ?? parameters;
  const schema = given && (given === parametersJsonSchema ? decodeJsonSchema(given) : decodeSchema(given));
  const ext = bagOf(opened.rest, {
    ...(response !== undefined && { response }),
    ...(responseJsonSchema !== undefined && { responseJsonSchema }),
    ...(behavior !== undefined && { behavior }),
    ...(given !== parameters && parameters !== undefined && { parameters }),
  });
  return {
    kind: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { schema }),
    ...(ext !== undefined && { ext }),
    src: { ptr, ...bagPlaces(opened, ptr, OF_FUNCTIONS) },
  };
}

function decodeComputer(value: JsonObject, ptr: string): ClientTool {
  const { known, rest } = open(value, COMPUTER, ptr);
  const { environment } = known;
  const ext = bagOf(rest);
  return {
    kind: 'client',
    family: 'computer',
    dialect: DIALECT,
    type: 'computerUse',
    ...(typeof environment === 'string' && { environment: environment.replace(/^ENVIRONMENT_/, '').toLowerCase() }),
    ...(ext !== undefined && { ext }),
    src: { ptr },
  };
}

/** What the schema of a function's parameters is held to ([G §4] rule 16). */
export const PARAMETERS: RootRules = { combinators: 'wrap', names: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/ };
