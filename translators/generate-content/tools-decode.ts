import type { JsonObject, Source } from '../canonical/node.js';
import type { ClientTool, FunctionTool, HostedFamily, HostedTool, OpaqueTool, Tool } from '../canonical/tools.js';
import { fromJsonSchemaField, fromSchemaSubset } from '../schema/index.js';
import { isObject, lookUp } from '../wire/json.js';
import { check, checkObject } from './check.js';
import { bagOf } from './media.js';
import { JSON_SCHEMA_FIELD } from './names.js';
import { bagPlaces, type FieldNames, fieldNames, fieldPtr, invalid, type Opened, open } from './spelling.js';
import * as wire from './wire.js';

/** Tools that the service runs itself, by their key in an entry of `tools` ([G §2.5]). */
export const HOSTED: Readonly<Record<string, HostedFamily>> = {
  googleSearch: 'webSearch',
  googleSearchRetrieval: 'webSearch',
  enterpriseWebSearch: 'webSearch',
  exaAiSearch: 'webSearch',
  parallelAiSearch: 'webSearch',
  urlContext: 'urlFetch',
  codeExecution: 'codeExec',
  fileSearch: 'fileSearch',
  retrieval: 'fileSearch',
  googleMaps: 'maps',
};

const ENTRY = fieldNames('functionDeclarations', 'computerUse', 'mcpServers', ...Object.keys(HOSTED));
/** Fields of a function that the model has no place for; they stay in the bag. */
const OF_FUNCTIONS = ['response', 'responseJsonSchema', 'behavior'];
const FUNCTION = fieldNames('name', 'description', 'parameters', 'parametersJsonSchema', ...OF_FUNCTIONS);
const SERVER = fieldNames('name', 'streamableHttpTransport');
const TRANSPORT = fieldNames('url', 'headers');
const SEARCH = fieldNames('excludeDomains');
const FILE_SEARCH = fieldNames('fileSearchStoreNames');
const COMPUTER = fieldNames('environment');
const NOTHING = fieldNames();

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
    const tool: OpaqueTool = { kind: 'opaque', dialect: 'generateContent', type: key, raw: { [key]: entry[key] }, src };
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

function decodeHosted(
  type: string,
  family: HostedFamily,
  value: JsonObject,
  ptr: string,
  shape: readonly string[],
): HostedTool {
  const fields: FieldNames = type === 'googleSearch' ? SEARCH : type === 'fileSearch' ? FILE_SEARCH : NOTHING;
  const opened = open(value, fields, ptr, '', []);
  const { known, rest } = opened;
  const blockedDomains = strings(known.excludeDomains);
  const storeIds = strings(known.fileSearchStoreNames);
  const ext = bagOf(rest);
  return {
    kind: 'hosted',
    family,
    dialect: 'generateContent',
    type,
    settings: {
      ...(blockedDomains.length > 0 && { blockedDomains }),
      ...(storeIds.length > 0 && { storeIds }),
    },
    ...(ext !== undefined && { ext }),
    src: {
      ptr,
      shape,
      raw: value,
      ...(blockedDomains.length > 0 && { at: { blockedDomains: fieldPtr(opened, 'excludeDomains', ptr) } }),
    },
  };
}

function decodeComputer(value: JsonObject, ptr: string, shape: readonly string[]): ClientTool {
  const { known, rest } = open(value, COMPUTER, ptr, '', []);
  const { environment } = known;
  const ext = bagOf(rest);
  return {
    kind: 'client',
    family: 'computer',
    dialect: 'generateContent',
    type: 'computerUse',
    ...(typeof environment === 'string' && { environment: environment.replace(/^ENVIRONMENT_/, '').toLowerCase() }),
    ...(ext !== undefined && { ext }),
    src: { ptr, shape, raw: value },
  };
}

/** A server whose tools the service calls by itself, without asking anyone. */
function decodeServer(value: JsonObject, ptr: string, shape: readonly string[]): HostedTool {
  const opened = open(value, SERVER, ptr, '', []);
  const { name, streamableHttpTransport } = check(wire.mcpServer, opened.known, ptr, opened.names);
  const at = fieldPtr(opened, 'streamableHttpTransport', ptr);
  const transport = open(streamableHttpTransport ?? {}, TRANSPORT, at, '', []);
  const { url, headers } = transport.known;
  const ext = bagOf(opened.rest, transport.rest && { streamableHttpTransport: transport.rest });
  return {
    kind: 'hosted',
    family: 'mcp',
    dialect: 'generateContent',
    type: 'mcpServers',
    settings: {
      server: {
        label: name,
        ...(typeof url === 'string' && { url }),
        ...(isObject(headers) && { headers: stringMap(headers) }),
        approval: 'never',
      },
    },
    ...(ext !== undefined && { ext }),
    src: { ptr, shape, raw: value, ...(isObject(headers) && { at: { headers: fieldPtr(transport, 'headers', at) } }) },
  };
}

function stringMap(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
