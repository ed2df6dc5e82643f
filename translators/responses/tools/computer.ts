import { DEFAULT_DISPLAY } from '../../adapt/index.js';
import {
  type ComputerAction,
  type ComputerArguments,
  type KeyWord,
  keysIn,
  type Point,
  pathIn,
  pointIn,
} from '../../canonical/client-actions.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ClientTool } from '../../canonical/tools.js';
import { DIALECT } from '../nodes.js';

/** Reads the actions of a `computer_call` [R §4.2 note 3]: one under `action`, several under `actions`. */
export function decodeComputer(node: JsonObject): ComputerArguments {
  const list = Array.isArray(node.actions) ? node.actions : [node.action];
  const checks = Array.isArray(node.pending_safety_checks) && node.pending_safety_checks.length > 0;
  return { actions: list.filter(isRecord).map(decodeAction), points: 'pixels', ...(checks && { checks }) };
}

function decodeAction(node: JsonObject): ComputerAction {
  const { type, keys, ...rest } = node;
  const word = typeof type === 'string' ? type : '';
  const at = pointIn(node);
  const names = keysIn(keys).map(decodeKey);
  const held = names.length === 0 ? {} : { keys: names };
  switch (word) {
    case 'click':
      if (at !== undefined) {
        const button = node.button === 'wheel' ? 'middle' : typeof node.button === 'string' ? node.button : 'left';
        return { type: 'click', button, count: 1, at, ...held };
      }
      break;
    case 'double_click':
      if (at !== undefined) return { type: 'click', button: 'left', count: 2, at, ...held };
      break;
    case 'move':
      if (at !== undefined) return { type: 'move', at, ...held };
      break;
    case 'drag':
      return { type: 'drag', path: pathIn(node.path), ...held };
    case 'keypress':
      return { type: 'keys', keys: withoutCase(names) };
    case 'screenshot':
    case 'wait':
      return { type: word };
    case 'scroll':
      if (at !== undefined) {
        const { scroll_x: dx, scroll_y: dy } = node;
        return { type: 'scroll', at, dx: Number(dx ?? 0), dy: Number(dy ?? 0), ...held };
      }
      break;
    case 'type':
      return { type: 'type', text: typeof node.text === 'string' ? node.text : '' };
  }
  return { ...rest, ...(keys !== undefined && { keys }), type: word };
}

/** What {@link writeAction} gives; `poorer` says what of the action is not in it. */
export interface EncodedAction {
  readonly action: JsonObject;
  readonly poorer?: string;
}

/** One action; undefined when there is no word for it. `near` is where the pointer is. */
export function encodeAction(action: ComputerAction, near: Point | undefined): EncodedAction | undefined {
  const at = pointIn(action.at) ?? near;
  const keys = keysIn(action.keys);
  const held = keys.length === 0 ? {} : { keys: keys.map(encodeKey) };
  switch (action.type) {
    case 'screenshot':
      return { action: { type: 'screenshot' } };
    case 'click':
      return at === undefined ? undefined : encodeClick(action, at, held);
    case 'move':
      return at === undefined ? undefined : { action: { type: 'move', x: at.x, y: at.y, ...held } };
    case 'drag':
      return encodeDrag(pathIn(action.path), near, held);
    case 'keys': {
      const written = { action: { type: 'keypress', keys: keys.map(encodeKey) } };
      return typeof action.repeat === 'number' && action.repeat !== 1
        ? { ...written, poorer: 'keys are pressed once' }
        : written;
    }
    case 'type':
      return { action: { type: 'type', text: String(action.text ?? '') } };
    case 'wait':
      return typeof action.seconds === 'number' && action.seconds !== 1
        ? { action: { type: 'wait' }, poorer: 'the duration of the wait is not sent' }
        : { action: { type: 'wait' } };
    case 'scroll': {
      if (at === undefined) return undefined;
      const [scroll_x, scroll_y] = [whole(action.dx), whole(action.dy)];
      return {
        action: { type: 'scroll', x: at.x, y: at.y, scroll_x, scroll_y, ...held },
        poorer: 'wheel steps are converted to pixels',
      };
    }
    default:
      return undefined;
  }
}

const BUTTONS: Readonly<Record<string, string>> = {
  left: 'left',
  right: 'right',
  middle: 'wheel',
  back: 'back',
  forward: 'forward',
};

function encodeClick({ button, count }: ComputerAction, { x, y }: Point, held: JsonObject): EncodedAction | undefined {
  const word = typeof button === 'string' && Object.hasOwn(BUTTONS, button) ? BUTTONS[button] : undefined;
  if (word === undefined) return undefined;
  if (count === 1) return { action: { type: 'click', button: word, x, y, ...held } };
  // The official types demand the keys of a double click, if only as null.
  return count === 2 && button === 'left' ? { action: { type: 'double_click', x, y, keys: null, ...held } } : undefined;
}

function encodeDrag(path: readonly Point[], near: Point | undefined, held: JsonObject): EncodedAction | undefined {
  const line = path.length === 1 && near !== undefined ? [near, ...path] : path;
  return line.length < 2 ? undefined : { action: { type: 'drag', path: line, ...held } };
}

function whole(value: unknown): number {
  return typeof value === 'number' ? Math.round(value) : 0;
}

/** Words for keys, by the words of the model; the others are the same. */
const KEY_WORDS: Readonly<Partial<Record<KeyWord, string>>> = {
  escape: 'esc',
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  meta: 'cmd',
};
const WRITTEN: ReadonlyMap<string, string> = new Map(Object.entries(KEY_WORDS));
const READ: ReadonlyMap<string, KeyWord> = new Map<string, KeyWord>([
  ...[...WRITTEN].map(([key, word]) => [word, key as KeyWord] as const),
  ['return', 'enter'],
  ['control', 'ctrl'],
  ['option', 'alt'],
  ['command', 'meta'],
  ['super', 'meta'],
  ['win', 'meta'],
  ['del', 'delete'],
  ['page_up', 'pageup'],
  ['page_down', 'pagedown'],
]);

/** Services write keys in capitals, helpers read them in any case. */
function decodeKey(word: string): string {
  if (word.length === 1) return word === ' ' ? 'space' : word;
  const low = word.toLowerCase();
  return READ.get(low) ?? low;
}

/** In a combination a letter names its key; alone it is what is typed. */
function withoutCase(keys: readonly string[]): string[] {
  return keys.length === 1 ? [...keys] : keys.map((key) => (key.length === 1 ? key.toLowerCase() : key));
}

function encodeKey(key: string): string {
  return WRITTEN.get(key) ?? key;
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of computer tool that has settings for its display and environment; the newer one has no settings [R §2.6]. */
const PREVIEW = 'computer_use_preview';

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
  if (tool.dialect !== DIALECT) {
    losses.add(tool, 'tool.client', 'dropped', `a built-in ${tool.family} tool of the ${tool.dialect} dialect`);
    return undefined;
  }
  if (tool.type === PREVIEW) return preview(tool, losses);
  if (tool.display !== undefined || tool.environment !== undefined) {
    losses.add(tool, 'tool.client', 'approximated', 'the target accepts no display size and no environment');
  }
  return { type: tool.type };
}

function preview(tool: ClientTool, losses: Losses): JsonObject {
  const { width, height } = tool.display ?? {};
  if (width === undefined || height === undefined)
    losses.add(tool, 'tool.client', 'invented', 'the size of the display');
  const known = tool.environment === undefined ? undefined : ENVIRONMENTS[tool.environment];
  if (tool.environment === undefined) losses.add(tool, 'tool.client', 'invented', 'that the computer runs linux');
  else if (known === undefined) losses.add(tool, 'tool.client', 'approximated', 'a Linux environment was assumed');
  return {
    type: tool.type,
    display_width: width ?? DEFAULT_DISPLAY.width,
    display_height: height ?? DEFAULT_DISPLAY.height,
    environment: known ?? 'linux',
  };
}
