import { fieldPlace, type JsonObject, ptrOf } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';

/** All that this dialect knows of one family of hosted tools. Calls and results have no form in its messages. */
export interface HostedCodec {
  /**
   * The tool of another dialect as members of a request, or undefined when it is dropped; reports both. Throws
   * `unsupported` where dropping it would widen what the model may do.
   */
  encodeForeignTool(tool: HostedTool, context: EncodeRequestContext): JsonObject | undefined;
}

/** The way of a foreign tool that has no counterpart. */
export function dropTool(detail: string): HostedCodec['encodeForeignTool'] {
  return (tool, { losses }) => {
    // A server may stand apart from the tools that it has.
    for (const path of new Set([ptrOf(tool), fieldPlace(tool, 'server')]))
      losses.add(path, 'tool.hosted', 'dropped', detail);
    return undefined;
  };
}
