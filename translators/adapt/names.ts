import type { CallPart, Part, ResultPart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { isNamed, type Tool } from '../canonical/tools.js';
import type { NameRule } from '../target/target.js';
import { hash32 } from '../wire/hash.js';
import { takenNames } from './client-tools/index.js';

/** A tool as its client knows it. */
export interface ToolName {
  readonly name: string;
  readonly namespace?: string;
}

/** Names of one request as a target writes them, and back (translation.md 2.7). */
export interface Names {
  /** The target's name for a tool; pure function of the name and the target's rule. */
  alias(name: string, namespace?: string): string;
  /** The client's name behind a name that the target used; a name nobody declared passes through. */
  original(alias: string): ToolName;
  /** Whether a tool of the request, not only a call of its history, has this name. */
  isDeclared(name: string, namespace?: string): boolean;
  /** Whether any name differs. When not, nothing needs restoring. */
  readonly changed: boolean;
}

/** What createNames needs to know of a target. */
export interface NamesTarget {
  readonly names: NameRule;
  /** Namespaces are written as such, so that only the bare name needs to be legal. */
  readonly namespaces: boolean;
  readonly fixedNames: readonly string[];
}

/**
 * Collects every tool name of a request, from tools and history, with the alias each gets. Throws `unsupported` when
 * two tools end up under one name.
 */
export function createNames(request: Pick<CanonicalRequest, 'tools' | 'turns'>, target: NamesTarget): Names {
  return holdsNames(request) ? collectNames(request, target) : withoutNames(target);
}

function holdsNames({ tools, turns }: Pick<CanonicalRequest, 'tools' | 'turns'>): boolean {
  if (tools.length > 0) return true;
  for (const { parts } of turns) {
    for (const { kind } of parts) if (kind === 'call' || kind === 'toolChange') return true;
  }
  return false;
}

function withoutNames(target: NamesTarget): Names {
  return {
    changed: false,
    isDeclared: () => false,
    alias: (name, namespace) => aliasOf(name, namespace, target, new Set(target.fixedNames)),
    original: (alias) => ({ name: alias }),
  };
}

function collectNames(request: Pick<CanonicalRequest, 'tools' | 'turns'>, target: NamesTarget): Names {
  const fixed = new Set([...target.fixedNames, ...takenNames(request)]);
  const declared = new Set(request.tools.filter(isNamed).map(({ name, namespace }) => keyOf(name, namespace)));
  const aliases = new Map<string, string>();
  const originals = new Map<string, ToolName>();
  const children = new Map<string, ToolName | undefined>();
  let changed = false;

  const learn = (name: string, namespace: string | undefined, ptr: string | undefined): void => {
    const key = keyOf(name, namespace);
    if (aliases.has(key)) return;
    const alias = aliasOf(name, namespace, target, fixed);
    const other = originals.get(alias);
    if (other !== undefined && !target.namespaces) {
      throw new TranslationError('unsupported', `two tools would both be called "${alias}"`, { path: ptr ?? '' });
    }
    aliases.set(key, alias);
    originals.set(alias, namespace === undefined ? { name } : { name, namespace });
    if (alias !== name) changed = true;
    if (namespace !== undefined && !target.namespaces) {
      children.set(name, children.has(name) ? undefined : { name, namespace });
    }
  };

  for (const tool of request.tools) learnTool(tool, learn);
  for (const turn of request.turns) {
    for (const part of turn.parts) learnPart(part, learn);
  }
  return {
    changed,
    isDeclared: (name, namespace) => declared.has(keyOf(name, namespace)),
    alias: (name, namespace) => aliases.get(keyOf(name, namespace)) ?? aliasOf(name, namespace, target, fixed),
    original: (alias) => originals.get(alias) ?? children.get(alias) ?? { name: alias },
  };
}

type Learn = (name: string, namespace: string | undefined, ptr: string | undefined) => void;

function learnTool(tool: Tool, learn: Learn): void {
  if (isNamed(tool) && !standsFor(tool)) learn(tool.name, tool.namespace, tool.src?.ptr);
}

function learnPart(part: Part, learn: Learn): void {
  if (part.kind === 'call' && part.family === undefined && part.fixedName !== true)
    learn(part.name, part.namespace, part.src?.ptr);
  else if (part.kind === 'toolChange') for (const tool of part.added) learnTool(tool, learn);
}

/** Whether a function replaces a built-in tool and keeps its name. */
export function standsFor(tool: Tool): boolean {
  return tool.kind === 'function' && tool.standsFor !== undefined;
}

function keyOf(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}\0${name}`;
}

/** The legal form of a name: itself, or cut and cleaned with a hash of the original at its end. */
function aliasOf(name: string, namespace: string | undefined, target: NamesTarget, fixed: ReadonlySet<string>): string {
  const rule = target.names;
  const full = namespace === undefined || target.namespaces ? name : `${namespace}__${name}`;
  if (rule.pattern.test(full) && !fixed.has(full)) return full;
  let clean = '';
  for (const character of full) clean += rule.character.test(character) ? character : '_';
  if (rule.first !== undefined && !rule.first.test(clean.charAt(0))) clean = `_${clean}`;
  return `${clean.slice(0, rule.limit - 9)}_${hash32(full, 8)}`;
}

/** A call or result under the target's name. */
export function aliasPart<P extends CallPart | ResultPart>(part: P, names: Names, namespaces: boolean): P {
  if (part.name === undefined) return part;
  const alias = names.alias(part.name, part.namespace);
  if (alias === part.name && (part.namespace === undefined || namespaces)) return part;
  return namespaces ? { ...part, name: alias } : { ...part, name: alias, namespace: undefined };
}
