import { readEfforts } from '../../exchange/index.js';
import { PROMPTS } from '../asks.js';
import { ask, names, note, type Outcome, type Talk } from '../talk.js';
import type { Question } from './question.js';

/** How servers say that a model does not think, whoever asks it to. */
const UNTHINKING = /not support (?:thinking|reasoning)|(?:thinking|reasoning) is not (?:supported|enabled)/i;

/** Those who know budgets refuse one above the cap. */
const knowsBudget = (words: string): boolean =>
  names(words, ['max_tokens', 'max tokens', 'maxOutputTokens']) ||
  /greater than|less than|must be (?:at least|larger)/i.test(words);

/** Thinking on, by the forms that the dialect has. */
export const thinking: Question = {
  rows: ['thinkingOn', 'budget'],
  async ask(talk) {
    if (talk.base?.field !== undefined) note(talk, 'thinkingOn', 'holds', 'without being asked');
    for (const [index, { title, extra }] of talk.speech.on.entries()) {
      const isBudget = extra === talk.speech.budget;
      if (talk.base?.field !== undefined && !isBudget) break;
      const outcome = await ask(talk, { prompt: PROMPTS.long }, [extra]);
      if (outcome === undefined) continue;
      if (isBudget) noteBudget(talk, outcome);
      if (outcome.kind === 'refused') {
        if (UNTHINKING.test(outcome.words)) return note(talk, 'thinkingOn', 'refused', outcome.words);
        if (!knowsBudget(outcome.words)) note(talk, 'thinkingOn', 'undecided', outcome.words);
      } else if (outcome.kind === 'answer' && outcome.parsed.field !== undefined) {
        const { field } = outcome.parsed;
        return note(talk, 'thinkingOn', index === 0 ? 'holds' : 'other', `by ${title}, in ${field}`, { field: title });
      }
    }
    if (!talk.findings.has('thinkingOn')) note(talk, 'thinkingOn', 'undecided', 'no thoughts came');
  },
};

function noteBudget(talk: Talk, outcome: Outcome): void {
  if (outcome.kind === 'refused') note(talk, 'budget', knowsBudget(outcome.words) ? 'holds' : 'refused', outcome.words);
  else if (outcome.kind === 'nothing') note(talk, 'budget', 'undecided', outcome.words);
  else if (outcome.parsed.field !== undefined) note(talk, 'budget', 'holds');
  else note(talk, 'budget', 'undecided', 'it is taken, and no thoughts came');
}

/** Levels of thinking: a level that few have is taken, or the refusal lists those that there are. */
export const levels: Question = {
  rows: ['effort'],
  async ask(talk) {
    const { level } = talk.speech;
    if (level === undefined) return;
    // It decides itself whether it thinks: what keeps it from that stays out.
    const { always } = talk;
    talk.always = {};
    const outcome = await ask(talk, { prompt: PROMPTS.long }, [level]);
    talk.always = always;
    if (outcome === undefined) return;
    if (outcome.kind === 'nothing') return note(talk, 'effort', 'undecided', outcome.words);
    if (outcome.kind === 'answer') {
      const isShown = outcome.parsed.field !== undefined;
      return note(
        talk,
        'effort',
        isShown ? 'holds' : 'undecided',
        isShown ? undefined : 'it is taken; no answer shows more',
      );
    }
    const listed = UNTHINKING.test(outcome.words) ? undefined : readEfforts(outcome.words.toLowerCase(), outcome.body);
    const isListed = listed !== undefined;
    note(
      talk,
      'effort',
      isListed ? 'other' : 'refused',
      outcome.words,
      isListed ? { levels: listed.levels } : undefined,
    );
  },
};

/** A model that sizes its thinking itself. */
export const adaptive: Question = {
  rows: ['adaptive'],
  async ask(talk) {
    const { adaptive: extra } = talk.speech;
    const outcome = extra && (await ask(talk, { prompt: PROMPTS.long }, [extra]));
    if (outcome === undefined) return;
    if (outcome.kind !== 'answer')
      return note(talk, 'adaptive', outcome.kind === 'refused' ? 'refused' : 'undecided', outcome.words);
    const isShown = outcome.parsed.field !== undefined;
    note(talk, 'adaptive', isShown ? 'holds' : 'undecided', isShown ? undefined : 'it is taken, and no thoughts came');
  },
};
