import type { HostedCallPart, HostedResultPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { HostedFamily } from '../canonical/tools.js';
import { lookUp } from '../wire/json.js';
import { check } from './check.js';
import { fieldNames, open } from './spelling.js';
import * as wire from './wire.js';

const CODE = fieldNames('language', 'code', 'id');
const CODE_RESULT = fieldNames('outcome', 'output', 'id');
const TOOL_CALL = fieldNames('id', 'toolType', 'args');
const TOOL_RESPONSE = fieldNames('id', 'toolType', 'response');

/** Families of the tools that the service runs itself and shows as parts ([G §2.4]). */
const FAMILIES: Readonly<Record<string, HostedFamily>> = {
  GOOGLE_SEARCH_WEB: 'webSearch',
  GOOGLE_SEARCH_IMAGE: 'webSearch',
  URL_CONTEXT: 'urlFetch',
  GOOGLE_MAPS: 'maps',
  FILE_SEARCH: 'fileSearch',
};

/** The family of a tool that the service runs itself. */
export function familyOf(toolType: unknown): HostedFamily {
  return FAMILIES[String(toolType)] ?? 'other';
}

type HostedCall = Pick<HostedCallPart, 'callId' | 'family' | 'input'>;
type HostedResult = Pick<HostedResultPart, 'callId' | 'family' | 'output' | 'isError' | 'errorCode'>;

/** Reads `executableCode`. An empty id means that the code is followed by its result. */
export function decodeCode(value: JsonObject, ptr: string): HostedCall {
  const { known, names } = open(value, CODE, ptr, '', []);
  const { language, code, id } = check(wire.executableCode, known, ptr, names);
  const input = { code: code ?? '', ...(language !== undefined && { language: language.toLowerCase() }) };
  return { callId: id ?? '', family: 'codeExec', input };
}

/** Reads `codeExecutionResult`. A failed run is a result with an exit code; only a run that was cut is an error. */
export function decodeCodeResult(value: JsonObject, ptr: string): HostedResult {
  const { known, names } = open(value, CODE_RESULT, ptr, '', []);
  const { outcome, output, id } = check(wire.codeExecutionResult, known, ptr, names);
  const cut = outcome === 'OUTCOME_DEADLINE_EXCEEDED';
  const failed = outcome === 'OUTCOME_FAILED';
  return {
    callId: id ?? '',
    family: 'codeExec',
    output: { stdout: output ?? '', ...(cut ? { timedOut: true } : { exitCode: failed ? 1 : 0 }) },
    ...(cut && { isError: true, errorCode: 'execution_time_exceeded' }),
  };
}

/** Reads `toolCall`. */
export function decodeToolCall(value: JsonObject, ptr: string): HostedCall {
  const { known, names } = open(value, TOOL_CALL, ptr, '', []);
  const { id, toolType, args } = check(wire.toolCall, known, ptr, names);
  const family = lookUp(FAMILIES, toolType) ?? 'other';
  return { callId: id ?? '', family, input: inputOf(family, args ?? {}) };
}

/** Reads `toolResponse`. */
export function decodeToolResponse(value: JsonObject, ptr: string): HostedResult {
  const { known, names } = open(value, TOOL_RESPONSE, ptr, '', []);
  const { id, toolType, response } = check(wire.toolResponse, known, ptr, names);
  const family = lookUp(FAMILIES, toolType) ?? 'other';
  return { callId: id ?? '', family, output: outputOf(family, response ?? {}) };
}

/** A function call that the service answered itself, on a server that the request named. */
export function serverCall(name: string, args: JsonObject): Omit<HostedCall, 'callId'> {
  return { family: 'mcp', input: { server: '', name, arguments: JSON.stringify(args) } };
}

/** What such a server answered. */
export function serverResult(response: JsonObject): Omit<HostedResult, 'callId'> {
  const { result } = response;
  return { family: 'mcp', output: { text: typeof result === 'string' ? result : JSON.stringify(response) } };
}

/** Prints a run of code of any service: the call part, without an id, because result follows call. */
export function encodeCode(part: HostedCallPart): JsonObject {
  const { code, language } = part.input;
  return {
    executableCode: {
      // The service knows no other language.
      language: language === undefined || language === 'python' ? 'PYTHON' : 'LANGUAGE_UNSPECIFIED',
      code: typeof code === 'string' ? code : '',
    },
  };
}

/** Prints what a run of code brought; what it wrote to stderr follows its output. */
export function encodeCodeResult(part: HostedResultPart): JsonObject {
  const { stdout, stderr, exitCode, timedOut } = part.output;
  const cut = timedOut === true || part.errorCode === 'execution_time_exceeded';
  const failed = part.isError === true || (typeof exitCode === 'number' && exitCode !== 0);
  const output = [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
  return {
    codeExecutionResult: {
      outcome: cut ? 'OUTCOME_DEADLINE_EXCEEDED' : failed ? 'OUTCOME_FAILED' : 'OUTCOME_OK',
      ...(output !== '' && { output }),
    },
  };
}

function inputOf(family: HostedFamily, args: JsonObject): JsonObject {
  switch (family) {
    case 'webSearch': {
      const queries = strings(args.queries);
      return { action: 'search', queries, ...(queries[0] !== undefined && { query: queries[0] }) };
    }
    case 'urlFetch': {
      const urls = typeof args.url === 'string' ? [args.url] : strings(args.urls);
      return { url: urls[0] ?? '' };
    }
    case 'fileSearch':
      return { queries: strings(args.queries) };
    default:
      return args;
  }
}

function outputOf(family: HostedFamily, response: JsonObject): JsonObject {
  switch (family) {
    case 'webSearch':
      return { sources: [] };
    case 'urlFetch':
      return { url: typeof response.url === 'string' ? response.url : '' };
    case 'fileSearch':
      return { results: [] };
    default:
      return response;
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
