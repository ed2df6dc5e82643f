import { NO_TOOL_SEARCH } from '../../../canonical/loss.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { dropTool, type HostedCodec } from './codec.js';
import { webSearch } from './web-search.js';

const absent = (what: string): HostedCodec => ({ encodeForeignTool: dropTool(`the server has no ${what} tool`) });

/** Every family of hosted tools. */
export const hostedCodecs: Readonly<Record<HostedFamily, HostedCodec>> = {
  webSearch,
  urlFetch: absent('fetching of pages'),
  codeExec: absent('running code'),
  fileSearch: absent('search in files'),
  mcp: absent('other servers'),
  imageGen: absent('pictures'),
  toolSearch: { encodeForeignTool: dropTool(NO_TOOL_SEARCH) },
  maps: absent('maps'),
  advisor: absent('advice'),
  other: absent('this'),
};
