import type { Tool, ToolRef } from '../canonical/tools.js';

/** Answers whether a list of references names a tool, without walking the list again for every tool. */
export interface ToolRefs {
  names(tool: Tool): boolean;
}

const NO_REFS: ToolRefs = { names: () => false };

/** References by what they name: functions and custom tools by name, servers by label, other tools by family. */
export function createToolRefs(refs: readonly ToolRef[]): ToolRefs {
  if (refs.length === 0) return NO_REFS;
  const keys = new Set(refs.map(refKey));
  return { names: (tool) => toolKeys(tool).some((key) => keys.has(key)) };
}

/** The tools of a list by the references that name them. */
export function createToolIndex(tools: readonly Tool[]): { has(ref: ToolRef): boolean } {
  const keys = new Set(tools.flatMap(toolKeys));
  return { has: (ref) => keys.has(refKey(ref)) };
}

function refKey(ref: ToolRef): string {
  switch (ref.kind) {
    case 'function':
    case 'custom':
      return `name ${ref.name}`;
    case 'hosted':
      return `hosted ${ref.family}`;
    case 'client':
      return `client ${ref.family}`;
    case 'mcp':
      return `server ${ref.server}`;
    case 'opaque':
      return 'opaque';
  }
}

function toolKeys(tool: Tool): string[] {
  switch (tool.kind) {
    case 'function':
    case 'custom':
      return [`name ${tool.name}`];
    case 'hosted': {
      const { server } = tool.settings;
      return server === undefined ? [`hosted ${tool.family}`] : [`hosted ${tool.family}`, `server ${server.label}`];
    }
    case 'client':
      return [`client ${tool.family}`];
    case 'opaque':
      return ['opaque'];
  }
}
