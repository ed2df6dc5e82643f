import { describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { computerHistory, saidActions } from './histories.js';

/** One action in the words of two dialects (translation.md 2.8.1). */
interface Row {
  readonly responses: object;
  readonly messages: object;
  /** What the way back gives where it is not the same. */
  readonly back?: object;
  readonly losses?: readonly string[];
  readonly backLosses?: readonly string[];
}

const ROWS: readonly Row[] = [
  { responses: { type: 'click', button: 'left', x: 1, y: 2 }, messages: { action: 'left_click', coordinate: [1, 2] } },
  {
    responses: { type: 'click', button: 'right', x: 1, y: 2 },
    messages: { action: 'right_click', coordinate: [1, 2] },
  },
  {
    responses: { type: 'click', button: 'wheel', x: 1, y: 2 },
    messages: { action: 'middle_click', coordinate: [1, 2] },
  },
  {
    responses: { type: 'click', button: 'left', x: 1, y: 2, keys: ['CTRL', 'SHIFT'] },
    messages: { action: 'left_click', coordinate: [1, 2], text: 'ctrl+shift' },
    back: { type: 'click', button: 'left', x: 1, y: 2, keys: ['ctrl', 'shift'] },
  },
  {
    responses: { type: 'double_click', x: 1, y: 2, keys: null },
    messages: { action: 'double_click', coordinate: [1, 2] },
  },
  {
    responses: {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
    messages: { action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4] },
  },
  {
    responses: {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 9, y: 9 },
        { x: 3, y: 4 },
      ],
    },
    messages: { action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4] },
    back: {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
    losses: ['call.family approximated'],
  },
  { responses: { type: 'keypress', keys: ['ctrl', 's'] }, messages: { action: 'key', text: 'ctrl+s' } },
  {
    responses: { type: 'keypress', keys: ['ALT', 'ARROWDOWN'] },
    messages: { action: 'key', text: 'alt+Down' },
    back: { type: 'keypress', keys: ['alt', 'arrowdown'] },
  },
  {
    responses: { type: 'keypress', keys: ['ENTER'] },
    messages: { action: 'key', text: 'Return' },
    back: { type: 'keypress', keys: ['enter'] },
  },
  { responses: { type: 'move', x: 1, y: 2 }, messages: { action: 'mouse_move', coordinate: [1, 2] } },
  { responses: { type: 'screenshot' }, messages: { action: 'screenshot' } },
  {
    responses: { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 300 },
    messages: { action: 'scroll', coordinate: [1, 2], scroll_direction: 'down', scroll_amount: 3 },
    losses: ['call.family approximated'],
    backLosses: ['call.family approximated'],
  },
  {
    responses: { type: 'scroll', x: 1, y: 2, scroll_x: -149, scroll_y: 20 },
    messages: { action: 'scroll', coordinate: [1, 2], scroll_direction: 'left', scroll_amount: 1 },
    back: { type: 'scroll', x: 1, y: 2, scroll_x: -100, scroll_y: 0 },
    losses: ['call.family approximated'],
    backLosses: ['call.family approximated'],
  },
  {
    responses: { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: -7 },
    messages: { action: 'scroll', coordinate: [1, 2], scroll_direction: 'up', scroll_amount: 1 },
    back: { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: -100 },
    losses: ['call.family approximated'],
    backLosses: ['call.family approximated'],
  },
  { responses: { type: 'type', text: 'a\n"b" ü' }, messages: { action: 'type', text: 'a\n"b" ü' } },
  {
    responses: { type: 'wait' },
    messages: { action: 'wait', duration: 1 },
    losses: ['call.family invented'],
  },
];

describe('the table of actions', () => {
  test.each(ROWS)('responses to messages: $responses', ({ responses, messages, losses = [] }) => {
    const sent = saidActions('responses', 'messages', computerHistory.responses(responses));
    expect(sent).toEqual({ actions: [messages], losses });
  });

  test.each(ROWS)('messages to responses: $messages', ({ responses, messages, back = responses, backLosses = [] }) => {
    const sent = saidActions('messages', 'responses', computerHistory.messages(messages));
    expect(sent).toEqual({ actions: [back], losses: backLosses });
  });

  test('a longer wait is not told to a service without durations', () => {
    const sent = saidActions('messages', 'responses', computerHistory.messages({ action: 'wait', duration: 3 }));
    expect(sent).toEqual({ actions: [{ type: 'wait' }], losses: ['call.family approximated'] });
  });
});

/** Actions for which the other dialect has no word, and the plain JSON that is sent instead. */
const RAW: readonly (readonly [DialectId, DialectId, object, object])[] = [
  [
    'messages',
    'responses',
    { action: 'triple_click', coordinate: [1, 2] },
    { action: 'click', button: 'left', count: 3, at: { x: 1, y: 2 } },
  ],
  ['messages', 'responses', { action: 'left_mouse_down' }, { action: 'left_mouse_down' }],
  ['messages', 'responses', { action: 'cursor_position' }, { action: 'cursor_position' }],
  [
    'messages',
    'responses',
    { action: 'hold_key', text: 'a', duration: 2 },
    { action: 'hold_key', text: 'a', duration: 2 },
  ],
  ['messages', 'responses', { action: 'zoom', region: [1, 2, 3, 4] }, { action: 'zoom', region: [1, 2, 3, 4] }],
  [
    'responses',
    'messages',
    { type: 'click', button: 'back', x: 1, y: 2 },
    { action: 'click', button: 'back', count: 1, at: { x: 1, y: 2 } },
  ],
  ['responses', 'messages', { type: 'novel', z: [1] }, { action: 'novel', z: [1] }],
];

describe('an action without a word in the other dialect', () => {
  test.each(RAW)('%s to %s: %j stands as plain JSON', (from, to, action, raw) => {
    const history = from === 'messages' ? computerHistory.messages(action) : computerHistory.responses(action);
    expect(saidActions(from, to, history)).toEqual({ actions: [raw], losses: ['call.family approximated'] });
  });

  test('a click without a place is where the pointer was', () => {
    const history = computerHistory.messages(
      { action: 'mouse_move', coordinate: [7, 8] },
      { action: 'left_click' },
      { action: 'left_click_drag', coordinate: [9, 9] },
    );
    expect(saidActions('messages', 'responses', history)).toEqual({
      actions: [
        { type: 'move', x: 7, y: 8 },
        { type: 'click', button: 'left', x: 7, y: 8 },
        {
          type: 'drag',
          path: [
            { x: 7, y: 8 },
            { x: 9, y: 9 },
          ],
        },
      ],
      losses: [],
    });
  });
});

/** Functions of generateContent in thousandths, and actions in pixels of a display of 2000 by 500. */
const THOUSANDTHS: readonly (readonly [fn: object, actions: readonly object[], back?: object])[] = [
  [{ name: 'open_web_browser', args: {} }, [{ action: 'screenshot' }]],
  [{ name: 'wait_5_seconds', args: {} }, [{ action: 'wait', duration: 5 }]],
  [{ name: 'click_at', args: { x: 500, y: 500 } }, [{ action: 'left_click', coordinate: [1000, 250] }]],
  [{ name: 'hover_at', args: { x: 0, y: 999 } }, [{ action: 'mouse_move', coordinate: [0, 500] }]],
  [{ name: 'key_combination', args: { keys: 'Control+Enter' } }, [{ action: 'key', text: 'ctrl+Return' }]],
  [
    { name: 'scroll_at', args: { x: 10, y: 10, direction: 'right', magnitude: 200 } },
    [{ action: 'scroll', coordinate: [20, 5], scroll_direction: 'right', scroll_amount: 4 }],
  ],
  [
    { name: 'drag_and_drop', args: { x: 1, y: 2, destination_x: 100, destination_y: 200 } },
    [{ action: 'left_click_drag', start_coordinate: [2, 1], coordinate: [200, 100] }],
  ],
  [
    { name: 'type_text_at', args: { x: 500, y: 500, text: 'tea', press_enter: false } },
    [
      { action: 'left_click', coordinate: [1000, 250] },
      { action: 'key', text: 'ctrl+a' },
      { action: 'key', text: 'BackSpace' },
      { action: 'type', text: 'tea' },
    ],
  ],
  [{ name: 'navigate', args: { url: 'https://example.org' } }, [{ action: 'navigate', url: 'https://example.org' }]],
  [{ name: 'go_back', args: {} }, [{ action: 'go_back' }]],
];

describe('points in thousandths', () => {
  const display = { width: 2000, height: 500 };

  test.each(THOUSANDTHS)('an answer calls %j', (fn, actions) => {
    const answer = computerHistory.answerTo('messages', display, fn);
    expect(answer.actions).toEqual(actions);
  });

  test.each(THOUSANDTHS)('and %j comes home the same', (fn, actions) => {
    const history = computerHistory.split(display, actions);
    expect(saidActions('messages', 'generateContent', history).actions).toEqual([fn]);
  });
});
