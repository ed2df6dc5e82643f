import { type RenderedCall, rawAction } from '../../adapt/index.js';
import {
  type ComputerAction,
  type ComputerArguments,
  combination,
  computerArguments,
  type KeyWord,
  keysIn,
  type Point,
  pathIn,
  pointerAfter,
  pointIn,
} from '../../canonical/client-actions.js';
import type { CallPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';

/** Names of the functions of the computer that only this dialect has; they keep their arguments. */
const OWN_WORDS: ReadonlySet<string> = new Set(['navigate', 'search', 'go_back', 'go_forward']);

/** How far a page is scrolled when the call does not say, in thousandths of the display. */
const MAGNITUDE = 800;

/** Reads a call of a function of the computer; undefined when it is none. */
export function decodeComputer(name: string, args: JsonObject): ComputerArguments | undefined {
  if (OWN_WORDS.has(name)) return thousandths({ ...args, type: name });
  const at = pointIn(args);
  switch (name) {
    case 'open_web_browser':
      return thousandths({ type: 'screenshot' });
    case 'wait_5_seconds':
      return thousandths({ type: 'wait', seconds: 5 });
    case 'click_at':
      return at && thousandths({ type: 'click', button: 'left', count: 1, at });
    case 'hover_at':
      return at && thousandths({ type: 'move', at });
    case 'type_text_at':
      return at && thousandths(...typing(args, at));
    case 'key_combination':
      return thousandths({ type: 'keys', keys: decodeKeys(String(args.keys ?? '')) });
    case 'scroll_at':
      return at && thousandths({ type: 'scroll', at, ...wayOf(args.direction, args.magnitude) });
    case 'scroll_document':
      return thousandths({ type: 'scroll', at: { x: 500, y: 500 }, ...wayOf(args.direction, undefined) });
    case 'drag_and_drop': {
      const to = pointIn({ x: args.destination_x, y: args.destination_y });
      return at && to && thousandths({ type: 'drag', path: [at, to] });
    }
    default:
      return undefined;
  }
}

function thousandths(...actions: ComputerAction[]): ComputerArguments {
  return { actions, points: 'thousandths' };
}

/** Typing clears the field first and ends with the enter key, unless the call says otherwise. */
function typing(args: JsonObject, at: Point): ComputerAction[] {
  return [
    { type: 'click', button: 'left', count: 1, at },
    ...(args.clear_before_typing === false ? [] : CLEAR),
    { type: 'type', text: String(args.text ?? '') },
    ...(args.press_enter === false ? [] : [ENTER]),
  ];
}

const CLEAR: readonly ComputerAction[] = [
  { type: 'keys', keys: ['ctrl', 'a'] },
  { type: 'keys', keys: ['backspace'] },
];
const ENTER: ComputerAction = { type: 'keys', keys: ['enter'] };

function wayOf(direction: unknown, magnitude: unknown): JsonObject {
  const far = typeof magnitude === 'number' ? magnitude : MAGNITUDE;
  switch (direction) {
    case 'up':
      return { dx: 0, dy: -far };
    case 'left':
      return { dx: -far, dy: 0 };
    case 'right':
      return { dx: far, dy: 0 };
    default:
      return { dx: 0, dy: far };
  }
}

export function encodeComputer(call: CallPart, near: Point | undefined): readonly RenderedCall[] {
  const { actions } = computerArguments(call);
  const calls: RenderedCall[] = [];
  let pointer = near;
  for (let place = 0; place < actions.length; ) {
    const typed = encodeTyping(actions, place);
    const action = actions[place];
    if (action === undefined) break;
    calls.push(typed?.call ?? encodeAction(action, pointer) ?? rawAction(action));
    const end = place + (typed?.length ?? 1);
    for (; place < end; place += 1) pointer = pointerAfter(actions[place] ?? action, pointer);
  }
  return calls;
}

/** A click, the clearing of the field, the text and the enter key, as one call. */
function encodeTyping(
  actions: readonly ComputerAction[],
  from: number,
): { call: RenderedCall; length: number } | undefined {
  const [click] = actions.slice(from);
  const single = click?.type === 'click' && click.button === 'left' && click.count === 1;
  const at = single && keysIn(click.keys).length === 0 ? pointIn(click.at) : undefined;
  if (at === undefined) return undefined;
  const clears = CLEAR.every((step, index) => isKeys(actions[from + 1 + index], step));
  const place = from + 1 + (clears ? CLEAR.length : 0);
  const text = actions[place];
  if (text?.type !== 'type') return undefined;
  const enters = isKeys(actions[place + 1], ENTER);
  const args = typeText(at, text, clears, enters);
  return { call: { name: 'type_text_at', args }, length: place + (enters ? 2 : 1) - from };
}

function isKeys(action: ComputerAction | undefined, like: ComputerAction): boolean {
  if (action?.type !== 'keys' || (action.repeat !== undefined && action.repeat !== 1)) return false;
  return keysIn(action.keys).join('+') === keysIn(like.keys).join('+');
}

function typeText({ x, y }: Point, { text }: ComputerAction, clears: boolean, enters: boolean): JsonObject {
  // Absent means true.
  return {
    x,
    y,
    text: String(text ?? ''),
    ...(!clears && { clear_before_typing: false }),
    ...(!enters && { press_enter: false }),
  };
}

/** One action as one call; undefined when there is no word for it. */
function encodeAction(action: ComputerAction, near: Point | undefined): RenderedCall | undefined {
  if (OWN_WORDS.has(action.type)) {
    const { type, ...args } = action;
    return { name: type, args };
  }
  const at = pointIn(action.at) ?? near;
  const held = keysIn(action.keys);
  const poorer = held.length > 0 ? { poorer: 'no keys are held meanwhile' } : {};
  switch (action.type) {
    case 'screenshot':
      return { name: 'open_web_browser', args: {}, poorer: 'every call returns a screenshot in the target' };
    case 'click':
      if (at === undefined || action.button !== 'left' || action.count !== 1) return undefined;
      return { name: 'click_at', args: { x: at.x, y: at.y }, ...poorer };
    case 'move':
      return at && { name: 'hover_at', args: { x: at.x, y: at.y }, ...poorer };
    case 'keys':
      return {
        name: 'key_combination',
        args: { keys: encodeKeys(held) },
        ...(typeof action.repeat === 'number' && action.repeat !== 1 && { poorer: 'keys are pressed once' }),
      };
    case 'type':
      return (
        at && { name: 'type_text_at', args: typeText(at, action, false, false), poorer: 'a click precedes the typing' }
      );
    case 'wait':
      return action.seconds === 5
        ? { name: 'wait_5_seconds', args: {} }
        : { name: 'wait_5_seconds', args: {}, poorer: 'the wait has a fixed length' };
    case 'drag': {
      const path = pathIn(action.path);
      const [from, to] = [path.length === 1 ? near : path[0], path.at(-1)];
      if (from === undefined || to === undefined) return undefined;
      const args = { x: from.x, y: from.y, destination_x: to.x, destination_y: to.y };
      return {
        name: 'drag_and_drop',
        args,
        ...(path.length > 2 ? { poorer: 'only the first and last point of a drag are sent' } : poorer),
      };
    }
    case 'scroll':
      return encodeScroll(action, at);
    default:
      return undefined;
  }
}

function encodeScroll({ dx, dy }: ComputerAction, at: Point | undefined): RenderedCall {
  const across = typeof dx === 'number' ? dx : 0;
  const down = typeof dy === 'number' ? dy : 0;
  const sideways = Math.abs(across) > Math.abs(down);
  const far = sideways ? across : down;
  const direction = sideways ? (far < 0 ? 'left' : 'right') : far < 0 ? 'up' : 'down';
  if (at === undefined) return { name: 'scroll_document', args: { direction }, poorer: 'the distance is not sent' };
  const magnitude = Math.min(999, Math.max(1, Math.abs(far)));
  return { name: 'scroll_at', args: { x: at.x, y: at.y, direction, magnitude } };
}

/** Words for keys as browsers name them, by the words of the model. */
const KEY_WORDS: Readonly<Record<KeyWord, string>> = {
  enter: 'Enter',
  escape: 'Escape',
  backspace: 'Backspace',
  tab: 'Tab',
  space: 'Space',
  delete: 'Delete',
  insert: 'Insert',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  ctrl: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  meta: 'Meta',
};
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(KEY_WORDS));
const KEYS: ReadonlyMap<string, KeyWord> = new Map<string, KeyWord>([
  ...[...NAMES].map(([key, word]) => [word.toLowerCase(), key as KeyWord] as const),
  ['ctrl', 'ctrl'],
  ['command', 'meta'],
  ['cmd', 'meta'],
  ['return', 'enter'],
  ['esc', 'escape'],
  ['page_up', 'pageup'],
  ['page_down', 'pagedown'],
]);

function decodeKeys(text: string): string[] {
  const words = combination(text);
  return words.map((word) => {
    const low = word.toLowerCase();
    const named = KEYS.get(low);
    if (named !== undefined) return named;
    return (word.length === 1 && words.length > 1) || /^f\d+$/.test(low) ? low : word;
  });
}

function encodeKeys(keys: readonly string[]): string {
  return keys.map((key) => NAMES.get(key) ?? (/^f\d+$/.test(key) ? key.toUpperCase() : key)).join('+');
}
