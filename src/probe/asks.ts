import type { JsonObject } from '../../translators/index.js';

/** Made-up texts: nothing of anybody is sent. */
export const PROMPTS = {
  /** Answered with more tokens than may come. */
  long: 'Count from one to fifty in words, separated by commas.',
  /** Nothing that a tool would be good for. */
  greeting: 'Say hello.',
  /** Asks for a tool, if there is one. */
  needy: 'What time is it? Call the tool.',
  picture: 'Which colour is this picture?',
  document: 'Which fruit does the document name?',
} as const;

/** Two functions without arguments, so that a call is a few tokens. The second is the one that no prompt speaks of. */
export const TOOLS = ['time', 'date'] as const;
export type ToolName = (typeof TOOLS)[number];

/** A schema that a text without it does not fit by chance. */
export const SCHEMA: JsonObject = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

/** Whether a text fits {@link SCHEMA}, or begins as one that does where it was cut. */
export function fitsSchema(text: string, isCut: boolean): boolean {
  const bare = text.trim();
  try {
    const value: unknown = JSON.parse(bare);
    return typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';
  } catch {
    return isCut && /^\{\s*(?:"(?:o(?:k(?:"(?:\s*(?::.*)?)?)?)?)?)?$/s.test(bare);
  }
}

/** The most tokens that are asked for. */
export const CAP = 16;

export type Choice = 'auto' | 'required' | 'none' | { readonly only: ToolName } | { readonly among: ToolName };

/** A request in no dialect. */
export interface Ask {
  readonly prompt: string;
  /** {@link CAP} unless given. */
  readonly cap?: number;
  readonly stream?: true;
  readonly tools?: true;
  readonly choice?: Choice;
  readonly schema?: true;
  readonly picture?: true;
  readonly document?: true;
  /** `results`: the result of a call in parts ends the conversation; `plainResults`: the same as one text; `begun`: an answer that was begun. */
  readonly history?: 'results' | 'plainResults' | 'begun';
}

/** A member that a request may have besides, by which row it is judged, and the names by which a refusal identifies it. */
export interface Extra {
  readonly body: JsonObject;
  readonly names: readonly string[];
}

/** The beginning of an answer, and what goes on with it. */
export const BEGUN = 'one, two, three, four,';
export const GOES_ON = /^\s*five\b/i;

/** The words of the document, enough for a count of tokens to show that they were read. */
export const DOCUMENT = `The fruit is the plum. ${'A plum is a fruit of the genus Prunus. '.repeat(12)}`.trim();

/** A red square of 336 by 336 pixels. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAVAAAAFQCAMAAADeNtbrAAAAA1BMVEX/AAAZ4gk3AAAAhElEQVR42u3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD8G7pfAAEaCtzHAAAAAElFTkSuQmCC';
