import { describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds, TranslationError, translateRequest } from '../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent, isCreate, type Recorded, recordedExchanges } from '../support/corpus.js';
import { MODELS } from '../support/support-table/index.js';
import { complaintsAbout, type Literal, type Literals } from './literals.js';

/*
 * Every recorded request, translated towards both other dialects, is written out as a literal under the official
 * client's types, and the compiler checks it.
 */

/** The type of a request of each dialect. Where it is wider than the client's, the reason stands there. */
const TYPES: Record<DialectId, string> = {
  messages: `
import type * as M from '@anthropic-ai/sdk/resources/beta/messages/messages';
// Models of the generation that is asked take these; the newest protocol version types them no more.
type Sampling = { temperature?: number; top_p?: number; top_k?: number };
type Request = M.MessageCreateParams & Sampling;
`,
  responses: `
import type * as R from 'openai/resources/responses/responses';
// Items of the model are sent without the id that they had, so that no rule about neighbours applies to them.
type Item = R.ResponseInputItem | Omit<R.ResponseOutputMessage, 'id'> | Omit<R.ResponseReasoningItem, 'id'>;
type Request = Omit<R.ResponseCreateParams, 'input'> & { input?: string | Item[] };
`,
  generateContent: `
import type * as G from '@google/genai';
// Enums of this client are strings on the wire.
type Wire<T> = T extends string ? string : T extends readonly (infer I)[] ? Wire<I>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
type Top = Pick<G.GenerateContentConfig, 'toolConfig' | 'safetySettings' | 'cachedContent' | 'serviceTier' | 'labels'>;
type Config = G.GenerationConfig & Pick<G.GenerateContentConfig, 'imageConfig'>;
type Request = Wire<Top & { contents: G.Content[]; systemInstruction?: G.Content; tools?: G.Tool[]; generationConfig?: Config }>;
`,
};

const PAIRS = dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const));

function literalsOf(from: DialectId, to: DialectId): Literals {
  const values = recordedExchanges(from).flatMap((recorded): Literal[] => {
    if (!isCreate(recorded) || recorded.status !== 200) return [];
    const value = translated(from, to, recorded);
    return value === undefined ? [] : [{ name: recorded.name, type: 'Request', value }];
  });
  // That the compiler refuses a field that nobody knows shows that it looks.
  const control = { name: 'control', type: 'Request', value: { ...Object(values[0]?.value), nobodyKnows: 1 } };
  return { values: [...values, control], types: TYPES[to] };
}

function translated(from: DialectId, to: DialectId, { request }: Recorded): unknown {
  if (request === undefined || Array.isArray(request)) return undefined;
  try {
    return translateRequest({ from, to, body: request, model: MODELS[to], stream: false }).body;
  } catch (error) {
    // Which ones are refused is the matter of test/laws/recorded-exchanges.test.ts.
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

(corpusPresent ? describe : describe.skip)(`recorded requests ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test('are values of the official types of both other dialects', () => {
    const found = complaintsAbout(
      Object.fromEntries(PAIRS.map(([from, to]) => [`${from}-${to}`, literalsOf(from, to)])),
    );
    expect(found.filter((text) => !text.includes(' control: '))).toEqual([]);
    expect(found.filter((text) => text.includes('nobodyKnows'))).toHaveLength(PAIRS.length);
  }, 120_000);
});
