import type { CanonicalRequest, Part, ResultPart, Tool, Turn } from '../../translators/index.js';
import { countTokens } from './tokens.js';

/** What the script wants to know of a conversation. "Current turn" is everything after the last turn of the model. */
export interface View {
  /** Text of the user in the current turn, without what programs add to it. */
  readonly userText: string;
  /** Tool results in the current turn. */
  readonly results: readonly { readonly name: string; readonly text: string; readonly isError: boolean }[];
  /** Names of the tools that were called before. */
  readonly called: ReadonlySet<string>;
  /** Kinds of media in the current turn, e.g. `image/png`, `image by URL`. */
  readonly media: readonly string[];
  /** Tokens of the whole prompt, and of its instructions and tools alone. */
  readonly promptTokens: number;
  readonly prefixTokens: number;
  /** Whether the model has spoken before. */
  readonly laterTurn: boolean;
}

/** The conversation of a request as the script wants to see it. */
export function readView({ turns, instructions, tools }: CanonicalRequest): View {
  const lastSpoken = turns.findLastIndex(({ role }) => role === 'assistant');
  const asked = ({ role }: Turn): boolean => role === 'user';
  // A model that continues its own turn answers the user turn before it.
  const current =
    lastSpoken === turns.length - 1 ? turns.filter(asked).slice(-1) : turns.slice(lastSpoken + 1).filter(asked);
  const parts = current.flatMap((turn) => turn.parts);
  const names = new Map<string, string>();
  for (const { parts: own } of turns) {
    for (const part of own) if (part.kind === 'call') names.set(part.callId, part.name);
  }
  const prefixTokens = sum(instructions.flatMap((one) => one.parts).map(tokensOf)) + sum(tools.map(toolTokens));
  return {
    userText: parts.flatMap((part) => (part.kind === 'text' && !isTagged(part.text) ? [part.text] : [])).join('\n'),
    results: parts.flatMap((part) => (part.kind === 'result' ? [outcomeOf(part, names)] : [])),
    called: new Set(names.values()),
    media: parts.flatMap(mediaIn),
    promptTokens: prefixTokens + sum(turns.flatMap((turn) => turn.parts).map(tokensOf)),
    prefixTokens,
    laterTurn: lastSpoken >= 0,
  };
}

/** Agents wrap what they tell the model beside the words of the user in a tag, such as `<system-reminder>` or `<environment_context>`. */
function isTagged(text: string): boolean {
  const trimmed = text.trim();
  const tag = /^<([a-z][\w-]{2,40})>/i.exec(trimmed)?.[1];
  return tag !== undefined && trimmed.endsWith(`</${tag}>`);
}

/** Whether any part of the request asks for caching. */
export function hasCacheMark({ cache, turns, instructions, tools }: CanonicalRequest): boolean {
  const nodes = [...tools, ...[...instructions, ...turns].flatMap(({ parts }): readonly Part[] => parts)];
  return cache?.auto === true || nodes.some((node) => node.cache !== undefined);
}

function outcomeOf(part: ResultPart, names: ReadonlyMap<string, string>): View['results'][number] {
  const name = part.name ?? names.get(part.callId) ?? part.callId;
  return { name, text: resultText(part), isError: part.isError === true };
}

function resultText({ json, parts }: ResultPart): string {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return (json === undefined ? texts : [JSON.stringify(json), ...texts]).join('\n');
}

function mediaIn(part: Part): string[] {
  if (part.kind === 'result') return part.parts.flatMap(mediaIn);
  if (part.kind === 'textdoc') return ['text/plain'];
  if (part.kind !== 'media') return [];
  const { from } = part.data;
  return [part.mime ?? `${part.class} by ${from === 'file' ? 'file id' : 'URL'}`];
}

const TOKENS_PER_MEDIUM = 250;

function tokensOf(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return countTokens(part.text);
    case 'reasoning':
      return countTokens(part.text.join(' '));
    case 'call':
      return 1 + countTokens(part.freeform ?? part.args.text ?? JSON.stringify(part.args.value ?? {}, null, 1));
    case 'result':
      return 1 + countTokens(resultText(part)) + part.parts.flatMap(mediaIn).length * TOKENS_PER_MEDIUM;
    case 'textdoc':
    case 'searchResult':
      return sum(part.parts.map(tokensOf));
    case 'media':
      return TOKENS_PER_MEDIUM;
    default:
      return 0;
  }
}

function toolTokens({ src: _src, ext: _ext, ...tool }: Tool): number {
  return countTokens(JSON.stringify(tool));
}

/** The sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
