import type { DialectId, JsonObject } from '../../../translators/index.js';
import { WIRES } from '../../support/answers.js';
import { content, contentEvents, printChunk } from '../../support/wire/generate-content.js';
import { message, messageEvents } from '../../support/wire/messages.js';
import { type Cut, inOne, printNamed, type Wire } from '../../support/wire/wire.js';
import { GROWING_ANSWERS } from './answers.js';
import { times } from './grown.js';

/** A stream in which one thing comes `n` times. */
export interface GrowingStream {
  readonly name: string;
  readonly from: DialectId;
  readonly text: (n: number) => string;
}

const print = (events: readonly Wire[]): string => events.map(printNamed).join('');

/** Every word a delta of its own. */
const inWords: Cut = (text) => text.match(/\S+\s*/g) ?? [];

/** One answer whose text comes in many deltas. */
const DELTAS: readonly GrowingStream[] = (
  ['messages', 'responses', 'generateContent', 'chatCompletions'] as const
).flatMap((from) =>
  (['text', 'thought'] as const).map((kind) => ({
    name: `deltas of one ${kind}`,
    from,
    text: (n) => WIRES[from].frames(WIRES[from].say([{ kind, text: 'word '.repeat(n) }]), inWords).join(''),
  })),
);

/** Whole answers with many entries, as streams. */
const ENTRIES: readonly GrowingStream[] = GROWING_ANSWERS.map(({ name, from, body }) => ({
  name,
  from,
  text: (n) => WIRES[from].frames(body(n), inOne).join(''),
}));

const texts = (n: number): JsonObject[] => times(n, () => ({ type: 'text', text: 'word ' }));
const calls = (n: number): JsonObject[] =>
  times(n, (index) => ({ type: 'tool_use', id: `toolu_${index}`, name: 'look', input: { q: 1 } }));

/** All blocks begin before the first goes on. */
const PHASES = ['message_start', 'content_block_start', 'ping', 'content_block_delta', 'content_block_stop'];
function atOnce(events: readonly Wire[]): Wire[] {
  const phase = ({ type }: Wire): number => (PHASES.indexOf(String(type)) + PHASES.length + 1) % (PHASES.length + 1);
  return [...events].sort((a, b) => phase(a) - phase(b));
}

const MESSAGES: readonly GrowingStream[] = [
  {
    name: 'pieces of one call',
    from: 'messages',
    text: (n) =>
      print(
        messageEvents(
          message([{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { q: times(n, () => 1) } }]),
          (json) => json.split(/(?<=,)/),
        ),
      ),
  },
  { name: 'open texts', from: 'messages', text: (n) => print(atOnce(messageEvents(message(texts(n))))) },
  { name: 'open calls', from: 'messages', text: (n) => print(atOnce(messageEvents(message(calls(n))))) },
  {
    name: 'pings',
    from: 'messages',
    text: (n) => print(atOnce([...messageEvents(message(texts(1))), ...times(n, () => ({ type: 'ping' }))])),
  },
];

const OPEN_CALLS: GrowingStream = {
  name: 'open calls',
  from: 'responses',
  text: (n) => {
    const { say, events } = WIRES.responses;
    const all = events(
      say(times(n, (index) => ({ kind: 'call', id: `call_${index}`, name: 'look', args: '{"q":1}' }))),
    );
    const phase = ({ type }: Wire): number =>
      ['response.output_item.added', 'response.function_call_arguments.delta'].indexOf(String(type));
    const [begin, head, ...rest] = all;
    const last = rest.pop();
    const sorted = [0, 1, -1].flatMap((one) => rest.filter((event) => phase(event) === one));
    return print(
      [begin, head, ...sorted, last].flatMap((event, sequence_number) =>
        event === undefined ? [] : [{ ...event, sequence_number }],
      ),
    );
  },
};

const GENERATE_CONTENT: readonly GrowingStream[] = [
  {
    name: 'calls of one chunk',
    from: 'generateContent',
    text: (n) =>
      printChunk(content(times(n, (index) => ({ functionCall: { id: `c${index}`, name: 'look', args: {} } })))),
  },
  {
    name: 'grounding of many chunks',
    from: 'generateContent',
    text: (n) =>
      contentEvents(content(times(n, () => ({ text: 'cited ' }))))
        .map((event, index) => {
          const [candidate] = event.candidates as Wire[];
          const groundingMetadata = {
            groundingChunks: [{ web: { uri: `https://example.org/${index}`, title: 't' } }],
            groundingSupports: [
              {
                segment: { startIndex: index * 6, endIndex: index * 6 + 5, text: 'cited' },
                groundingChunkIndices: [0],
              },
            ],
          };
          return printChunk({ ...event, candidates: [{ ...candidate, groundingMetadata }] });
        })
        .join(''),
  },
];

/** Everything that a backend may send again and again within one stream. */
export const GROWING_STREAMS: readonly GrowingStream[] = [
  ...DELTAS,
  ...ENTRIES,
  ...MESSAGES,
  OPEN_CALLS,
  ...GENERATE_CONTENT,
];
