import type { CanonicalRequest, Part, Tool } from '../../translators/index.js';
import { clientGone } from '../ground/plain/index.js';

/** Tokens that are assumed for media, by class: what services count for one of ordinary size. */
const MEDIA = { image: 1000, audio: 1500, video: 5000, document: 3000, file: 1500 } as const;

/** Tokens that services add around a turn, and around the declaration of a tool. */
const PER_TURN = 4;
const PER_TOOL = 8;

/** Longest text in UTF-16 units that is counted in one go, and for how many ms before others get their turn. */
const SLICE = 4096;
const TURN_MS = 5;

/** Of longer texts, in UTF-16 units, slices of this length together are counted, and extrapolated to the whole. */
export const SAMPLED = 1024 * 1024;

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** The counter with the o200k vocabulary, which is loaded when something is to be counted for the first time. */
export async function vocabularyCount(): Promise<CountTokens> {
  return (await import('./vocabulary.js')).countTokens;
}

/**
 * About how many tokens a request has, by a counter of its texts and fixed sums for media; never a plain count of
 * characters (translation.md 8). Of its text `most` UTF-16 units are counted.
 */
export type Estimate = (request: CanonicalRequest, most?: number) => Promise<number>;

/**
 * Estimates for a call, between which others get their turn. They reject with Failure when nobody waits for them any more. `counter`
 * gives what counts.
 */
export function createEstimate(
  call: { readonly gone?: boolean },
  counter: () => CountTokens | Promise<CountTokens>,
): Estimate {
  let since = performance.now();
  const giveTurn = async (): Promise<void> => {
    await breathe();
    if (call.gone) throw clientGone();
    since = performance.now();
  };
  return async (request, most = SAMPLED) => {
    const countTokens = await counter();
    const { tokens, texts } = find(request);
    const text = texts.join('\n');
    let counted = 0;
    let length = 0;
    for (const slice of slices(text, most)) {
      for (const piece of pieces(slice)) {
        if (performance.now() - since >= TURN_MS) await giveTurn();
        counted += countTokens(piece);
      }
      length += slice.length;
    }
    return tokens + (length === text.length ? counted : Math.round((counted * text.length) / length));
  };
}

/** Lets whatever else is due have its turn. */
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** What of a request is counted. */
function find(request: CanonicalRequest): Found {
  const found: Found = { texts: [], tokens: PER_TURN * request.turns.length + PER_TOOL * request.tools.length };
  for (const { parts } of request.instructions) for (const part of parts) addPart(part, found);
  for (const { parts } of request.turns) for (const part of parts) addPart(part, found);
  for (const tool of request.tools) addTool(tool, found);
  addJson(request.output?.schema, found);
  return found;
}

/** A text in slices: all of it, or as many as make up `most`, at even distances. */
function* slices(text: string, most: number): Generator<string> {
  const length = Math.min(SLICE, most);
  const all = Math.ceil(text.length / length);
  const taken = text.length <= most ? all : Math.floor(most / length);
  for (let index = 0; index < taken; index += 1) {
    const at = taken === all ? index * length : Math.floor((index * text.length) / taken);
    yield text.slice(at, at + length);
  }
}

/** The vocabulary's merging is quadratic in the length of a word: what has no words is cut into pieces. */
function pieces(slice: string): readonly string[] {
  return LONG_WORD.test(slice) ? (slice.match(PIECE) ?? []) : [slice];
}

const LONG_WORD = /\S{256}|\s{256}/;
const PIECE = /[\s\S]{1,256}/g;

interface Found {
  readonly texts: string[];
  tokens: number;
}

function addPart(part: Part, found: Found): void {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      found.texts.push(part.text);
      return;
    case 'media':
      found.tokens += MEDIA[part.class];
      return;
    case 'textdoc':
      found.texts.push(part.title ?? '', part.context ?? '');
      for (const inner of part.parts) addPart(inner, found);
      return;
    case 'searchResult':
      found.texts.push(part.title, part.source);
      for (const inner of part.parts) addPart(inner, found);
      return;
    case 'call':
      found.texts.push(part.name, part.freeform ?? part.args.text ?? '');
      if (part.args.text === undefined) addJson(part.args.value, found);
      return;
    case 'result':
      addJson(part.json, found);
      for (const inner of part.parts) addPart(inner, found);
      return;
    case 'hostedCall':
      addJson(part.input, found);
      return;
    case 'hostedResult':
      addJson(part.output, found);
      return;
    case 'reasoning':
      found.texts.push(...(part.raw ?? part.text));
      return;
    case 'compaction':
      found.texts.push(part.summary ?? '');
      return;
    case 'approval':
      addJson(part.fields, found);
      return;
    case 'toolChange':
      for (const tool of part.added) addTool(tool, found);
      return;
    case 'opaque':
      addJson(part.raw, found);
      return;
    case 'ref':
    case 'handover':
      return;
  }
}

function addTool(tool: Tool, found: Found): void {
  switch (tool.kind) {
    case 'function':
      found.texts.push(tool.name, tool.description ?? '');
      addJson(tool.schema, found);
      return;
    case 'custom':
      found.texts.push(tool.name, tool.description ?? '', tool.grammar?.definition ?? '');
      return;
    case 'hosted':
    case 'client':
      found.texts.push(tool.type);
      return;
    case 'opaque':
      addJson(tool.raw, found);
      return;
  }
}

/** JSON as a model reads it, without encrypted content and bytes. */
function addJson(value: unknown, found: Found): void {
  if (value !== undefined) found.texts.push(JSON.stringify(value, (_key, child) => (isOpaque(child) ? '' : child)));
}

/** Long, and without a single space. */
function isOpaque(value: unknown): boolean {
  return typeof value === 'string' && value.length > 512 && !/\s/.test(value);
}
