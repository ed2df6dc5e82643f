import { dialects } from '../../../translators/index.js';
import { pathOf } from '../../protocol/index.js';
import { PROMPTS } from '../asks.js';
import { isAsked, type RowName } from '../rows.js';
import { ask, note, type Talk, wordsOf } from '../talk.js';
import type { Question } from './question.js';

/** The result of a call in the form of the dialect, and where that is refused in the plainest one. */
export const results: Question = {
  rows: ['resultParts', 'nullContent'],
  async ask(talk) {
    const row: RowName = isAsked('nullContent', talk.speech.dialect) ? 'nullContent' : 'resultParts';
    const asked = { prompt: PROMPTS.needy, tools: true } as const;
    const whole = await ask(talk, { ...asked, history: 'results' });
    if (whole === undefined) return;
    if (whole.kind === 'answer') return note(talk, row, 'holds');
    if (whole.kind === 'nothing') return note(talk, row, 'undecided', whole.words);
    const plain = await ask(talk, { ...asked, history: 'plainResults' });
    note(talk, row, plain?.kind === 'answer' ? 'refused' : 'undecided', whole.words);
  },
};

/** The route that counts the tokens of requests. */
export const counting: Question = {
  rows: ['counting'],
  async ask(talk: Talk) {
    const { host, sender, model, speech } = talk;
    if (speech.count === undefined) return;
    const path = pathOf(host, dialects[host.dialect], 'count', { model, stream: false });
    const reply = await sender.send(host, { method: 'POST', path, body: speech.count.body(model) });
    const tokens = reply.status === 200 ? speech.count.read(reply.json) : undefined;
    if (tokens !== undefined && tokens > 0) return note(talk, 'counting', 'holds');
    const isRefused = reply.status >= 400 && reply.status !== 429 && reply.status < 502;
    note(talk, 'counting', isRefused ? 'refused' : reply.status === 200 ? 'other' : 'undecided', wordsOf(talk, reply));
  },
};

/** A model that is not there, where nothing was refused before. */
export const errors: Question = {
  rows: ['errors'],
  async ask(talk) {
    if (talk.findings.has('errors')) return;
    const body = talk.speech.body({ prompt: PROMPTS.greeting, cap: 1 }, NOBODY);
    if (body === undefined) return;
    const path = pathOf(talk.host, dialects[talk.host.dialect], 'create', { model: NOBODY, stream: false });
    const reply = await talk.sender.send(talk.host, { method: 'POST', path, body });
    if (reply.status >= 400 && reply.status < 500 && talk.speech.isError(reply.json))
      return note(talk, 'errors', 'holds');
    if (reply.status === 200) return note(talk, 'errors', 'undecided', 'it takes any name of a model');
    note(talk, 'errors', reply.status === 0 ? 'undecided' : 'other', wordsOf(talk, reply));
  },
};

const NOBODY = 'interlingua-probe-no-such-model';
