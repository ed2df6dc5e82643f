import { NO_MCP, NO_TOOL_SEARCH } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostedFamily } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { type Changed, withMember } from '../../wire/shared-copies.js';
import { withLeftChoice } from './choice.js';
import type { HostFitting, HostStep } from './form.js';

type Family = HostedFamily | 'client';

/** What is told of tools of a family, and of their calls, where that is more than that the host has none. */
const NO_TOOL: Readonly<Partial<Record<Family, string>>> = { mcp: NO_MCP, toolSearch: NO_TOOL_SEARCH };
const NO_CALL: Readonly<Partial<Record<Family, string>>> = { mcp: NO_MCP };

/** What becomes of tools, and of nodes of the history, that stay. */
interface Staying {
  tool?(node: JsonObject, path: string, fitting: HostFitting): JsonObject;
  call?(node: JsonObject, path: string, fitting: HostFitting): Changed;
}

/**
 * A step that leaves out tools that the service would run, or servers of the MCP protocol, with their calls, with what these brought
 * and with a choice of them.
 */
export function withoutTools({ tool: stay, call: stayInHistory }: Staying = {}): HostStep {
  return (body, fitting) => {
    const { form, unsupported, losses, places } = fitting;
    const isLost = (family: Family): boolean => unsupported.has(family === 'mcp' ? 'mcp' : 'hostedTools');
    const left = places.map(body, 'tools', (tool, path) => {
      const family = form.familyOfTool(tool, path);
      if (family === undefined || !isLost(family)) return stay?.(tool, path, fitting) ?? tool;
      const feature = family === 'client' ? 'tool.client' : 'tool.hosted';
      losses.add(path, feature, 'dropped', NO_TOOL[family] ?? 'the host does not support this tool');
      return [];
    });
    const bare = form.mapCalls(left, fitting, (node, path) => {
      const family = form.familyOfCall(node);
      if (family === undefined || !isLost(family)) return stayInHistory?.(node, path, fitting) ?? node;
      losses.add(path, 'hosted.call', 'dropped', NO_CALL[family] ?? 'the host does not support these calls');
      return [];
    });
    return withLeftChoice(bare, body, fitting);
  };
}

/** A tool that is declared from the start, whatever a search would find. */
export function declaredNow(tool: JsonObject, path: string, { losses }: HostFitting): JsonObject {
  if (tool.defer_loading === true)
    losses.add(`${path}/defer_loading`, 'ext.defer_loading', 'moved', 'the tool is declared from the start');
  return withMember(tool, 'defer_loading', undefined);
}

/** The tools with more behind them: one of a type and a name that are there already takes the place of the older. */
export function withLater(
  tools: readonly unknown[],
  more: readonly unknown[],
  { losses, places }: HostFitting,
): readonly unknown[] {
  const all = [...tools];
  const known = new Map(tools.map((tool, index) => [nameOf(tool), index]));
  for (const tool of more) {
    const name = nameOf(tool);
    const place = name === undefined ? undefined : known.get(name);
    if (place !== undefined)
      losses.add(places.of(all[place]), 'tool.duplicate', 'dropped', 'replaced by a later tool of the same name');
    known.set(name, place ?? all.length);
    all[place ?? all.length] = tool;
  }
  return all;
}

function nameOf(tool: unknown): string | undefined {
  const isNamed = isObject(tool) && typeof tool.name === 'string' && tool.type !== 'namespace';
  return isNamed ? `${String(tool.type)}\0${String(tool.name)}` : undefined;
}
