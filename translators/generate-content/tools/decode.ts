import type { JsonObject, Source } from '../../canonical/node.js';
import type { ClientTool, FunctionTool, OpaqueTool, Tool } from '../../canonical/tools.js';
import { fromJsonSchemaField, fromSchemaSubset, type RootRules } from '../../schema/index.js';
import { lookUp } from '../../wire/json.js';
import { bagOf } from '../content/media.js';
import { bagPlaces, check, checkObject, DIALECT, fieldNames, fieldPtr, invalid, type Opened, open } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeHosted, decodeServer, HOSTED } from './hosted/tools.js';

const ENTRY = fieldNames('functionDeclarations', 'computerUse', 'mcpServers', ...Object.keys(HOSTED));
/** Fields of a function that the model has no place for; they stay in the bag. */
const OF_FUNCTIONS = ['response', 'responseJsonSchema', 'behavior'];
const FUNCTION = fieldNames('name', 'description', 'parameters', 'parametersJsonSchema', ...OF_FUNCTIONS);

const COMPUTER = fieldNames('environment');

/**
 * Reads `tools`. Every tool remembers the entry it stood in (mark `entry:N`), so that the same entries can be printed
 * again; entries and lists without any tool are noted in `marks`, which belong to the request.
 */
export function decodeTools(list: readonly JsonObject[], pointer: (index: number) => string, marks: string[]): Tool[] {
  const tools: Tool[] = [];
  const bare: string[] = [];
  list.forEach((entry, index) => {
    const before = tools.length;
    decodeEntry(entry, pointer(index), index, tools, bare);
    if (tools.length === before) bare.push(`as:tools.${index}=${JSON.stringify(entry)}`);
  });
  if (tools.length === 0) marks.push(`as:tools=${JSON.stringify(list)}`);
  else marks.push(...bare);
  return tools;
}

function decodeEntry(entry: JsonObject, ptr: string, index: number, tools: Tool[], marks: string[]): void {
  const spelling: string[] = [];
  const opened = open(entry, ENTRY, ptr, '', spelling);
  const shape = [`entry:${index}`, ...spelling.filter((mark) => mark.startsWith('snake:'))];
  for (const mark of spelling) {
    if (mark.startsWith('null:')) marks.push(`as:tools.${index}.${wireName(opened.names, mark.slice(5))}=null`);
  }
  for (const key of Object.keys(opened.known)) {
    const value = opened.known[key];
    const at = fieldPtr(opened, key, ptr);
    if (key === 'functionDeclarations' || key === 'mcpServers') {
      const single = !Array.isArray(value);
      const items: readonly unknown[] = single ? [checkObject(value, at)] : value;
      const decode = key === 'mcpServers' ? decodeServer : decodeFunction;
      items.forEach((item, place) => {
        const itemAt = single ? at : `${at}/${place}`;
        tools.push(decode(checkObject(item, itemAt), itemAt, shape));
      });
      if (single) marks.push(`single:tools.${index}.${wireName(opened.names, key)}`);
      if (items.length === 0 && Object.keys(opened.known).length > 1) marks.push(`as:tools.${index}.${key}=[]`);
    } else if (key === 'computerUse') {
      tools.push(decodeComputer(checkObject(value, at), at, shape));
    } else {
      tools.push(decodeHosted(key, lookUp(HOSTED, key) ?? 'other', checkObject(value, at), at, shape));
    }
  }
  for (const key of Object.keys(opened.rest ?? {})) {
    const src: Source = { ptr: `${ptr}/${key}`, shape };
    const tool: OpaqueTool = { kind: 'opaque', dialect: DIALECT, type: key, raw: { [key]: entry[key] }, src };
    tools.push(tool);
  }
}

function wireName(names: Opened['names'], key: string): string {
  return names?.[key] ?? key;
}

function decodeFunction(value: JsonObject, ptr: string, shape: readonly string[]): FunctionTool {
  const marks = [...shape];
  const opened = open(value, FUNCTION, ptr, 'functionDeclarations.', marks);
  const { name, description, parameters, parametersJsonSchema } = check(
    wire.functionDeclaration,
    opened.known,
    ptr,
    opened.names,
  );
  if (name === '') throw invalid('name: a function has a name', fieldPtr(opened, 'name', ptr));
  const { response, responseJsonSchema, behavior } = opened.known;
  const given = parametersJsonSchema ?? parameters;
  const schema = given && (given === parametersJsonSchema ? fromJsonSchemaField(given) : fromSchemaSubset(given));
  const raw = schema === given ? undefined : given;
  if (raw !== undefined && raw === parametersJsonSchema) marks.push(JSON_SCHEMA_FIELD);
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
    src: { ptr, shape: marks, ...(raw !== undefined && { raw }), ...bagPlaces(opened, ptr, OF_FUNCTIONS) },
  };
}

function decodeComputer(value: JsonObject, ptr: string, shape: readonly string[]): ClientTool {
  const { known, rest } = open(value, COMPUTER, ptr, '', []);
  const { environment } = known;
  const ext = bagOf(rest);
  return {
    kind: 'client',
    family: 'computer',
    dialect: DIALECT,
    type: 'computerUse',
    ...(typeof environment === 'string' && { environment: environment.replace(/^ENVIRONMENT_/, '').toLowerCase() }),
    ...(ext !== undefined && { ext }),
    src: { ptr, shape, raw: value },
  };
}

/** What the schema of a function's parameters is held to ([G §4] rule 16). */
export const PARAMETERS: RootRules = { combinators: 'wrap', names: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/ };

/** Mark of a function whose schema, kept as it came, stood in this field and not in `parameters`. */
export const JSON_SCHEMA_FIELD = 'field:parametersJsonSchema';
