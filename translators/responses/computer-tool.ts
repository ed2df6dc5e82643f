import { DEFAULT_DISPLAY } from '../adapt/client-tools/display.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { ClientTool } from '../canonical/tools.js';
import { DIALECT } from './nodes.js';

/** The type of computer tool that is told its display and environment; the newer one has no settings [R §2.6]. */
export const PREVIEW = 'computer_use_preview';

/** Words for what a computer is, by the words of other dialects; the others are the same. */
const ENVIRONMENTS: Readonly<Record<string, string>> = {
  browser: 'browser',
  linux: 'linux',
  ubuntu: 'ubuntu',
  mac: 'mac',
  windows: 'windows',
};

/** A computer of another dialect; of the other built-in tools this dialect has only its own (translation.md 2.8). */
export function encodeForeignClient(tool: ClientTool, losses: Losses): JsonObject | undefined {
  const ptr = tool.src?.ptr ?? '';
  if (tool.dialect !== DIALECT) {
    losses.add(ptr, 'tool.client', 'dropped', `a built-in ${tool.family} tool of the ${tool.dialect} dialect`);
    return undefined;
  }
  if (tool.type === PREVIEW) return preview(tool, losses);
  if (tool.display !== undefined || tool.environment !== undefined) {
    losses.add(ptr, 'tool.client', 'approximated', 'display and environment are seen and not told');
  }
  return { type: tool.type };
}

function preview(tool: ClientTool, losses: Losses): JsonObject {
  const ptr = tool.src?.ptr ?? '';
  const { width, height } = tool.display ?? {};
  if (width === undefined || height === undefined)
    losses.add(ptr, 'tool.client', 'invented', 'the size of the display');
  const known = tool.environment === undefined ? undefined : ENVIRONMENTS[tool.environment];
  if (tool.environment === undefined) losses.add(ptr, 'tool.client', 'invented', 'that the computer runs linux');
  else if (known === undefined) losses.add(ptr, 'tool.client', 'approximated', 'taken for a computer that runs linux');
  return {
    type: tool.type,
    display_width: width ?? DEFAULT_DISPLAY.width,
    display_height: height ?? DEFAULT_DISPLAY.height,
    environment: known ?? 'linux',
  };
}
