import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { isObject, lookUp } from '../../../wire/json.js';
import { citationOf, type Sources, string } from '../../content/citations.js';
import { check, fieldNames, open } from '../../nodes.js';
import * as wire from '../../wire/index.js';

/** The mark of parts that were read out of metadata and are printed there again. */
export const DERIVED = 'derived';

/**
 * A search or fetch that only metadata tells of, as a hosted call with its result (translation.md 5.5). No search when
 * one was `searched` among the parts.
 */
export function derivedPairs(sources: Sources, searched: boolean): readonly (HostedCallPart | HostedResultPart)[] {
  const out: (HostedCallPart | HostedResultPart)[] = [];
  const grounding = wire.groundingMetadata.safeParse(sources.groundingMetadata ?? {});
  const queries = (grounding.success ? (grounding.data.webSearchQueries ?? []) : []).filter((query) => query !== '');
  const src = { ptr: '/candidates/0/groundingMetadata', shape: [DERIVED] };
  if (queries.length > 0 && !searched) {
    const chunks = grounding.success ? (grounding.data.groundingChunks ?? []) : [];
    const found = chunks.flatMap((chunk) => {
      const citation = isObject(chunk.web) ? citationOf(chunk) : undefined;
      return citation?.url === undefined ? [] : [{ url: citation.url, ...string('title', citation.title) }];
    });
    const input = { action: 'search', query: queries[0], queries };
    out.push({ kind: 'hostedCall', callId: 'grounding', family: 'webSearch', input, status: 'completed', src });
    out.push({ kind: 'hostedResult', callId: 'grounding', family: 'webSearch', output: { sources: found }, src });
  }
  retrievals(sources).forEach(({ url, status }, index) => {
    const failed = status !== undefined && status !== 'success';
    const at = { ptr: '/candidates/0/urlContextMetadata', shape: [DERIVED] };
    const callId = `url_context_${index}`;
    out.push({ kind: 'hostedCall', callId, family: 'urlFetch', input: { url }, status: 'completed', src: at });
    out.push({
      kind: 'hostedResult',
      callId,
      family: 'urlFetch',
      output: { url, ...(status !== undefined && { status }) },
      ...(failed && { isError: true, errorCode: status }),
      src: at,
    });
  });
  return out;
}

/** The addresses that the service read, in either of the two forms ([G §8]). */
function retrievals(sources: Sources): { url: string; status?: string }[] {
  const current = isObject(sources.urlContextMetadata) ? sources.urlContextMetadata.urlMetadata : undefined;
  const older = isObject(sources.urlRetrievalMetadata) ? sources.urlRetrievalMetadata.urlRetrievalContexts : undefined;
  const list = Array.isArray(current) ? current : Array.isArray(older) ? older : [];
  return list.filter(isObject).flatMap((entry) => {
    const { retrievedUrl, urlRetrievalStatus } = entry;
    if (typeof retrievedUrl !== 'string') return [];
    const status =
      typeof urlRetrievalStatus === 'string'
        ? urlRetrievalStatus.replace('URL_RETRIEVAL_STATUS_', '').toLowerCase()
        : undefined;
    return [{ url: retrievedUrl, ...(status !== undefined && { status }) }];
  });
}

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
