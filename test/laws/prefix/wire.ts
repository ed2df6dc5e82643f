import { packState } from '../../../translators/adapt/state.js';
import type { DialectId } from '../../../translators/index.js';
import { type Data, readData } from '../../support/frames.js';
import { lawTableOf } from '../dialects/index.js';
import { filledIn, saidIn } from '../said.js';
import type { Move, Said, Script, Setup } from './moves.js';

export type Json = Record<string, unknown>;

/** The domain of the backend that the conversation goes to. */
export const HOME = 'home';

const THOUGHTS = lawTableOf('thought');

/** The carrier of a thought that a backend of `issuer` had. */
function carrier(issuer: DialectId, domain: string, text: string): string {
  const payload = JSON.stringify(THOUGHTS[issuer](text));
  return packState([{ dialect: issuer, domain, kind: 'reasoning', payload }]);
}

/** What a client of any dialect sends after the first `count` moves, in a conversation with a backend of `target`. */
export function bodyOf(script: Script, count: number, source: DialectId, target: DialectId): Json {
  return PRINTERS[source](script.setup, script.moves.slice(0, count), target);
}

const PRINTERS = lawTableOf('conversation');

/** The state of a thought as its client holds it: `bare` is what one has that was never wrapped. */
function stateOf(
  { held, text }: Said & { readonly kind: 'thought' },
  target: DialectId,
  bare: string,
): string | undefined {
  if (held === 'none') return undefined;
  return held === 'bare' ? bare : carrier(target, held === 'home' ? HOME : 'away', text);
}

const WORDS = readData('laws/prefix/conversation.yaml');

/** How a dialect tells what its words leave open. */
interface Manner {
  /** What an assistant says in one turn. */
  say(said: readonly Said[]): readonly Json[];
  /** The id of a call; undefined where none is told. */
  idOf?(id: string): string | undefined;
  nameOf?(name: string): string;
  marksOf?(mark: string | undefined): Json;
  /** What the body says of the instructions, and the turns that stand for them. */
  system(words: Data): { readonly system?: unknown; readonly turns?: readonly Json[] };
}

function printed(dialect: DialectId, setup: Setup, moves: readonly Move[], manner: Manner): Json {
  const words = WORDS[dialect];
  const { say, idOf = (id) => id, nameOf = (name) => name, marksOf = () => ({}), system } = manner;
  const turnsOf = (move: Move): Json[] => {
    switch (move.kind) {
      case 'user': {
        const texts = move.texts.map((TEXT) => ({ ...filledIn(words.text, { TEXT }), ...marksOf(move.mark) }));
        return filledIn(words.user, { PARTS: [...texts, ...(move.picture ? [words.image] : [])] });
      }
      case 'assistant':
        return filledIn(words.assistant, { PARTS: say(move.said) });
      case 'results': {
        const PARTS = move.results.map(({ call: { id, name }, form }) => {
          return filledIn(words.forms[form] ?? words.result, { ID: idOf(id), NAME: name, 'of FORM': `of ${form}` });
        });
        const REMARK = move.remark === undefined ? [] : [filledIn(words.remark, { TEXT: move.remark })];
        return filledIn(words.results, { PARTS, REMARK });
      }
      case 'instruction':
        return filledIn(words.instruction, { TEXT: move.text, AUTHORITY: move.authority });
      case 'tools':
        return filledIn(words.tools, { NAME: move.name });
    }
  };
  const { system: SYSTEM, turns = [] } = system(words);
  const TOOLS = setup.tools.map((name) => filledIn(words.tool, { NAME: nameOf(name) }));
  const body = filledIn(words.body, { SYSTEM, TOOLS, TURNS: [...turns, ...moves.flatMap(turnsOf)] });
  const settings = { ...(setup.reasoning && words.reasoning), ...(setup.json && words.json) };
  if (words.settings === undefined) return { ...body, ...settings };
  return Object.keys(settings).length === 0 ? body : { ...body, [words.settings]: settings };
}

export function printMessages(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  // What may stand as an id of a call there.
  const idOf = (id: string): string => id.replaceAll(/[^\w-]/g, '-');
  const marksOf = (ttl: string | undefined): Json =>
    ttl === undefined ? {} : { cache_control: { type: 'ephemeral', ttl } };
  const sayOne = (one: Said): Json[] => {
    if (one.kind === 'text') return saidIn('messages', 'text', { id: '', text: one.text });
    if (one.kind === 'call') return saidIn('messages', 'call', { ...one.call, id: idOf(one.call.id) });
    if (one.kind === 'hosted') return saidIn('messages', one.of, { id: one.id, state: 'aGl0' });
    return saidIn('messages', 'shown', { id: '', text: one.text, state: stateOf(one, target, 'YmFyZQ==') ?? '' });
  };
  const mark = marksOf(setup.systemMark ? '1h' : undefined);
  return printed('messages', setup, moves, {
    say: (said) => said.flatMap(sayOne),
    idOf,
    marksOf,
    system: ({ text }) => ({
      system:
        setup.system.length === 0 ? undefined : setup.system.map((TEXT) => ({ ...filledIn(text, { TEXT }), ...mark })),
    }),
  });
}

export function printResponses(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const sayOne = (one: Said): Json[] => {
    switch (one.kind) {
      case 'text':
        return [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: one.text, annotations: [] }] },
        ];
      case 'thought': {
        const summary = one.text === '' ? [] : [{ type: 'summary_text', text: one.text }];
        return [
          { type: 'reasoning', id: 'rs_a', summary, encrypted_content: stateOf(one, target, 'YmFyZQ==') ?? null },
        ];
      }
      case 'call': {
        const { id, name, args } = one.call;
        return [{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }];
      }
      case 'hosted':
        return saidIn('responses', one.of, { id: one.id });
    }
  };
  const [first, ...rest] = setup.system;
  return printed('responses', setup, moves, {
    say: (said) => said.flatMap(sayOne),
    system: ({ text, image }) => ({
      system: first,
      turns: rest.map((TEXT) => ({
        type: 'message',
        role: 'developer',
        content: [filledIn(text, { TEXT }), ...(setup.systemPicture ? [image] : [])],
      })),
    }),
  });
}

export function printContents(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const idOf = (id: string): string | undefined => (id === 'call:same' ? undefined : id);
  /** Here the state of a thought rides on what follows it. */
  const say = (said: readonly Said[]): Json[] => {
    const parts: Json[] = [];
    let waiting: string | undefined;
    for (const one of said) {
      if (one.kind === 'thought') {
        parts.push({ text: one.text, thought: true, ...(one.held === 'bare' && { thoughtSignature: 'YmFyZQ==' }) });
        if (one.held !== 'bare') waiting = stateOf(one, target, '') ?? waiting;
        continue;
      }
      if (one.kind === 'hosted') {
        parts.push(...saidIn('generateContent', one.of, { id: one.id }));
        continue;
      }
      const called =
        one.kind === 'call' ? { id: idOf(one.call.id), name: one.call.name, args: one.call.args } : undefined;
      const part = one.kind === 'text' ? { text: one.text } : { functionCall: called };
      parts.push(waiting === undefined ? part : { ...part, thoughtSignature: waiting });
      waiting = undefined;
    }
    if (waiting !== undefined) parts.push({ text: '', thoughtSignature: waiting });
    return parts;
  };
  return printed('generateContent', setup, moves, {
    say,
    idOf,
    nameOf: (name) => name.replaceAll(' ', '_').slice(0, 60),
    system: ({ text }) => ({
      system: setup.system.length === 0 ? undefined : { parts: setup.system.map((TEXT) => filledIn(text, { TEXT })) },
    }),
  });
}

/** What an assistant said is one message: thoughts first, then words, then calls [H §3.1]. */
export function printChat(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const say = (said: readonly Said[]): Json[] => {
    const thoughts = said.filter((one) => one.kind === 'thought');
    const shown = thoughts.map(({ text }) => text).join('');
    const words = said.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('');
    const details = thoughts.flatMap((one, index) => {
      const data = stateOf(one, target, 'YmFyZQ==');
      const place = { id: `il_${index}`, format: 'unknown', index };
      return data === undefined ? [] : [{ type: 'reasoning.encrypted', ...place, data }];
    });
    const calls = said.flatMap((one) => {
      if (one.kind !== 'call') return [];
      const { id, name, args } = one.call;
      return [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }];
    });
    return [
      {
        role: 'assistant',
        content: words === '' && calls.length > 0 ? null : words,
        ...(shown !== '' && { reasoning_content: shown }),
        ...(details.length > 0 && { reasoning_details: details }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    ];
  };
  return printed('chatCompletions', setup, moves, {
    say,
    system: () => ({ turns: setup.system.map((content) => ({ role: 'system', content })) }),
  });
}
