import type { HostedFamily } from '../../../canonical/tools.js';
import { codeExecPair } from './code-execution.js';
import type { PairCodec } from './codec.js';
import { mcpPair } from './mcp.js';
import { urlFetchPair } from './web-fetch.js';
import { webSearchPair } from './web-search.js';

/** How calls and results of other dialects become blocks; those that are undefined have no form here. */
export const pairs: Readonly<Record<HostedFamily, PairCodec | undefined>> = {
  webSearch: webSearchPair,
  urlFetch: urlFetchPair,
  codeExec: codeExecPair,
  mcp: mcpPair,
  toolSearch: undefined,
  advisor: undefined,
  fileSearch: undefined,
  imageGen: undefined,
  maps: undefined,
  other: undefined,
};
