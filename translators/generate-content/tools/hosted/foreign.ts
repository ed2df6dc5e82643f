import type { HostedFamily } from '../../../canonical/tools.js';
import { encodePlain, type ForeignTool } from './codec.js';
import { encodeServer } from './mcp.js';
import { encodeSearch } from './web-search.js';

/** What becomes of the hosted tools of other dialects; families without are not declared here. */
export const foreignTools: Readonly<Partial<Record<HostedFamily, ForeignTool>>> = {
  webSearch: encodeSearch,
  urlFetch: encodePlain,
  codeExec: encodePlain,
  mcp: (tool) => [encodeServer(tool)],
};
