import {
  type ComputerAction,
  type ComputerArguments,
  computerArguments,
  localShellArguments,
  type Point,
  patchOperations,
  pathIn,
  pointIn,
  shellArguments,
} from '../../../translators/canonical/client-actions.js';
import type { CallPart, Part, ResultPart } from '../../../translators/canonical/content.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { ClientFamily, ClientTool, Tool } from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import { parseJson } from '../../../translators/wire/json.js';
import { lawTableOf } from '../dialects/index.js';
import { stable } from './json.js';
import { pairsOf } from './pairs.js';

/** What the built-in tools of clients have in common across dialects (translation.md 2.8): the name of the stand-in. */
export function groupOf(family: ClientFamily, name: string | undefined): string {
  switch (family) {
    case 'computer':
      return 'computer';
    case 'bash':
    case 'shell':
    case 'localShell':
      return 'bash';
    case 'patch':
      return 'apply_patch';
    case 'memory':
      return 'memory';
    case 'editor':
      return name ?? 'str_replace_based_edit_tool';
    case 'browser':
      return name ?? 'browser';
  }
}

/** The built-in tools of a request, also those that are added in mid-history. */
export function clientTools({ tools, turns }: CanonicalRequest): ClientTool[] {
  const isClient = (tool: Tool): tool is ClientTool => tool.kind === 'client';
  const added = turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'toolChange' ? part.added : [])));
  return [...tools, ...added].filter(isClient);
}

/** The names that the stand-ins of declared tools take from functions of the same request (translation.md 2.7 rule 1). */
export function takenNames({ tools }: CanonicalRequest): readonly string[] {
  return tools.flatMap((tool) =>
    tool.kind === 'client' && tool.family !== 'browser' ? [groupOf(tool.family, tool.name)] : [],
  );
}

/** How a deed is called: no tool of a client is. */
export function deedName(group: string): string {
  return `il_${group}`;
}

/** How the calls of a request are told, and of what it became. */
export interface DeedWords {
  /** The names of functions that stand for its built-in tools, wherever it went. */
  readonly standIns: ReadonlySet<string>;
  /** The names of calls that are of no built-in tool: some are words of a computer elsewhere. */
  readonly plain: ReadonlySet<string>;
  /** The dialect whose words the calls of a computer go by that is not declared to it. */
  readonly undeclared?: DialectId;
  /** Command lines are compared word by word. */
  readonly lexed: boolean;
}

export function deedWords(request: CanonicalRequest, came: CanonicalRequest, target: DialectId): DeedWords {
  const calls = request.turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'call'));
  return {
    standIns: standInNames(request),
    plain: new Set(calls.flatMap(({ name, family }) => (family === undefined ? [name] : []))),
    ...(clientTools(came).every(({ family }) => family !== 'computer') && { undeclared: target }),
    lexed: calls.some(({ family }) => family === 'localShell'),
  };
}

function standInNames(request: CanonicalRequest): ReadonlySet<string> {
  const names = clientTools(request).map(({ family, name }) => groupOf(family, name));
  for (const { parts } of request.turns) {
    for (const part of parts) {
      if (part.kind === 'call' && part.family !== undefined) names.push(groupOf(part.family, part.name));
    }
  }
  return new Set(names);
}

/**
 * A request in which every call of a built-in tool, or of a function of `standIns`, does one single thing, told in the
 * same words whatever dialect it came from: a call of several actions is several calls, whose last has the result
 * (translation.md 2.8.1).
 */
export function asDeeds(
  request: CanonicalRequest,
  { standIns, plain, undeclared, lexed }: DeedWords,
): CanonicalRequest {
  const { callOf } = pairsOf(request.turns);
  const became = new Map<CallPart, readonly CallPart[]>();
  let pointer: Point | undefined;
  let bare = 0;
  const single = (given: CallPart): readonly CallPart[] => {
    const part =
      given.family === 'computer' && given.name !== 'computer' && plain.has(given.name) ? asPlain(given) : given;
    const own =
      part.family === undefined &&
      (part.name === 'computer' || !plain.has(part.name)) &&
      ownWords(part, undeclared) !== undefined;
    const group = own ? 'computer' : part.family === undefined ? part.name : groupOf(part.family, part.name);
    if (part.family === undefined && (part.namespace !== undefined || !standIns.has(group))) return [part];
    const [deeds, behind] = deedsOf(
      own ? { ...part, args: { value: { ...ownWords(part, undeclared) } } } : part,
      group,
      pointer,
      lexed,
    );
    pointer = behind;
    bare += part.callId === '' ? 1 : 0;
    const callId = part.callId === '' ? `${BARE}${bare}` : part.callId;
    const calls = deeds.map(
      (args, place): CallPart => ({
        ...part,
        callId: deeds.length === 1 ? callId : `${callId} ${place + 1}`,
        name: deedName(group),
        args,
        freeform: undefined,
        ...(place > 0 && { state: undefined, carrier: undefined }),
      }),
    );
    became.set(given, calls);
    return calls;
  };
  const turns = request.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.flatMap((part): readonly Part[] => (part.kind === 'call' ? single(part) : [part])),
  }));
  return {
    ...request,
    turns: turns.map((turn) => ({
      ...turn,
      parts: turn.parts.flatMap((part): readonly Part[] => {
        if (part.kind !== 'result') return [part];
        const calls = became.get(callOf.get(part) ?? NO_CALL);
        // The family of a result is that of its call.
        return calls === undefined ? [{ ...part, family: undefined }] : resultsOf(part, calls);
      }),
    })),
  };
}

const COMPUTERS = lawTableOf('computerWords');

/** What a call does by its words in `dialect`. */
function ownWords({ name, args }: CallPart, dialect: DialectId | undefined): ComputerArguments | undefined {
  const value = args.value ?? parsed(args.text) ?? {};
  return dialect === undefined ? undefined : COMPUTERS[dialect](name, value);
}

/** How the ids begin that calls without one are given here, each its own. */
export const BARE = 'bare ';

/** A call that nobody declared goes by its name. */
function asPlain(part: CallPart): CallPart {
  const [action] = computerArguments(part).actions;
  const { type: _type, ...value } = action ?? { type: '' };
  return { ...part, family: undefined, args: { value } };
}

const NO_CALL: CallPart = { kind: 'call', callId: '', name: '', args: {} };

function resultsOf(result: ResultPart, calls: readonly CallPart[]): ResultPart[] {
  return calls.map(({ callId, name }, place): ResultPart => {
    const own = { ...result, callId, name, family: undefined };
    return place === calls.length - 1 ? own : { kind: 'result', callId, name, parts: [], src: result.src };
  });
}

type Deeds = readonly [deeds: readonly CallPart['args'][], pointer: Point | undefined];

function deedsOf(part: CallPart, group: string, pointer: Point | undefined, lexed: boolean): Deeds {
  const value = part.args.value ?? parsed(part.args.text);
  if (part.truncated === true || value === undefined) return [[part.args], pointer];
  switch (group) {
    case 'computer':
      return computerDeeds(part, value, pointer);
    case 'bash':
      return [[{ value: shellDeed(part, value, lexed) }], pointer];
    case 'apply_patch': {
      const operations = part.family === 'patch' ? patchOperations(part) : readPatch(value.input);
      return [operations.map((operation) => ({ value: { ...operation } })), pointer];
    }
    default:
      return [[{ value }], pointer];
  }
}

/** The call as the decoder of a computer's own calls would have given it. */
function asComputer(part: CallPart, value: JsonObject) {
  if (part.family === 'computer' || Array.isArray(value.actions)) return computerArguments(part);
  const { action, ...rest } = value;
  return { actions: [{ ...rest, type: String(action) }], points: 'pixels' as const, checks: false };
}

function computerDeeds(part: CallPart, value: JsonObject, before: Point | undefined): Deeds {
  const { actions, points, checks } = asComputer(part, value);
  let pointer = before;
  const deeds: CallPart['args'][] = [];
  actions.forEach((action, place) => {
    const at = pointIn(action.at);
    // Clicking where the pointer is and typing there is typing there.
    const idles = at !== undefined && pointer !== undefined && at.x === pointer.x && at.y === pointer.y;
    const idle = idles && isPlainClick(action) && actions.length === 2 && actions[1]?.type === 'type';
    if (!(idle && place === 0)) {
      const placedAction = withPlace(action, pointer);
      const unit = 'at' in placedAction || 'path' in placedAction || 'dx' in placedAction ? points : undefined;
      deeds.push({
        value: {
          ...known(placedAction),
          ...(unit !== undefined && { unit }),
          ...(checks === true && place === 0 && { checks }),
        },
      });
    }
    pointer = pathIn(action.path).at(-1) ?? at ?? pointer;
  });
  return [deeds, pointer];
}

function known(action: ComputerAction): JsonObject {
  return JSON.parse(stable(action));
}

function isPlainClick({ type, button, count, keys }: ComputerAction): boolean {
  return type === 'click' && button === 'left' && count === 1 && keys === undefined;
}

/** Where nothing is said of the place, it is that of the pointer. */
function withPlace(action: ComputerAction, pointer: Point | undefined): ComputerAction {
  // A wait of which nothing is said is taken for one of a second (translation.md 2.8.1).
  if (action.type === 'wait' && action.seconds === 1) return { type: 'wait' };
  if (pointer === undefined) return action;
  const path = pathIn(action.path);
  if (action.type === 'drag' && path.length === 1) return { ...action, path: [pointer, ...path] };
  return (action.type === 'click' || action.type === 'scroll') && action.at === undefined
    ? { ...action, at: pointer }
    : action;
}

function shellDeed(part: CallPart, value: JsonObject, lexed: boolean): JsonObject {
  if (part.family === 'shell') {
    const { commands, ...limits } = shellArguments(part);
    return commands.length === 1 ? { ...spoken(commands[0] ?? '', lexed), ...limits } : { commands, ...limits };
  }
  if (part.family === 'localShell') {
    const { command, env, workingDirectory, ...limits } = localShellArguments(part);
    const [shell, flag, line] = command;
    const words = /sh$/.test(shell ?? '') && flag === '-lc' ? wordsOf(line ?? '') : command;
    const within = workingDirectory === undefined ? [] : ['cd', workingDirectory, '&&'];
    return { words: [...within, ...Object.entries(env ?? {}).map((pair) => pair.join('=')), ...words], ...limits };
  }
  const { command, ...rest } = value;
  return { ...(typeof command === 'string' ? spoken(command, lexed) : {}), ...rest };
}

function spoken(command: string, lexed: boolean): JsonObject {
  return lexed ? { words: wordsOf(command) } : { command };
}

/** The first piece of each call that came in pieces, by the places of the others: what is said of the whole stands there. */
export function headsOf({ turns }: CanonicalRequest): ReadonlyMap<string, string> {
  const heads = new Map<string, string>();
  for (const { parts } of turns) {
    parts.forEach((part, index) => {
      const before = parts[index - 1];
      if (part.kind !== 'call' || before?.kind !== 'call' || part.family === undefined) return;
      const [, base, digits] = /^(.*_)(\d+)$/.exec(part.callId) ?? [];
      const at = before.src?.ptr ?? '';
      const follows = before.family === part.family && before.callId === `${base}${Number(digits) - 1}`;
      if (follows && (digits === '2' || heads.has(at))) heads.set(part.src?.ptr ?? '', heads.get(at) ?? at);
    });
  }
  return heads;
}

/** The words of a command line, without their quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|\\.|[^\s'])+/g)].map(([word]) => word.replace(/'([^']*)'|\\(.)/g, '$1$2'));
}

const HEADS: Readonly<Record<string, string>> = { Add: 'create', Update: 'update', Delete: 'delete' };

function readPatch(input: unknown): JsonObject[] {
  const blocks = String(input)
    .split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m)
    .slice(1);
  return blocks.map((block) => {
    const [, word = '', path = '', body = ''] =
      /^(\w+) File: (.*)\n?([\s\S]*?)\n?(?:\*\*\* End Patch)?$/.exec(block) ?? [];
    return { type: HEADS[word] ?? word, path, ...(word !== 'Delete' && { diff: body }) };
  });
}

function parsed(text: string | undefined): JsonObject | undefined {
  const read = text === undefined ? undefined : parseJson(text);
  return read?.ok === true && typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)
    ? read.value
    : undefined;
}

/**
 * Whether all dialects have the same words for what a call does, so that nothing may be said of it: what others do may come
 * out the same and be told worse all the same (translation.md 2.8.1).
 */
export function isPlain(call: CallPart): boolean {
  const value = call.args.value ?? parsed(call.args.text) ?? {};
  return asComputer(call, value).actions.every(isPlainAction);
}

function isPlainAction({ type, at, keys, repeat, path, count, button }: ComputerAction): boolean {
  switch (type) {
    case 'click':
      return at !== undefined && keys === undefined && count === 1 && button === 'left';
    case 'move':
      return at !== undefined && keys === undefined;
    case 'keys':
      return repeat === undefined;
    case 'drag':
      return Array.isArray(path) && path.length === 2 && keys === undefined;
    default:
      return false;
  }
}
