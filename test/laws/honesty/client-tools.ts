import fc from 'fast-check';
import type { CallPart, MediaPart, ResultPart, TextPart } from '../../../translators/canonical/content.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { ClientFamily, ClientTool } from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import { decodeFamilyArguments } from '../../../translators/responses/tools/client.js';
import { has, lawTableOf } from '../dialects/index.js';
import { cache, fields, rarely, text } from './words.js';

export type Families = Readonly<Partial<Record<ClientFamily, readonly ClientTool[]>>>;

const DECLARED = lawTableOf('clientTools');

/** Declarations of some families, each family once. */
export function clientTools(source: DialectId): fc.Arbitrary<readonly ClientTool[]> {
  const families = Object.values(DECLARED[source]);
  return fc
    .subarray([...families], { minLength: Math.min(1, families.length) })
    .chain((list) => fc.tuple(...list.map((one) => fc.constantFrom(...one))))
    .chain((list) =>
      fc.tuple(
        ...list.map((tool) =>
          rarely(cache, 9).map((mark) =>
            mark === undefined || !has(source, 'cacheMarks') ? tool : { ...tool, cache: mark },
          ),
        ),
      ),
    );
}

const point = fc.record({ x: fc.nat(900), y: fc.nat(700) });
const key = fc.constantFrom('a', 'Enter', 'ctrl', 'shift', 'F5', 'Escape', '+');
const keys = fc.array(key, { minLength: 1, maxLength: 3 });

function named(type: string, rest: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return rest.map((fields) => ({ type, ...fields }));
}

/** Actions of a computer in the words of responses [R §4.2 note 3]; some that nobody knows. */
export const ITEM_ACTION: fc.Arbitrary<JsonObject> = fc.oneof(
  { arbitrary: fc.constantFrom({ type: 'screenshot' }, { type: 'wait' }), weight: 2 },
  {
    arbitrary: fc
      .tuple(point, fc.constantFrom('left', 'left', 'right', 'wheel', 'back', 'forward'))
      .map(([at, button]) => ({ type: 'click', button, ...at })),
    weight: 3,
  },
  { arbitrary: named('double_click', point), weight: 1 },
  { arbitrary: named('move', point), weight: 1 },
  { arbitrary: fc.array(point, { minLength: 2, maxLength: 4 }).map((path) => ({ type: 'drag', path })), weight: 1 },
  { arbitrary: keys.map((list) => ({ type: 'keypress', keys: list })), weight: 2 },
  { arbitrary: text.map((words) => ({ type: 'type', text: words })), weight: 2 },
  {
    arbitrary: fc
      .tuple(point, fc.constantFrom(0, -340, 100), fc.constantFrom(0, 700, -20))
      .map(([at, across, down]) => ({ type: 'scroll', scroll_x: across, scroll_y: down, ...at })),
    weight: 1,
  },
  { arbitrary: fc.constant({ type: 'hold', ms: 5 }), weight: 1 },
);

/** Inputs of a computer in the words of messages [M §2.5]. */
export const INPUT: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.constantFrom(
      'screenshot',
      'left_click',
      'left_click',
      'right_click',
      'triple_click',
      'double_click',
      'mouse_move',
      'left_click_drag',
      'key',
      'type',
      'wait',
      'scroll',
      'zoom',
      'cursor_position',
    ),
    point,
    point,
    keys,
    text,
    fc.boolean(),
    fc.constantFrom('up', 'down', 'left'),
    fc.constantFrom(1, 2, 5),
  )
  .map(([action, at, from, list, words, placed, way, count]) => {
    const coordinate = [at.x, at.y];
    const held = count === 5 ? { text: 'shift' } : {};
    switch (action) {
      case 'screenshot':
      case 'cursor_position':
        return { action };
      case 'mouse_move':
        return { action, coordinate };
      case 'left_click_drag':
        return { action, coordinate, ...(placed && { start_coordinate: [from.x, from.y] }) };
      case 'key':
        return { action, text: list.join('+'), ...(count === 2 && { repeat: 2 }) };
      case 'type':
        return { action, text: words };
      case 'wait':
        return { action, duration: count };
      case 'scroll':
        return { action, coordinate, scroll_direction: way, scroll_amount: count };
      case 'zoom':
        return { action, region: [1, 2, 3, 4] };
      default:
        return { action, ...(placed && { coordinate }), ...held };
    }
  });

/** Places in thousandths that are two pixels of a display, if they are two. */
const spot = fc.record({ x: fc.nat(300), y: fc.nat(233) }).map(({ x, y }) => ({ x: x * 3, y: y * 3 }));

/** Functions of a computer in the words of generateContent [G §2.5]. */
export const FUNCTION: fc.Arbitrary<readonly [string, JsonObject]> = fc.oneof(
  fc.constant(['open_web_browser', {}] as const),
  fc.constant(['wait_5_seconds', {}] as const),
  fc.constant(['navigate', { url: 'https://example.org' }] as const),
  fc.constant(['go_back', {}] as const),
  spot.map((at) => ['click_at', at] as const),
  spot.map((at) => ['hover_at', at] as const),
  fc
    .tuple(spot, text, fc.boolean(), fc.boolean())
    .map(([at, words, press, clear]) => ['type_text_at', typing(at, words, press, clear)] as const),
  keys.map((list) => ['key_combination', { keys: list.join('+') }] as const),
  fc.constantFrom('up', 'left').map((direction) => ['scroll_document', { direction }] as const),
  spot.map((at) => ['scroll_at', { ...at, direction: 'down', magnitude: 300 }] as const),
  fc
    .tuple(spot, spot)
    .map(([from, to]) => ['drag_and_drop', { ...from, destination_x: to.x, destination_y: to.y }] as const),
);

function typing(at: JsonObject, words: string, press: boolean, clear: boolean): JsonObject {
  return { ...at, text: words, press_enter: press, clear_before_typing: clear };
}

export type Words = Pick<CallPart, 'name' | 'family' | 'args' | 'truncated'>;

export function said(family: ClientFamily, name: string, value: JsonObject): Words {
  return { family, name, args: { value } };
}

const COMMAND = fc.constantFrom('ls', 'echo "ü" | wc', "cd /tmp && printf '%s\\n' a", '');

const SHELL: fc.Arbitrary<Words> = fields<JsonObject>({
  commands: fc.array(COMMAND, { minLength: 1, maxLength: 2 }),
  timeout_ms: rarely(fc.constant(1000)),
  max_output_length: rarely(fc.constant(10)),
}).map((action) => said('shell', 'shell', decodeFamilyArguments('shell', { action })));

const LOCAL_SHELL: fc.Arbitrary<Words> = fields<JsonObject>({
  command: fc.constantFrom(['bash', '-lc', 'ls -a'], ['ls', '-a', 'my file'], ['echo', "it's"]),
  env: rarely(fc.constant({ LANG: 'C' }), 2),
  working_directory: rarely(fc.constant('/tmp'), 2),
  timeout_ms: rarely(fc.constant(1000)),
  user: rarely(fc.constant('root')),
}).map((action) => said('localShell', 'local_shell', decodeFamilyArguments('localShell', { action })));

const PATCH: fc.Arbitrary<Words> = fc
  .constantFrom<JsonObject>(
    { type: 'create_file', path: 'a/b.txt', diff: '+one\n+two' },
    { type: 'update_file', path: 'a.txt', diff: '@@ def f\n-a\n+b' },
    { type: 'delete_file', path: 'a.txt' },
  )
  .map((operation) => said('patch', 'apply_patch', decodeFamilyArguments('patch', { operation })));

const COMPUTER = lawTableOf('computerHistory');

const BASH = fc
  .oneof(
    COMMAND.map((command): JsonObject => ({ command })),
    fc.constant<JsonObject>({ restart: true }),
  )
  .map((value) => said('bash', 'bash', value));

const FILES = fc.constantFrom<JsonObject>(
  { command: 'view', path: '/a' },
  { command: 'create', path: '/a', file_text: 'ü\n' },
);

function wordsOf(source: DialectId, { family, name = '' }: ClientTool): fc.Arbitrary<Words> {
  switch (family) {
    case 'computer':
      return COMPUTER[source];
    case 'bash':
      return BASH;
    case 'shell':
      return SHELL;
    case 'localShell':
      return LOCAL_SHELL;
    case 'patch':
      return PATCH;
    case 'editor':
    case 'memory':
      return FILES.map((value) => said(family, name, value));
    case 'browser':
      return fc.constant(said('browser', 'read_page', { depth: 2 }));
  }
}

/** Displays of one size, that tell each other apart. */
const shot: fc.Arbitrary<MediaPart> = fc
  .string({ unit: fc.constantFrom(...'ABCD'), minLength: 4, maxLength: 4 })
  .map((end) => ({
    kind: 'media',
    class: 'image',
    mime: 'image/png',
    data: { from: 'base64', base64: `iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIA${end}` },
  }));

const told: fc.Arbitrary<TextPart> = text.map((words) => ({ kind: 'text', text: words }));

function resultOf(
  source: DialectId,
  family: ClientFamily,
): fc.Arbitrary<Pick<ResultPart, 'parts' | 'json' | 'isError'>> {
  const failed = rarely(fc.constant(true));
  const texts = fields<Pick<ResultPart, 'parts' | 'isError'>>({ parts: told.map((part) => [part]), isError: failed });
  switch (family) {
    case 'computer':
      return has(source, 'typedResults')
        ? shot.map((picture) => ({ parts: [picture] }))
        : fc.oneof(
            { arbitrary: shot.map((picture) => ({ parts: [picture] })), weight: 4 },
            { arbitrary: fc.tuple(told, shot).map((parts) => ({ parts })), weight: 1 },
            { arbitrary: texts, weight: 1 },
          );
    case 'shell':
      return fc
        .tuple(COMMAND, fc.constantFrom({ exitCode: 0 }, { exitCode: 2 }, { timedOut: true }))
        .map(([stdout, end]) => ({ parts: [], json: { runs: [{ stdout, stderr: '', ...end }] } }));
    case 'localShell':
      return told.map((part) => ({ parts: [part] }));
    default:
      return texts;
  }
}

/** A call of a built-in tool and its result; ids are given by the conversation around them. */
export function clientPair(
  source: DialectId,
  declared: readonly ClientTool[],
): fc.Arbitrary<{ readonly call: CallPart; readonly result: ResultPart }> {
  return fc.constantFrom(...declared).chain((tool) =>
    fc.tuple(wordsOf(source, tool), resultOf(source, tool.family), rarely(cache, 14)).map(([words, result, mark]) => ({
      call: {
        kind: 'call',
        callId: '',
        ...words,
        ...(mark !== undefined && has(source, 'cacheMarks') && { cache: mark }),
      } as const,
      result: {
        kind: 'result',
        callId: '',
        ...result,
        ...(has(source, 'typedResults') && { family: tool.family }),
      } as const,
    })),
  );
}
