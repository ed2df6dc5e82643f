import type { HostedFamily } from '../../../canonical/tools.js';
import { encodePlain, type ForeignTool } from './codec.js';
import { encodeServer } from './mcp.js';
import { encodeSearch } from './web-search.js';

/** What becomes of the hosted tools of other dialects; those that are undefined here are not declared. */
export const foreignTools: Readonly<Record<HostedFamily, ForeignTool | undefined>> = {
  webSearch: encodeSearch,
  urlFetch: encodePlain,
  codeExec: encodePlain,
  mcp: (tool) => [encodeServer(tool)],
  fileSearch: undefined,
  imageGen: undefined,
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};
