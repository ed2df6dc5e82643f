import { NO_TOOL_SEARCH } from '../../../canonical/loss.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { codeExecTool } from './code-execution.js';
import { dropTool, type ForeignTool, type ToolCodec } from './codec.js';
import { encodeMcp } from './mcp.js';
import { encodeServerTool } from './tools.js';
import { urlFetchTool } from './web-fetch.js';
import { encodeSearch } from './web-search.js';

/** The way of a foreign tool for which the service has this one. */
function serverTool(codec: ToolCodec): ForeignTool {
  return (tool, request, context) => encodeServerTool(tool, codec, request, context);
}

/** What becomes of the hosted tools of other dialects. */
export const foreignTools: Readonly<Record<HostedFamily, ForeignTool>> = {
  webSearch: encodeSearch,
  urlFetch: serverTool(urlFetchTool),
  codeExec: serverTool(codeExecTool),
  mcp: encodeMcp,
  toolSearch: dropTool(NO_TOOL_SEARCH),
  advisor: dropTool('the service has no advisor tool'),
  fileSearch: dropTool('the service has no file search tool'),
  imageGen: dropTool('the service has no image generation tool'),
  maps: dropTool('the service has no maps tool'),
  other: dropTool('this hosted tool has no equivalent at the service'),
};
