import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';

const MCP = 'mcp-client-2025-11-20';

/** The features of tools that are in beta, by their type [M §2.5]. */
const TOOLS: Readonly<Record<string, string>> = {
  bash_20241022: 'computer-use-2024-10-22',
  text_editor_20241022: 'computer-use-2024-10-22',
  computer_20241022: 'computer-use-2024-10-22',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20251124: 'computer-use-2025-11-24',
  mcp_toolset: MCP,
};

/** The same for blocks of a history [M §2.3]. */
const BLOCKS: Readonly<Record<string, string>> = {
  mcp_tool_use: MCP,
  mcp_tool_result: MCP,
  compaction: 'compact-2026-01-12',
};

/**
 * The feature names that a printed body needs in `anthropic-beta` [M §1.2], each once: without them the service knows
 * neither the field, the tool nor the block.
 */
export function betasOf({ tools, messages, mcp_servers: servers }: JsonObject): readonly string[] {
  const found = new Set<string>();
  const look = (nodes: unknown, names: Readonly<Record<string, string>>): void => {
    if (!Array.isArray(nodes)) return;
    for (const node of nodes) {
      const name = isObject(node) && typeof node.type === 'string' ? names[node.type] : undefined;
      if (name !== undefined) found.add(name);
    }
  };
  if (servers !== undefined) found.add(MCP);
  look(tools, TOOLS);
  for (const message of Array.isArray(messages) ? messages : []) {
    if (isObject(message)) look(message.content, BLOCKS);
  }
  return [...found];
}
