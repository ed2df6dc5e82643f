import { type DialectId, dialectIds } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';
import type { Tree } from './gateway/harness.js';
import { call, type DialectWire, inTwo, text, type Wire } from './wire/wire.js';

/** Answers of each dialect's service that say what a test wants said, whole or as a stream. */
export const WIRES = tableOf('wire') as Readonly<Record<DialectId, DialectWire>>;

function each<T>(make: (wire: DialectWire) => T): Readonly<Record<DialectId, T>> {
  return Object.fromEntries(dialectIds.map((id) => [id, make(WIRES[id])])) as Record<DialectId, T>;
}

/** A whole answer that says a text. */
export const WHOLE = each(
  (wire) =>
    (words: string): Tree =>
      wire.say([text(words)]),
);

/** The frames of a stream that says a text in two deltas, of which the first has three characters; the last one ends it. */
export const FRAMES = each((wire) => (words: string) => wire.frames(wire.say([text(words)]), inTwo(3)));

/** The text of a whole answer that calls a function with these arguments, which may be any text. */
export const CALLED = each((wire) => (args: string): string => {
  const whole = JSON.stringify(wire.say([call('call_1', 'look', '"ARGS"')]));
  return whole.replace('"\\"ARGS\\""', () => JSON.stringify(args)).replace('"ARGS"', () => args);
});

const WORDS = ['The ', 'answer ', 'comes ', 'in ', 'many ', 'small ', 'pieces, ', 'as ', 'it ', 'does.\n'];

/** The events of a stream that says a text in so many pieces. */
export function answerEvents(dialect: DialectId, deltas: number): Wire[] {
  const words = Array.from({ length: deltas }, (_, index) => WORDS[index % WORDS.length] ?? '');
  const { events, say } = WIRES[dialect];
  return events(say([text(words.join(''))]), () => words);
}

/** The bytes of such a stream, event by event. */
export function answerStream(dialect: DialectId, deltas: number): string[] {
  return answerEvents(dialect, deltas).map(WIRES[dialect].print);
}
