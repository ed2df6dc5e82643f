import type { CallPart } from './content.js';
import type { JsonObject } from './node.js';
import type { ClientFamily } from './tools.js';

/**
 * What `args.value` of a call of a built-in client tool holds, by family. Results are ordinary (`parts`, `isError`), but
 * that of a shell, which has `json: {runs: ShellRun[]}`.
 *
 * - computer: {@link ComputerArguments}
 * - bash: `{command?, restart?}`
 * - shell: {@link ShellArguments}; localShell: {@link LocalShellArguments}
 * - patch: `{operations: PatchOperation[]}`
 * - editor, memory: `{command, path, ...}`, as their schemas have it (adapt/client-tools/substitute-tools.ts)
 * - browser: as on the wire
 */
export interface FamilyCall extends CallPart {
  readonly family: ClientFamily;
}

/** A place on the display, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Several actions are done one after the other; the result shows the display after the last. */
export interface ComputerArguments {
  readonly actions: readonly ComputerAction[];
  /** What points and distances count: pixels, or thousandths of the display's width and height. */
  readonly points: 'pixels' | 'thousandths';
  /** The model's service asks for a person's consent first. */
  readonly checks?: boolean;
}

/**
 * One action. Known types and their fields, keys by {@link KeyWord}:
 *
 * - `screenshot`, `wait {seconds?}`, `type {text}`, `keys {keys, repeat?}` (pressed together)
 * - `click {button: left|right|middle|back|forward, count: 1|2|3, at?, keys?}`; without `at` where the pointer is,
 *   `keys` are held meanwhile
 * - `move {at}`, `drag {path: Point[], keys?}`; a path of one point begins where the pointer is
 * - `scroll {at?, dx, dy, keys?}`, positive to the right and down
 *
 * Any other type is a word that only its dialect knows, with that dialect's fields.
 */
export interface ComputerAction {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Words for keys that dialects call differently. Others are called by their character, or as the dialect has them. */
export type KeyWord =
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'tab'
  | 'space'
  | 'delete'
  | 'insert'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  | 'ctrl'
  | 'shift'
  | 'alt'
  | 'meta';

/** Commands, each run in a fresh shell. */
export interface ShellArguments {
  readonly commands: readonly string[];
  readonly timeoutMs?: number;
  readonly maxOutputLength?: number;
}

/** One program with its arguments. */
export interface LocalShellArguments {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly workingDirectory?: string;
  readonly user?: string;
}

/** What one command of a shell brought; neither `exitCode` nor `timedOut` when nothing is known. */
export interface ShellRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
  readonly timedOut?: boolean;
}

/** `diff` has lines that begin with `+`, `-`, a space or `@@`; of a new file only lines with `+`. */
export interface PatchOperation {
  readonly type: 'create' | 'update' | 'delete';
  readonly path: string;
  readonly diff?: string;
}

/** The arguments of a computer call. */
export function computerArguments(part: CallPart): ComputerArguments {
  const { actions, points, checks } = part.args.value ?? {};
  return {
    actions: Array.isArray(actions) ? actions.filter(isAction) : [],
    points: points === 'thousandths' ? points : 'pixels',
    ...(checks === true && { checks }),
  };
}

/** The arguments of a shell call. */
export function shellArguments(part: CallPart): ShellArguments {
  const { commands, timeoutMs, maxOutputLength } = part.args.value ?? {};
  return {
    commands: texts(commands),
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
    ...(typeof maxOutputLength === 'number' && { maxOutputLength }),
  };
}

/** The arguments of a call of the older shell. */
export function localShellArguments(part: CallPart): LocalShellArguments {
  const { command, env, timeoutMs, workingDirectory, user } = part.args.value ?? {};
  const pairs = Object.entries(isRecord(env) ? env : {}).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return {
    command: texts(command),
    ...(pairs.length > 0 && { env: Object.fromEntries(pairs) }),
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
    ...(typeof workingDirectory === 'string' && { workingDirectory }),
    ...(typeof user === 'string' && { user }),
  };
}

/** The operations of a patch call. */
export function patchOperations(part: CallPart): PatchOperation[] {
  const { operations } = part.args.value ?? {};
  return (Array.isArray(operations) ? operations : []).filter(isOperation);
}

/** What the commands of a shell brought. */
export function shellRuns(json: JsonObject): ShellRun[] {
  return (Array.isArray(json.runs) ? json.runs : []).filter(isRun);
}

function isAction(value: unknown): value is ComputerAction {
  return isRecord(value) && typeof value.type === 'string';
}

function isOperation(value: unknown): value is PatchOperation {
  return isRecord(value) && typeof value.path === 'string' && typeof value.type === 'string';
}

function isRun(value: unknown): value is ShellRun {
  return isRecord(value) && typeof value.stdout === 'string' && typeof value.stderr === 'string';
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The point in a field of an action. */
export function pointIn(value: unknown): Point | undefined {
  if (!isRecord(value)) return undefined;
  const { x, y } = value;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
}

/** The points in a field of an action. */
export function pathIn(value: unknown): Point[] {
  return (Array.isArray(value) ? value : []).flatMap((point) => pointIn(point) ?? []);
}

/** The keys in a field of an action. */
export function keysIn(value: unknown): string[] {
  return texts(value);
}

/** The keys of a combination in words with a plus between them; a plus in the place of a word is a key. */
export function combination(text: string): string[] {
  return [...text.matchAll(/(?:^|\+)(\+|[^+]+)/g)].map(([, word = '']) => word.trim());
}

/** Where the pointer is after an action. */
export function pointerAfter(action: ComputerAction, before: Point | undefined): Point | undefined {
  return pathIn(action.path).at(-1) ?? pointIn(action.at) ?? before;
}
