import { type CanonicalRequest, declaredTools } from '../../canonical/request.js';
import type { ClientFamily, ClientTool, Tool, ToolChoice, ToolRef } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../context.js';
import { COMPUTER } from '../../target/client-tool-rules.js';
import type { TargetRules } from '../../target/target.js';
import { BASH } from './shells.js';
import { substituteFor, substituteName } from './substitute-tools.js';

/** Names of own tools, which are fixed, by family. */
const OWN_NAMES: Readonly<Partial<Record<ClientFamily, string>>> = { computer: COMPUTER, bash: BASH };

const NONE: readonly never[] = [];

/** The built-in tools that a request declares, also those that it adds in mid-history. */
export function declaredClientTools(request: CanonicalRequest): readonly ClientTool[] {
  const tools = declaredTools(request);
  return tools.length === 0 ? NONE : tools.filter(isClient);
}

function isClient(tool: Tool): tool is ClientTool {
  return tool.kind === 'client';
}

/** The names that built-in tools take from functions of a request. */
export function takenNames(request: Pick<CanonicalRequest, 'tools'>): readonly string[] {
  const names: string[] = [];
  for (const tool of request.tools) {
    const name =
      tool.kind === 'client'
        ? substituteName(tool.family, tool)
        : tool.kind === 'function' && tool.standsFor !== undefined
          ? tool.name
          : undefined;
    if (name !== undefined) names.push(name);
  }
  return names;
}

/**
 * The tools of a request with every built-in one as the target has it: its own tool of the family, else the function
 * that replaces it. What has neither stays, for the target to report.
 */
export function substituteClientTools(
  tools: readonly Tool[],
  rules: TargetRules,
  { losses, target }: EncodeRequestContext,
): readonly Tool[] {
  const taken = new Set<string>();
  return tools.flatMap((tool): readonly Tool[] => {
    if (tool.kind !== 'client' || tool.toolset === true) return [tool];
    const own = rules.clientTools.own[tool.family];
    const type = own === undefined ? undefined : target.toolTypes[own];
    const ready = own === undefined || type === undefined ? substituteFor(tool) : ownTool(tool, own, type, rules);
    if (ready === undefined) return [tool];
    const key = ready.name ?? ready.kind;
    if (taken.has(key)) {
      losses.add(tool, 'tool.duplicate', 'dropped', 'another built-in tool is declared as the same');
      return [];
    }
    taken.add(key);
    if (ready.kind === 'function') {
      losses.add(tool, 'tool.client', 'approximated', `a function replaces the built-in ${tool.family} tool`);
    } else if (own !== tool.family) {
      losses.add(tool, 'tool.client', 'approximated', `the built-in ${own} tool replaces the ${tool.family} tool`);
    }
    return [ready];
  });
}

function ownTool(tool: ClientTool, family: ClientFamily, type: string, rules: TargetRules): ClientTool {
  const { display, environment, cache, ext, src } = tool;
  const name = OWN_NAMES[family] ?? tool.name;
  return { kind: 'client', family, dialect: rules.dialect, type, name, display, environment, cache, ext, src };
}

/** The choice, naming the tools that came out of {@link substituteClientTools}. */
export function chooseClientTools(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  rules: TargetRules,
): ToolChoice | undefined {
  if (choice?.only === undefined || !choice.only.some(({ kind }) => kind === 'client')) return choice;
  return { ...choice, only: choice.only.map((ref) => chosen(ref, tools, rules)) };
}

function chosen(ref: ToolRef, tools: readonly Tool[], rules: TargetRules): ToolRef {
  if (ref.kind !== 'client') return ref;
  const own = rules.clientTools.own[ref.family];
  for (const tool of tools) {
    if (tool.kind === 'client' && tool.family === own) return { kind: 'client', family: tool.family, type: tool.type };
  }
  const name = substituteName(ref.family);
  for (const tool of tools) {
    const stands = tool.kind === 'function' && tool.standsFor !== undefined;
    if (stands && (tool.standsFor === ref.family || tool.name === name)) {
      return { kind: 'client', family: tool.standsFor ?? ref.family, type: tool.name };
    }
  }
  return ref;
}
