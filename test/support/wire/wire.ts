import { readShapes, type Shapes } from '../../../src/simulator/rules/index.js';
import type { Hear } from './heard.js';

/** A JSON object as it goes over the wire. */
export type Wire = Readonly<Record<string, unknown>>;

/** The deltas in which a text comes: joined they are the text. `member` is its key in `node`. */
export type Cut = (text: string, member: string, node: Wire) => readonly string[];

/** In one delta; a text without a character in none. */
export const inOne: Cut = (text) => (text === '' ? [] : [text]);

/** In two deltas, cut between characters. */
export const inHalves: Cut = (text) => {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(''), points.slice(middle).join('')].filter((half) => half !== '');
};

/** In a delta of so many code units and one of the rest. */
export function inTwo(first: number): Cut {
  return (text) => [text.slice(0, first), text.slice(first)];
}

/** The objects of a list; none where there is no list. */
export function listOf(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value : [];
}

/** A text; the empty one where there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The object without these keys. */
export function without(node: Wire, ...keys: readonly string[]): Wire {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));
}

/** Server-sent events that go by the name in their `type`. */
export function printNamed(event: Wire): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** What an answer says, in no dialect yet. */
export type Said =
  | { readonly kind: 'text'; readonly text: string }
  /** Opaque state alone, or with the words of a thought. */
  | { readonly kind: 'thought'; readonly text: string; readonly state?: string }
  /** Arguments as JSON. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: string };

export const text = (words: string): Said => ({ kind: 'text', text: words });
export const call = (id: string, name: string, args: string): Said => ({ kind: 'call', id, name, args });

/** Shapes of an answer in two readings. */
export interface AnswerShapes {
  /** What we may say. */
  readonly exact: Shapes;
  /** What services and hosts say. */
  readonly heard: Shapes;
}

/**
 * Reads the shapes of answers, which are written as those of requests (`src/simulator/rules`), with one more mark: a field
 * with `?` is always in what we say, and may be missing in what others say. Fields `@heard` are said by others alone.
 */
export function readAnswerShapes(text: string): AnswerShapes {
  return {
    exact: readShapes(text.replaceAll('? ', '! ')),
    heard: readShapes(text.replaceAll('? ', ' '), ['heard']),
  };
}

/** How the service of a dialect answers, written from its wire sheet. */
export interface DialectWire {
  readonly shapes: AnswerShapes;
  /** A whole answer, with the end that its parts ask for. */
  say(parts: readonly Said[]): Wire;
  /** What a whole answer says. */
  readonly hear: Hear;
  /** The events of a stream that gives an answer. */
  events(answer: Wire, cut?: Cut): Wire[];
  print(event: Wire): string;
  /** The events as texts; what belongs to the end of the stream is in the last. */
  frames(answer: Wire, cut?: Cut): string[];
}
