import type { HostedFamily } from '../../../canonical/tools.js';
import { codeExec } from './code-execution.js';
import { type HostedCodec, stringsOf } from './codec.js';
import { urlFetch } from './url-context.js';
import { webSearch } from './web-search.js';

/** The families of hosted tools that this dialect has. Calls of MCP servers look like calls of functions. */
export const hostedCodecs: Readonly<Partial<Record<HostedFamily, HostedCodec>>> = {
  webSearch,
  urlFetch,
  codeExec,
  fileSearch: {
    tools: { fileSearch: { fileSearchStoreNames: 'storeIds' }, retrieval: {} },
    toolTypes: ['FILE_SEARCH'],
    decodeInput: (args) => ({ queries: stringsOf(args.queries) }),
    decodeOutput: () => ({ results: [] }),
  },
  maps: { tools: { googleMaps: {} }, toolTypes: ['GOOGLE_MAPS'] },
};

/** Families by a word of theirs. */
function familiesBy(words: (codec: HostedCodec) => readonly string[]): ReadonlyMap<string, HostedFamily> {
  return new Map(
    Object.entries(hostedCodecs).flatMap(([family, codec]) =>
      words(codec).map((word) => [word, family as HostedFamily] as const),
    ),
  );
}

/** Families by the key of their tools in an entry of `tools` ([G §2.5]). */
export const TOOL_KEYS = familiesBy(({ tools = {} }) => Object.keys(tools));

const TOOL_TYPES = familiesBy(({ toolTypes = [] }) => toolTypes);

/** The family of a `toolCall` or `toolResponse`. */
export function familyOf(toolType: unknown): HostedFamily {
  return TOOL_TYPES.get(String(toolType)) ?? 'other';
}
