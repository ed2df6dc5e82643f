import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { taken } from '../../../wire/check.js';
import { isObject } from '../../../wire/json.js';
import { citationOf, type Sources, string } from '../../content/citations.js';
import type { FoundPage } from '../../content/grounding.js';
import * as wire from '../../wire/index.js';
import { type AnswerCodec, dropSettings, type ForeignTool, type HostedCodec, stringsOf } from './codec.js';

/** Search of the web; what it asked and found stands in the metadata of the candidate. */
export const webSearch: HostedCodec = {
  tools: {
    googleSearch: { excludeDomains: 'blockedDomains' },
    googleSearchRetrieval: {},
    enterpriseWebSearch: {},
    exaAiSearch: {},
    parallelAiSearch: {},
  },
  toolTypes: ['GOOGLE_SEARCH_WEB', 'GOOGLE_SEARCH_IMAGE'],
  decodeInput(args) {
    const queries = stringsOf(args.queries);
    return { action: 'search', queries, ...(queries[0] !== undefined && { query: queries[0] }) };
  },
  decodeOutput: () => ({ sources: [] }),
};

/** The search of another service. */
export const encodeSearch: ForeignTool = (tool, { losses, target }) => {
  const { blockedDomains = [] } = tool.settings;
  const excludes = blockedDomains.length > 0 && target.cloud === true;
  dropSettings(tool, losses, excludes || blockedDomains.length === 0 ? ['blockedDomains'] : []);
  return excludes ? { excludeDomains: [...blockedDomains] } : {};
};

export const webSearchAnswer: AnswerCodec = {
  needsCall: true,
  encodeCall({ input }, sources) {
    const queries = queriesOf(input);
    sources.addQueries(queries);
    return queries.length === 0 ? undefined : 'metadata';
  },
  encodeResult({ output }, _call, sources) {
    sources.addPages(pagesOf(output));
    return 'metadata';
  },
  shownKeys: ['sources'],
  hiddenInput: ({ input }) => (input.action !== undefined && input.action !== 'search' ? ['the opened page'] : []),
  hiddenOutput: ({ output }, failed) => [
    ...(hasAges(output.sources) ? ['ages of the pages'] : []),
    ...(failed ? ['the failure'] : []),
  ],
};

/** What a search asked for, empty words left out. */
function queriesOf(input: JsonObject): string[] {
  const list: unknown[] = Array.isArray(input.queries) && input.queries.length > 0 ? input.queries : [input.query];
  return list.filter((query) => typeof query === 'string').filter((query) => query !== '');
}

function pagesOf(output: JsonObject): FoundPage[] {
  const list = Array.isArray(output.sources) ? output.sources.filter(isObject) : [];
  return list.flatMap((source) =>
    typeof source.url === 'string' ? [{ url: source.url, ...string('title', source.title) }] : [],
  );
}

function hasAges(sources: unknown): boolean {
  return Array.isArray(sources) && sources.some((source) => typeof Object(source).pageAge === 'string');
}

/** The search that metadata speak of, with what it found; none where they name no query. */
export function decodeSearch({ groundingMetadata }: Sources): (HostedCallPart | HostedResultPart)[] {
  const { webSearchQueries = [], groundingChunks = [] } = taken(wire.groundingMetadata, groundingMetadata ?? {}) ?? {};
  const queries = webSearchQueries.filter((query) => query !== '');
  if (queries.length === 0) return [];
  const found = groundingChunks.flatMap((chunk) => {
    const citation = isObject(chunk.web) ? citationOf(chunk) : undefined;
    return citation?.url === undefined ? [] : [{ url: citation.url, ...string('title', citation.title) }];
  });
  const common = {
    callId: 'grounding',
    family: 'webSearch',
    src: { ptr: '/candidates/0/groundingMetadata' },
  } as const;
  const input = { action: 'search', query: queries[0], queries };
  return [
    { kind: 'hostedCall', ...common, input, status: 'completed' },
    { kind: 'hostedResult', ...common, output: { sources: found } },
  ];
}
