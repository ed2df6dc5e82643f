import { NO_TOOL_SEARCH } from '../../../canonical/loss.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { encodeCodeExec } from './code-execution.js';
import { dropTool, type ForeignTool } from './codec.js';
import { encodeImageGen } from './image-generation.js';
import { encodeMcp } from './mcp.js';
import { encodeSearch } from './web-search.js';

/** What becomes of the hosted tools of other dialects. */
export const foreignTools: Readonly<Record<HostedFamily, ForeignTool>> = {
  webSearch: encodeSearch,
  urlFetch: dropTool('the service has no URL fetch tool'),
  codeExec: encodeCodeExec,
  fileSearch: dropTool('stores of another service cannot be searched'),
  mcp: encodeMcp,
  imageGen: encodeImageGen,
  toolSearch: dropTool(NO_TOOL_SEARCH),
  maps: dropTool('the service has no maps tool'),
  advisor: dropTool('the service has no advisor tool'),
  other: dropTool('this hosted tool has no equivalent at the service'),
};
