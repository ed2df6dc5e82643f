import { readSizes } from '../../exchange/index.js';
import { BEGUN, CAP, GOES_ON, PROMPTS } from '../asks.js';
import type { ParsedAnswer } from '../parsed.js';
import { ask, bodyOf, holds, listen, note, type Talk, type Tried, tryAll } from '../talk.js';
import type { Question } from './question.js';

/** A word in the middle of the answer to the same prompt, which has to end the next one. */
function stopWord({ text = '' }: Partial<ParsedAnswer> = {}): string | undefined {
  const words: readonly string[] = text.match(/[\p{L}\d]{3,}/gu) ?? [];
  const word = words[Math.floor(words.length / 2)];
  return word !== undefined && words.indexOf(word) > 0 ? word : undefined;
}

/** Optional members, all in one call where they are taken. */
export const settings: Question = {
  rows: ['stop', 'seed', 'logprobs', 'unknown'],
  async ask(talk) {
    const { stop, seed, logprobs } = talk.speech;
    const word = stopWord(talk.base);
    const tried: Tried[] = [
      ...(stop && word !== undefined ? [{ row: 'stop', extra: stop(word) } as const] : []),
      ...(seed ? [{ row: 'seed', extra: seed } as const] : []),
      ...(logprobs ? [{ row: 'logprobs', extra: logprobs } as const] : []),
      { row: 'unknown', extra: { body: { interlingua_probe: true }, names: ['interlingua_probe'] } },
    ];
    for (const { tried: taken, parsed } of await tryAll(talk, { prompt: PROMPTS.long }, tried)) {
      for (const { row } of taken) judge(talk, row, parsed, word);
    }
  },
};

function judge(talk: Talk, row: Tried['row'], parsed: ParsedAnswer, word: string | undefined): void {
  if (row === 'logprobs')
    note(talk, row, parsed.logprobs ? 'holds' : 'ignored', parsed.logprobs ? undefined : 'none came');
  if (row === 'unknown') note(talk, row, 'holds');
  if (row === 'seed') note(talk, row, 'undecided', 'it is taken; no answer shows more');
  if (row === 'stop' && word !== undefined) {
    const { text, isStopped } = parsed;
    const isBefore = !text.includes(word) && talk.base?.text.startsWith(text.trimEnd()) === true;
    if (text.includes(word)) note(talk, row, 'ignored', 'the text goes on');
    else
      note(
        talk,
        row,
        isStopped || isBefore ? 'holds' : 'undecided',
        isStopped || isBefore ? undefined : 'another text came',
      );
  }
}

/** A cap of more tokens than any window that nobody reported. */
const HUGE = 10_000_000;

/** A cap above the window. As soon as an answer begins the connection is closed, so that nothing of that size is made. */
export const largeCap: Question = {
  rows: ['largeCap', 'cancel'],
  async ask(talk) {
    if (!holds(talk, 'stream')) {
      for (const row of ['largeCap', 'cancel'] as const)
        note(talk, row, 'undecided', 'no stream came that could be left');
      return;
    }
    const cap = talk.window === undefined ? HUGE : talk.window + 1;
    const body = bodyOf(talk, { prompt: PROMPTS.long, stream: true, cap });
    if (body === undefined) return;
    const { outcome } = await listen(talk, body, 1);
    if (outcome.kind === 'refused') {
      const reported = readSizes(outcome.words)?.cap;
      note(talk, 'largeCap', 'refused', outcome.words, reported === undefined ? undefined : { cap: reported });
      return;
    }
    if (outcome.kind === 'nothing') return note(talk, 'largeCap', 'undecided', outcome.words);
    note(talk, 'largeCap', 'holds', 'it is taken');
    const { baseMs = 0 } = talk;
    const next = await ask(talk, { prompt: PROMPTS.greeting, cap: CAP });
    if (next?.kind !== 'answer') return note(talk, 'cancel', 'undecided', next?.words);
    const seconds = (next.reply.ms / 1000).toFixed(1);
    const isSlow = next.reply.ms > 5 * baseMs + 2000;
    note(talk, 'cancel', isSlow ? 'ignored' : 'holds', isSlow ? `the next answer took ${seconds} s` : undefined);
  },
};

/** Two answers to one request. */
export const twoAnswers: Question = {
  rows: ['choices'],
  async ask(talk) {
    const { choices } = talk.speech;
    if (choices === undefined) return;
    for (const { parsed } of await tryAll(talk, { prompt: PROMPTS.greeting }, [{ row: 'choices', extra: choices }])) {
      const isBoth = parsed.choices >= 2;
      note(talk, 'choices', isBoth ? 'holds' : 'ignored', isBoth ? undefined : 'one answer came');
    }
  },
};

/** How an answer begins that does not go on with what was begun. */
const ANEW = /^\W*(?:one|here|sure|okay|ok|certainly|of course|let)\b/i;

/** An answer that was begun, with which the model is to go on: as it is, or as some servers want it marked. */
export const prefill: Question = {
  rows: ['prefill'],
  async ask(talk) {
    const { goOn } = talk.speech;
    for (const extras of [[], ...(goOn === undefined ? [] : [[goOn]])]) {
      const outcome = await ask(talk, { prompt: PROMPTS.long, history: 'begun' }, extras);
      if (outcome === undefined) return;
      const text = outcome.kind === 'answer' ? outcome.parsed.text : '';
      const goesOn = GOES_ON.test(text);
      const reported = extras.length > 0 ? { field: 'continue' } : undefined;
      if (goesOn) {
        // What came of it without the mark is not the last word.
        talk.findings.delete('prefill');
        return note(talk, 'prefill', 'holds', undefined, reported);
      }
      if (outcome.kind === 'refused' && reported === undefined) note(talk, 'prefill', 'refused', outcome.words);
      else if (text.trimStart().startsWith(BEGUN)) note(talk, 'prefill', 'undecided', 'what was begun comes again');
      else if (outcome.kind === 'answer' && ANEW.test(text)) note(talk, 'prefill', 'ignored', 'a new answer begins');
      else note(talk, 'prefill', 'undecided', outcome.kind === 'answer' ? 'no answer shows more' : outcome.words);
    }
  },
};
