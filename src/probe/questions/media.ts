import { PROMPTS } from '../asks.js';
import { ask, note, type Talk } from '../talk.js';
import type { Question } from './question.js';

/** More tokens than a note in the place of a picture or a document takes, and fewer than either does. */
const SEEN = { pictures: 40, documents: 60 } as const;

async function sees(
  talk: Talk,
  row: keyof typeof SEEN,
  asked: Parameters<typeof ask>[1],
  shows: RegExp,
): Promise<void> {
  const outcome = await ask(talk, asked);
  if (outcome === undefined) return;
  if (outcome.kind !== 'answer')
    return note(talk, row, outcome.kind === 'refused' ? 'refused' : 'undecided', outcome.words);
  const { text, input } = outcome.parsed;
  const before = talk.base?.input;
  if (shows.test(text)) return note(talk, row, 'holds');
  if (input === undefined || before === undefined) return note(talk, row, 'undecided', 'tokens are not counted');
  const more = input - before;
  if (more >= SEEN[row]) return note(talk, row, 'holds', `${more} more tokens of input`);
  note(talk, row, 'ignored', `the input has ${Math.max(0, more)} tokens more than without it`);
}

export const pictures: Question = {
  rows: ['pictures'],
  ask: (talk) => sees(talk, 'pictures', { prompt: PROMPTS.picture, picture: true }, /\bred\b/i),
};

export const documents: Question = {
  rows: ['documents'],
  ask: (talk) => sees(talk, 'documents', { prompt: PROMPTS.document, document: true }, /\bplum\b/i),
};
