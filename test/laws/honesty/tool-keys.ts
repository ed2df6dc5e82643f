import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { Tool } from '../../../translators/canonical/tools.js';
import { has } from '../dialects/index.js';
import { type Route, toolKey } from './names.js';

/** The word under which a tool is the same tool in `target`; undefined for tools that only their own dialect has. */
export function keyOf(tool: Tool, route: Route): string | undefined {
  switch (tool.kind) {
    case 'function':
    case 'custom':
      return `tool ${toolKey(route, tool.name, tool.namespace)}`;
    case 'hosted':
      return tool.family === 'mcp' ? `mcp ${tool.settings.server?.label}` : tool.family;
    case 'client':
    case 'opaque':
      return undefined;
  }
}

/** Later definitions of a name win; tools added in mid-history are declared from the start where they cannot be added. */
export function declaredTools(x: CanonicalRequest, route: Route): Tool[] {
  const added = x.turns.flatMap((turn) => turn.parts.flatMap((part) => (part.kind === 'toolChange' ? part.added : [])));
  const staying = has(route.target, 'lateTools') && route.via === undefined;
  const all = staying ? x.tools : [...x.tools, ...added];
  const later = new Map<unknown, Tool>();
  for (const tool of all) {
    const key = keyOf(tool, route) ?? tool;
    if (tool.kind !== 'hosted' || !later.has(key)) later.set(key, tool);
  }
  const winners = new Set(later.values());
  return [...all.filter((tool) => winners.has(tool)), ...all.filter((tool) => !winners.has(tool))];
}
