import { PROMPTS, TOOLS } from '../asks.js';
import type { ParsedAnswer } from '../parsed.js';
import { ask, bodyOf, holds, note, type Outcome, send, type Talk, tryAll } from '../talk.js';
import type { Verdict } from '../types.js';
import type { Question } from './question.js';

const [, SECOND] = TOOLS;

/** What an answer came to that should hold a call, and whether a call was cut before it could be read. */
interface Came {
  readonly as: 'second' | 'first' | 'text' | 'none';
  readonly isBegun?: true;
}

function callOf(parsed: ParsedAnswer | undefined): Came {
  const name = parsed?.calls[0]?.name;
  if (name !== undefined) return { as: name === SECOND ? 'second' : 'first' };
  const text = parsed?.text ?? '';
  const [, begun] = /"name"\s*:\s*"(time|date)"/.exec(text) ?? [];
  if (begun !== undefined && parsed?.isCut) return { as: begun === SECOND ? 'second' : 'first', isBegun: true };
  const isCall = begun !== undefined || /<tool_call>|\[TOOL_CALLS\]|<function/.test(text);
  return { as: isCall ? 'text' : 'none' };
}

const CUT = 'the answer was cut before a call could be read';

/** Calls, and the choices among them. That a model calls nothing on its own proves nothing; an instruction has to be ignored twice. */
export const choices: Question = {
  rows: ['tools', 'forced', 'named', 'none', 'parallel'],
  async ask(talk) {
    const forced = await ofForced(talk);
    const named = await ofNamed(talk);
    const none = await ofNone(talk);
    settle(talk, forced, named, none);
    if (!talk.findings.has('tools')) await ofAuto(talk);
  },
};

type Found = { readonly verdict: Verdict; readonly words?: string; readonly called?: boolean };

async function ofForced(talk: Talk): Promise<Found> {
  const { single } = talk.speech;
  const asked = { prompt: PROMPTS.greeting, tools: true, choice: 'required' } as const;
  const answers = single === undefined ? [] : await tryAll(talk, asked, [{ row: 'parallel', extra: single }]);
  let parsed = answers[0]?.parsed;
  if (parsed !== undefined && answers[0]?.tried.length)
    note(talk, 'parallel', 'undecided', 'it is taken; no answer shows more');
  for (let turn = parsed === undefined ? 0 : 1; turn < 2 && callOf(parsed).as === 'none'; turn += 1) {
    const outcome = await ask(talk, asked);
    if (outcome === undefined) return { verdict: 'undecided' };
    if (outcome.kind !== 'answer') {
      // The switch was not what it refused.
      if (turn === 0) talk.findings.delete('parallel');
      return failed(outcome);
    }
    parsed = outcome.parsed;
  }
  return judged(parsed, (call) => call === 'first' || call === 'second');
}

async function ofNamed(talk: Talk): Promise<Found> {
  return twice(talk, { only: SECOND });
}

/** A choice of the second tool, which no prompt speaks of. */
async function twice(talk: Talk, choice: { readonly only: 'date' } | { readonly among: 'date' }): Promise<Found> {
  let found: Found = { verdict: 'undecided' };
  for (let turn = 0; turn < 2; turn += 1) {
    const outcome = await ask(talk, { prompt: PROMPTS.greeting, tools: true, choice });
    if (outcome === undefined) return found;
    if (outcome.kind !== 'answer') return failed(outcome);
    found = judged(outcome.parsed, (call) => call === 'second');
    // Another tool was called than the one that was named: that is no chance.
    if (found.verdict !== 'ignored' || found.called !== undefined) return found;
  }
  return found;
}

function judged(parsed: ParsedAnswer | undefined, fits: (call: Came['as']) => boolean): Found {
  const { as: call, isBegun } = callOf(parsed);
  if (fits(call)) return { verdict: 'holds', called: isBegun !== true, ...(isBegun && { words: 'a call was begun' }) };
  if (call === 'first' || call === 'second')
    return { verdict: 'ignored', words: 'another tool was called', called: isBegun !== true };
  if (parsed?.isCut && (call === 'text' || parsed.text.trim() === '')) return { verdict: 'undecided', words: CUT };
  if (call === 'text') return { verdict: 'other', words: 'the call comes as text' };
  return { verdict: 'ignored', words: 'no call came' };
}

function failed(outcome: Exclude<Outcome, { readonly kind: 'answer' }>): Found {
  return { verdict: outcome.kind === 'refused' ? 'refused' : 'undecided', words: outcome.words };
}

async function ofNone(talk: Talk): Promise<Found> {
  const outcome = await ask(talk, { prompt: PROMPTS.needy, tools: true, choice: 'none' });
  if (outcome === undefined) return { verdict: 'undecided' };
  if (outcome.kind !== 'answer') return failed(outcome);
  return outcome.parsed.calls.length > 0
    ? { verdict: 'ignored', words: 'a tool was called', called: true }
    : { verdict: 'holds', called: false };
}

/**
 * Each is evidence for the others: a call that was forced means little where calls come in any case, and that none came means little
 * where none comes anyway.
 */
function settle(talk: Talk, forced: Found, named: Found, none: Found): void {
  const isKeen = none.verdict === 'ignored';
  note(talk, 'none', none.verdict === 'holds' && forced.verdict !== 'holds' ? 'undecided' : none.verdict, none.words);
  // Without the choice of one, the same prompt makes no call.
  const isObeyed = named.verdict === 'holds' || named.called === undefined;
  if (forced.verdict === 'holds' && isKeen && !isObeyed)
    note(talk, 'forced', 'ignored', 'calls come whatever the choice is');
  else note(talk, 'forced', forced.verdict, forced.words);
  note(talk, 'named', named.verdict, named.words);
  if ([forced, named, none].some(({ called }) => called === true)) note(talk, 'tools', 'holds');
  else if ([forced, named].every(({ verdict }) => verdict === 'other'))
    note(talk, 'tools', 'other', 'calls come as text');
}

/** Whether tools are known at all, where no choice made a call. */
async function ofAuto(talk: Talk): Promise<void> {
  const outcome = await ask(talk, { prompt: PROMPTS.needy, tools: true });
  if (outcome?.kind !== 'answer')
    return note(talk, 'tools', outcome?.kind === 'refused' ? 'refused' : 'undecided', outcome?.words);
  const { as: call, isBegun } = callOf(outcome.parsed);
  if (isBegun) return note(talk, 'tools', 'undecided', CUT);
  if (call === 'text')
    return note(talk, 'tools', outcome.parsed.isCut ? 'undecided' : 'other', 'the call comes as text');
  if (call === 'none') return note(talk, 'tools', 'undecided', 'the model called none');
  note(talk, 'tools', 'holds');
  // The same prompt made a call where it was not forbidden.
  if (talk.findings.get('none')?.verdict === 'undecided') note(talk, 'none', 'holds');
}

/** A choice among some of the tools. */
export const allowed: Question = {
  rows: ['allowed'],
  async ask(talk) {
    const { verdict, words } = await twice(talk, { among: SECOND });
    note(talk, 'allowed', verdict, words);
  },
};

/** A tool of a type that none but the vendor of the dialect has to know. */
export const vendorTools: Question = {
  rows: ['vendorTools'],
  async ask(talk) {
    const { vendorTool } = talk.speech;
    const body = bodyOf(talk, { prompt: PROMPTS.needy });
    if (vendorTool === undefined || body === undefined) return;
    const outcome = await send(talk, { ...body, ...vendorTool.body });
    if (outcome.kind !== 'answer') return note(talk, 'vendorTools', failed(outcome).verdict, outcome.words);
    const { calls } = outcome.parsed;
    // One who takes the tool for a function without a schema calls it as well.
    if (vendorTool.call === 'tool_use' && calls.length > 0)
      return note(talk, 'vendorTools', 'undecided', 'it is called; no answer shows more');
    if (calls.some(({ type, name }) => type === vendorTool.call && name !== ''))
      return note(talk, 'vendorTools', 'holds');
    if (calls.length > 0) return note(talk, 'vendorTools', 'other', 'its call is of another type, or without a name');
    note(talk, 'vendorTools', holds(talk, 'forced') ? 'ignored' : 'undecided', 'no call came');
  },
};

/** Whether strict tools are taken; that they are kept to shows in no single answer. */
export const strictTools: Question = {
  rows: ['strictTools'],
  async ask(talk) {
    const { strict } = talk.speech;
    const body = bodyOf(talk, { prompt: PROMPTS.greeting, tools: true, choice: 'required' });
    if (strict === undefined || body === undefined) return;
    const outcome = await send(talk, strict(body));
    if (outcome.kind !== 'answer') return note(talk, 'strictTools', failed(outcome).verdict, outcome.words);
    note(talk, 'strictTools', 'undecided', 'they are taken; no answer shows more');
  },
};
