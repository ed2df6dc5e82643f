import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { Tool, ToolChoice, ToolRef } from '../../../translators/canonical/tools.js';
import { has } from '../dialects/index.js';
import { groupOf } from './deeds.js';
import { type Diff, diffAt } from './diff.js';
import { stable } from './json.js';
import { type Route, toolKey } from './names.js';
import { declaredTools } from './tool-keys.js';

interface Read {
  readonly mode: string;
  readonly only: string;
  readonly parallel: boolean;
  readonly validated: boolean;
}

function readChoice(choice: ToolChoice | undefined, { tools }: CanonicalRequest, route: Route): Read {
  const refs = choice?.only?.map((ref) => refKey(ref, tools, route)) ?? [];
  return {
    mode: choice?.mode ?? 'auto',
    only: [...new Set(refs)].sort().join(', '),
    parallel: choice?.parallel !== false,
    validated: choice?.validated === true,
  };
}

function refKey(ref: ToolRef, tools: readonly Tool[], route: Route): string {
  switch (ref.kind) {
    case 'function':
    case 'custom': {
      const known = tools.flatMap((tool) =>
        (tool.kind === 'function' || tool.kind === 'custom') && tool.name === ref.name ? [tool.namespace] : [],
      );
      const namespace = known.includes(ref.namespace) ? ref.namespace : known[0];
      return toolKey(route, ref.name, namespace);
    }
    case 'mcp':
      return ref.name === undefined ? `mcp ${ref.server}` : `mcp ${ref.server} ${ref.name}`;
    case 'hosted':
      return ref.family;
    case 'client': {
      const tool = tools.find((one) => one.kind === 'client' && one.family === ref.family);
      const name = tool?.kind === 'client' ? tool.name : undefined;
      return toolKey({ target: route.target }, groupOf(ref.family, name));
    }
    case 'opaque':
      return stable(ref.raw);
  }
}

/** What differs in the choice among tools (translation.md 2.9). */
export function compareChoice(x: CanonicalRequest, y: CanonicalRequest, route: Route): Diff[] {
  const { target } = route;
  const before = readChoice(x.toolChoice, x, route);
  const after = readChoice(y.toolChoice, y, { target });
  const at = ['/toolChoice'];
  // Where no tools are left, or no calls may be made, there is nothing to choose (translation.md 2.9).
  const idle = y.tools.length === 0 || before.mode === 'none';
  const diffs: Diff[] = [];
  const add = (what: string, features: readonly string[], ptrs = at, silent = idle): void => {
    diffs.push(diffAt(`choice ${what}`, ptrs, features, silent));
  };
  if (before.mode !== after.mode) {
    add(`${before.mode} -> ${after.mode}`, ['toolChoice', 'toolChoice.list'], at, y.tools.length === 0);
  }
  if (before.only !== after.only) {
    // What the service runs is listed by being declared, and what is lost is named there (translation.md 2.9).
    const missing = before.only.split(', ').filter((name) => !after.only.split(', ').includes(name));
    const functions = y.tools.flatMap((tool) =>
      tool.kind === 'function' || tool.kind === 'custom' ? [toolKey({ target }, tool.name, tool.namespace)] : [],
    );
    const whole =
      after.only === ''
        ? before.mode !== 'required' && functions.every((name) => missing.includes(name))
        : missing.every((name) => !functions.includes(name)) &&
          !after.only.split(', ').some((name) => !before.only.split(', ').includes(name));
    add(`among ${before.only} -> ${after.only}`, ['toolChoice.list', 'toolChoice', 'tool.client'], at, idle || whole);
  }
  if (before.parallel !== after.parallel) add('one at a time', ['toolChoice.parallel', 'toolChoice']);
  if (before.validated !== after.validated) {
    const strict = after.validated ? declaredTools(x, route).map((tool) => tool.src?.ptr ?? '') : [];
    // Forced calls are held to their schemas anyway [G §2.5].
    const callable = y.tools.some(({ kind }) => kind === 'function');
    const kept = idle || (has(target, 'strictByChoice') && (after.mode === 'required' || !callable));
    add('held to schemas', ['toolChoice', 'toolChoice.list', 'tool.strict'], [...at, ...strict], kept);
  }
  return diffs;
}
