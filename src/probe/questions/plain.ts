import { CAP, PROMPTS } from '../asks.js';
import type { ParsedAnswer } from '../parsed.js';
import { isAsked } from '../rows.js';
import { ask, bodyOf, listen, merged, names, note, type Outcome, type Talk } from '../talk.js';
import type { Question } from './question.js';

/** Members of the plainest request that some servers refuse. */
const SHAKY = ['temperature', 'store', 'max_tokens'] as const;

/**
 * Asks for a plain text, by which an endpoint shows that it is there, and without a member that it refuses by name. The answer is what
 * later ones are compared with.
 */
export async function greet(talk: Talk): Promise<Outcome> {
  let outcome = await first(talk);
  while (outcome.kind === 'refused' && outcome.reply.status !== 404) {
    const { words } = outcome;
    const meant = SHAKY.find((member) => !talk.without.has(member) && isMeant(words, member));
    if (meant === undefined) break;
    talk.without.add(meant);
    outcome = await first(talk);
  }
  if (outcome.kind !== 'answer') return outcome;
  talk.base = outcome.parsed;
  talk.baseMs = outcome.reply.ms;
  noteBase(talk, outcome.parsed);
  return outcome;
}

/** Whether a refusal is about a member; of the cap only where it names the other for it. */
function isMeant(words: string, member: (typeof SHAKY)[number]): boolean {
  return names(words, [member]) && (member !== 'max_tokens' || names(words, ['max_completion_tokens']));
}

async function first(talk: Talk): Promise<Outcome> {
  const outcome = await ask(talk, { prompt: PROMPTS.long });
  if (outcome === undefined) throw new Error('every dialect has words for a text');
  return outcome;
}

function noteBase(talk: Talk, parsed: ParsedAnswer): void {
  const { input, output, field } = parsed;
  if (input !== undefined && output !== undefined)
    note(talk, 'usage', input > 0 ? 'holds' : 'other', `${input} in, ${output} out`);
  else note(talk, 'usage', 'ignored', 'no counts in the answer');
  const isKept = output === undefined ? undefined : output <= CAP;
  const words = isKept === false ? `${output} tokens, where ${CAP} were asked for` : undefined;
  const isNewer = talk.without.has('max_tokens');
  const reported = isNewer ? { field: 'max_completion_tokens' } : undefined;
  if (isKept === undefined) note(talk, 'cap', 'undecided', 'tokens are not counted', reported);
  else note(talk, 'cap', isKept ? 'holds' : 'ignored', words, reported);
  if (field !== undefined) note(talk, 'thoughts', 'holds', `in ${field}`, { field });
  else note(talk, 'thoughts', 'undecided', 'no thoughts came');
  noteCut(talk, parsed, CAP);
  if (isNewer && isKept) note(talk, 'newerCap', 'holds');
}

function noteCut(talk: Talk, { isCut, output }: ParsedAnswer, cap: number): void {
  if (isCut) note(talk, 'cut', 'holds');
  else if (output !== undefined && output >= cap)
    note(talk, 'cut', 'ignored', `${output} tokens, and no word of the cap`);
  else note(talk, 'cut', 'undecided', 'the answer was shorter than its cap');
}

/** Under the other cap, so that a text beyond it shows that the newer name is not read. Responses refuses caps below 16. */
const NEWER_CAP = 8;
/** More events than a stream of so few tokens has in any dialect. */
const MOST_EVENTS = 120;

/** A stream, in chat completions with the newer name of the cap. */
export const stream: Question = {
  rows: ['stream', 'streamUsage', 'streamEvents', 'newerCap', 'cut', 'cached'],
  async ask(talk) {
    const hasTwoCaps = isAsked('newerCap', talk.speech.dialect);
    const cap = hasTwoCaps ? NEWER_CAP : CAP;
    const asked = bodyOf(talk, { prompt: PROMPTS.long, stream: true, cap });
    if (asked === undefined) return;
    const { max_tokens: older, ...rest } = asked;
    const newer = hasTwoCaps && older !== undefined ? { ...rest, max_completion_tokens: older } : asked;
    let { stream: found, outcome } = await listen(talk, newer, MOST_EVENTS);
    if (outcome.kind === 'refused' && newer !== asked) {
      const { words } = outcome;
      if (names(words, ['max_completion_tokens'])) note(talk, 'newerCap', 'refused', words);
      if (names(words, ['stream_options', 'include_usage'])) {
        note(talk, 'streamUsage', 'refused', words);
        talk.without.add('stream_options');
      }
      const again = bodyOf(talk, { prompt: PROMPTS.long, stream: true, cap }) ?? asked;
      ({ stream: found, outcome } = await listen(talk, again, MOST_EVENTS));
    }
    if (outcome.kind !== 'answer' || found === undefined) {
      const verdict = outcome.kind === 'refused' ? 'refused' : outcome.reply.status === 200 ? 'other' : 'undecided';
      note(talk, 'stream', verdict, outcome.kind === 'answer' ? '' : outcome.words);
      return;
    }
    const { parsed } = outcome;
    const isOver = outcome.reply.ending === 'cut';
    const { output, input, isCut } = parsed;
    if (hasTwoCaps && (isOver || (output !== undefined && output > cap)))
      note(talk, 'newerCap', 'ignored', 'it went on above max_completion_tokens');
    else if (hasTwoCaps && output === undefined && talk.base?.isCut && parsed.text.length > talk.base.text.length)
      note(talk, 'newerCap', 'ignored', 'the text is longer than with twice that cap');
    else if (hasTwoCaps) note(talk, 'newerCap', isCut ? 'holds' : 'undecided');
    if (isOver) return note(talk, 'stream', 'undecided', `more than ${MOST_EVENTS} events`);
    note(
      talk,
      'stream',
      found.isWhole ? 'holds' : 'other',
      found.isWhole ? undefined : 'without the last word of the dialect',
    );
    if (found.isOdd) note(talk, 'streamEvents', 'other', 'events without indexes or beginnings');
    else note(talk, 'streamEvents', 'undecided', 'a stream of plain text has all of them');
    const isCounted = input !== undefined && output !== undefined;
    note(talk, 'streamUsage', isCounted ? 'holds' : 'ignored', isCounted ? undefined : 'no counts in the stream');
    if (parsed.cached !== undefined) note(talk, 'cached', 'holds');
    if (isCut) note(talk, 'cut', 'holds');
    else if (output !== undefined && output >= cap) note(talk, 'cut', 'ignored', 'no word of the cap in a stream');
  },
};

/** Whether the model is kept from thinking, so that later answers are not spent on thoughts; the form that works goes along from then on. */
export async function quiet(talk: Talk): Promise<void> {
  let last: { readonly verdict: 'ignored' | 'refused'; readonly words: string } | undefined;
  for (const [index, { title, extra }] of talk.speech.off.entries()) {
    const outcome = await ask(talk, { prompt: PROMPTS.long }, [extra]);
    if (outcome?.kind === 'answer' && outcome.parsed.field === undefined) {
      talk.always = merged(talk.always, extra.body);
      // Later answers are as this one; that it thinks otherwise is kept.
      talk.base = { ...outcome.parsed, ...(talk.base?.field !== undefined && { field: talk.base.field }) };
      note(talk, 'thinkingOff', index === 0 ? 'holds' : 'other', `by ${title}`, { field: title });
      return;
    }
    if (outcome?.kind === 'answer') last ??= { verdict: 'ignored', words: `thoughts come in spite of ${title}` };
    else if (outcome?.kind === 'refused') last ??= { verdict: 'refused', words: outcome.words };
  }
  if (last !== undefined) note(talk, 'thinkingOff', last.verdict, last.words);
}
