import type { HostedFamily } from '../../../canonical/tools.js';
import { codeExec } from './code-execution.js';
import { type HostedCodec, stringsOf } from './codec.js';
import { imageGen } from './image-generation.js';
import { mcp } from './mcp.js';
import { urlFetch } from './url-context.js';
import { webSearch } from './web-search.js';

/** Every family of hosted tools. */
export const hostedCodecs: Readonly<Record<HostedFamily, HostedCodec>> = {
  webSearch,
  urlFetch,
  codeExec,
  fileSearch: {
    tools: { fileSearch: { fileSearchStoreNames: 'storeIds' }, retrieval: {} },
    toolTypes: ['FILE_SEARCH'],
    decodeInput: (args) => ({ queries: stringsOf(args.queries) }),
    decodeOutput: () => ({ results: [] }),
  },
  mcp,
  imageGen,
  toolSearch: {},
  maps: { tools: { googleMaps: {} }, toolTypes: ['GOOGLE_MAPS'] },
  advisor: {},
  other: {},
};

/** Families by a word of theirs. */
function familiesBy(words: (codec: HostedCodec) => readonly string[]): ReadonlyMap<string, HostedFamily> {
  const families = Object.keys(hostedCodecs) as HostedFamily[];
  return new Map(families.flatMap((family) => words(hostedCodecs[family]).map((word) => [word, family] as const)));
}

/** Families by the key of their tools in an entry of `tools` ([G §2.5]). */
export const TOOL_KEYS = familiesBy(({ tools = {} }) => Object.keys(tools));

const TOOL_TYPES = familiesBy(({ toolTypes = [] }) => toolTypes);

/** The family of a `toolCall` or `toolResponse`. */
export function familyOf(toolType: unknown): HostedFamily {
  return TOOL_TYPES.get(String(toolType)) ?? 'other';
}
