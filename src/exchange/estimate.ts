import { setImmediate as breathe } from 'node:timers/promises';
import type { CanonicalRequest, Part, Tool } from '../../translators/index.js';

/** Tokens that are assumed for media, by class: what services count for one of ordinary size. */
const MEDIA = { image: 1000, audio: 1500, video: 5000, document: 3000, file: 1500 } as const;

/** Tokens that services add around a turn, and around the declaration of a tool. */
const PER_TURN = 4;
const PER_TOOL = 8;

/** Longest text in UTF-16 units that is counted in one go; others get their turn in between. */
const SLICE = 16_384;

/**
 * About how many tokens a request has, by the o200k vocabulary and fixed sums for media; never a plain count of
 * characters (translation.md 8).
 */
export async function estimateTokens(request: CanonicalRequest): Promise<number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const found: Found = { texts: [], tokens: PER_TURN * request.turns.length + PER_TOOL * request.tools.length };
  for (const { parts } of request.instructions) for (const part of parts) addPart(part, found);
  for (const { parts } of request.turns) for (const part of parts) addPart(part, found);
  for (const tool of request.tools) addTool(tool, found);
  addJson(request.output?.schema, found);
  const text = found.texts.join('\n');
  let total = found.tokens;
  for (let at = 0; at < text.length; at += SLICE) {
    if (at > 0) await breathe();
    for (const piece of pieces(text.slice(at, at + SLICE))) total += countTokens(piece, { disallowedSpecial: NONE });
  }
  return total;
}

const NONE = new Set<string>();

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
