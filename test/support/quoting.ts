import type { DialectId } from '../../translators/index.js';
import { WIRES } from './answers.js';
import { tableOf } from './dialects/index.js';
import { type Cut, call, text, type Wire } from './wire/wire.js';

/** Where in an answer a backend quotes a key. */
export const PLACES = ['text', 'thought', 'argument', 'name', 'id'] as const;

export type Place = (typeof PLACES)[number];

/** What an answer says in each place. */
export type Quotes = Readonly<Record<Place, readonly string[]>>;

/** An answer that quotes `pieces` in a place; only texts, thoughts and arguments come in pieces. */
export function saying(place: Place, pieces: readonly string[]): Quotes {
  const usual = { text: ['Hello'], thought: ['Hm'], argument: ['Rome'], name: ['look'], id: ['call_1'] };
  return { ...usual, [place]: pieces };
}

const one = (pieces: readonly string[]): string => pieces.join('');

function answerOf(dialect: DialectId, { text: words, ...said }: Quotes, texts: readonly string[]): Wire {
  return WIRES[dialect].say([
    { kind: 'thought', text: one(said.thought) },
    ...(dialect === 'responses' ? [one(words)] : texts).map(text),
    call(one(said.id), one(said.name), `{"city":"${one(said.argument)}"}`),
  ]);
}

/** A whole answer; texts in as many parts as they have pieces. */
export function wholeQuoting(dialect: DialectId, said: Quotes): Wire {
  return answerOf(dialect, said, said.text);
}

/** The frames of the same as a stream. */
export function framesQuoting(dialect: DialectId, said: Quotes): string[] {
  const cut: Cut = (_text, member, { type, thought }) => {
    if (member === 'input' || member === 'arguments') return ['{"city":"', ...said.argument, '"}'];
    const isThought = thought === true || type === 'summary_text' || /^(?:thinking|reasoning_content)$/.test(member);
    return isThought ? said.thought : said.text;
  };
  return WIRES[dialect].frames(answerOf(dialect, said, [one(said.text)]), cut);
}

/** Where in an error. */
export const ERROR_PLACES = ['message', 'code', 'param'] as const;

export type ErrorPlace = (typeof ERROR_PLACES)[number];

export const ASKED = tableOf('askingForThoughts');
export const ERRORS = tableOf('errorQuoting');
