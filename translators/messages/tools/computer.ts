import {
  type ComputerAction,
  type ComputerArguments,
  combination,
  type KeyWord,
  keysIn,
  type Point,
  pathIn,
  pointIn,
} from '../../canonical/client-actions.js';
import type { JsonObject } from '../../canonical/node.js';

/** How many pixels one step of the wheel is taken for (translation.md 2.8.1). */
const STEP = 100;

/** Words for buttons and counts of clicks. */
const CLICKS: Readonly<Record<string, readonly [button: string, count: number]>> = {
  left_click: ['left', 1],
  right_click: ['right', 1],
  middle_click: ['middle', 1],
  double_click: ['left', 2],
  triple_click: ['left', 3],
};

/** What calls of the computer take, for hosts that know functions alone [M §2.5]. */
export const COMPUTER_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    action: {
      type: 'string',
      enum: [
        'screenshot',
        'left_click',
        'right_click',
        'middle_click',
        'double_click',
        'triple_click',
        'mouse_move',
        'left_click_drag',
        'left_mouse_down',
        'left_mouse_up',
        'scroll',
        'type',
        'key',
        'hold_key',
        'wait',
        'cursor_position',
      ],
    },
    coordinate: { type: 'array', items: { type: 'integer' }, description: 'x and y in pixels' },
    start_coordinate: {
      type: 'array',
      items: { type: 'integer' },
      description: 'For left_click_drag: where it begins',
    },
    text: { type: 'string', description: 'For type and key: the text, or keys such as ctrl+c' },
    scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
    scroll_amount: { type: 'integer' },
    duration: { type: 'number', description: 'For wait and hold_key: seconds' },
  },
  required: ['action'],
};

/** Reads the input of a call of the computer [M §2.5]. Actions that only this dialect has keep their word and fields. */
export function decodeComputer(input: JsonObject): ComputerArguments {
  return { actions: [decodeAction(input)], points: 'pixels' };
}

function decodeAction(input: JsonObject): ComputerAction {
  const { action, coordinate, start_coordinate: start, text, ...rest } = input;
  const word = typeof action === 'string' ? action : '';
  const at = pointOf(coordinate);
  const position = at === undefined ? {} : { at };
  const held = typeof text === 'string' && text !== '' ? { keys: decodeKeys(text) } : {};
  const click = Object.hasOwn(CLICKS, word) ? CLICKS[word] : undefined;
  if (click !== undefined) return { type: 'click', button: click[0], count: click[1], ...position, ...held };
  switch (word) {
    case 'screenshot':
      return { type: 'screenshot' };
    case 'mouse_move':
      if (at !== undefined) return { type: 'move', at };
      break;
    case 'left_click_drag': {
      const from = pointOf(start);
      if (at !== undefined) return { type: 'drag', path: from === undefined ? [at] : [from, at], ...held };
      break;
    }
    case 'key':
      if (typeof text === 'string') {
        const repeat = typeof input.repeat === 'number' ? { repeat: input.repeat } : {};
        return { type: 'keys', keys: decodeKeys(text), ...repeat };
      }
      break;
    case 'type':
      return { type: 'type', text: typeof text === 'string' ? text : '' };
    case 'wait':
      if (typeof input.duration === 'number') return { type: 'wait', seconds: input.duration };
      break;
    case 'scroll': {
      const way = decodeScroll(input);
      if (way !== undefined) return { type: 'scroll', ...way, ...position, ...held };
      break;
    }
  }
  const fields = {
    ...(coordinate !== undefined && { coordinate }),
    ...(start !== undefined && { start_coordinate: start }),
  };
  return { ...rest, ...fields, ...(text !== undefined && { text }), type: word };
}

function decodeScroll({ scroll_direction: direction, scroll_amount: amount }: JsonObject): JsonObject | undefined {
  if (typeof direction !== 'string' || typeof amount !== 'number') return undefined;
  const pixels = amount * STEP;
  switch (direction) {
    case 'up':
      return { dx: 0, dy: -pixels };
    case 'down':
      return { dx: 0, dy: pixels };
    case 'left':
      return { dx: -pixels, dy: 0 };
    case 'right':
      return { dx: pixels, dy: 0 };
    default:
      return undefined;
  }
}

function pointOf(value: unknown): Point | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y]: readonly unknown[] = value;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
}

/** The input of a call for one action; undefined when there is no word for it. */
export function encodeComputer(action: ComputerAction): EncodedAction | undefined {
  const at = pointIn(action.at);
  const position = at === undefined ? {} : { coordinate: [at.x, at.y] };
  const keys = keysIn(action.keys);
  const held = keys.length === 0 ? {} : { text: encodeKeys(keys) };
  switch (action.type) {
    case 'screenshot':
      return { input: { action: 'screenshot' } };
    case 'click': {
      const word = Object.keys(CLICKS).find(
        (name) => CLICKS[name]?.[0] === action.button && CLICKS[name]?.[1] === action.count,
      );
      return word === undefined ? undefined : { input: { action: word, ...position, ...held } };
    }
    case 'move':
      return at === undefined ? undefined : { input: { action: 'mouse_move', ...position } };
    case 'drag':
      return encodeDrag(pathIn(action.path), held);
    case 'keys': {
      const repeat = typeof action.repeat === 'number' ? { repeat: action.repeat } : {};
      return { input: { action: 'key', text: encodeKeys(keys), ...repeat } };
    }
    case 'type':
      return { input: { action: 'type', text: String(action.text ?? '') } };
    case 'wait':
      return typeof action.seconds === 'number'
        ? { input: { action: 'wait', duration: action.seconds } }
        : { input: { action: 'wait', duration: 1 }, invented: 'a wait of one second' };
    case 'scroll':
      return {
        ...encodeScroll(action, { ...position, ...held }),
        poorer: 'scrolling is measured in steps, not pixels',
      };
    default:
      return undefined;
  }
}

/** What {@link writeComputer} gives; `poorer` names what of the action is missing in it, `invented` what it adds. */
interface EncodedAction {
  readonly input: JsonObject;
  readonly poorer?: string;
  readonly invented?: string;
}

function encodeDrag(path: readonly Point[], held: JsonObject): EncodedAction | undefined {
  const [first] = path;
  const last = path.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const start = path.length === 1 ? {} : { start_coordinate: [first.x, first.y] };
  const input = { action: 'left_click_drag', ...start, coordinate: [last.x, last.y], ...held };
  return path.length > 2 ? { input, poorer: 'only the first and last point of a drag are sent' } : { input };
}

function encodeScroll({ dx, dy }: ComputerAction, more: JsonObject): EncodedAction {
  const across = typeof dx === 'number' ? dx : 0;
  const down = typeof dy === 'number' ? dy : 0;
  const sideways = Math.abs(across) > Math.abs(down);
  const pixels = sideways ? across : down;
  const direction = sideways ? (pixels < 0 ? 'left' : 'right') : pixels < 0 ? 'up' : 'down';
  const amount = Math.max(1, Math.round(Math.abs(pixels) / STEP));
  return { input: { action: 'scroll', ...more, scroll_direction: direction, scroll_amount: amount } };
}

/** Key words in the manner of xdotool, by the words of the model. */
const KEY_WORDS: Readonly<Partial<Record<KeyWord, string>>> = {
  enter: 'Return',
  escape: 'Escape',
  backspace: 'BackSpace',
  tab: 'Tab',
  delete: 'Delete',
  insert: 'Insert',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'Page_Up',
  pagedown: 'Page_Down',
  meta: 'super',
};

const WRITTEN: ReadonlyMap<string, string> = new Map([...Object.entries(KEY_WORDS), ['+', 'plus']]);
const READ: ReadonlyMap<string, string> = new Map<string, string>([
  ...[...WRITTEN].map(([key, word]) => [word.toLowerCase(), key] as const),
  ['enter', 'enter'],
  ['kp_enter', 'enter'],
  ['prior', 'pageup'],
  ['next', 'pagedown'],
  ['control', 'ctrl'],
  ['control_l', 'ctrl'],
  ['ctrl', 'ctrl'],
  ['shift', 'shift'],
  ['shift_l', 'shift'],
  ['alt', 'alt'],
  ['alt_l', 'alt'],
  ['super_l', 'meta'],
  ['cmd', 'meta'],
  ['meta', 'meta'],
  ['space', 'space'],
  ['plus', '+'],
]);

function decodeKeys(text: string): string[] {
  return combination(text).map((word) => {
    const low = word.toLowerCase();
    return READ.get(low) ?? (/^f\d+$/.test(low) ? low : word);
  });
}

function encodeKeys(keys: readonly string[]): string {
  return keys.map((key) => WRITTEN.get(key) ?? (/^f\d+$/.test(key) ? key.toUpperCase() : key)).join('+');
}
