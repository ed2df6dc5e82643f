import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  type DialectId,
  dialectIds,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent, isCreate, type Recorded, recordedExchanges } from '../support/corpus.js';
import { MODELS } from '../support/support-table/index.js';

/*
 * Every recorded exchange, translated towards both other dialects, is written out as a literal under the official
 * client's types, and the compiler checks it.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * What a generated file ends with: the types of a request and of an answer of the dialect. Where they are wider than the
 * client's, the reason stands there.
 */
const TYPES: Record<DialectId, string> = {
  messages: `
import type * as M from '@anthropic-ai/sdk/resources/beta/messages/messages';
// Models of the generation that is asked take these; the newest protocol version types them no more.
type Sampling = { temperature?: number; top_p?: number; top_k?: number };
type Request = M.MessageCreateParams & Sampling;
// The service itself leaves out what the client types as null.
type Lax<T> = T extends readonly (infer I)[] ? Lax<I>[] : T extends object
  ? { [K in keyof T as null extends T[K] ? never : K]: Lax<T[K]> } & { [K in keyof T as null extends T[K] ? K : never]?: Lax<T[K]> }
  : T;
// Pictures in answers are an extension of the dialect (translation.md 5.1).
type Block = Lax<M.BetaContentBlock> | M.BetaImageBlockParam;
type Answer = Omit<Lax<M.BetaMessage>, 'content'> & { content: Block[] };
`,
  responses: `
import type * as R from 'openai/resources/responses/responses';
// Items of the model are sent without the id that they had, so that no rule about neighbours applies to them.
type Item = R.ResponseInputItem | Omit<R.ResponseOutputMessage, 'id'> | Omit<R.ResponseReasoningItem, 'id'>;
type Request = Omit<R.ResponseCreateParams, 'input'> & { input?: string | Item[] };
// The service echoes every field of the request [R §4.1], also these, and as null what was not given.
type Echo = { store: boolean; user: string | null; frequency_penalty: number; presence_penalty: number };
type Answer = Omit<R.Response, 'output_text' | 'user'> & Partial<Echo>;
`,
  generateContent: `
import type * as G from '@google/genai';
// Enums of this client are strings on the wire.
type Wire<T> = T extends string ? string : T extends readonly (infer I)[] ? Wire<I>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
type Top = Pick<G.GenerateContentConfig, 'toolConfig' | 'safetySettings' | 'cachedContent' | 'serviceTier' | 'labels'>;
type Config = G.GenerationConfig & Pick<G.GenerateContentConfig, 'imageConfig'>;
type Request = Wire<Top & { contents: G.Content[]; systemInstruction?: G.Content; tools?: G.Tool[]; generationConfig?: Config }>;
type Answer = Wire<Pick<G.GenerateContentResponse, 'candidates' | 'usageMetadata' | 'modelVersion' | 'responseId' | 'promptFeedback'>>;
`,
};

const PAIRS = dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const));

/** Long texts say nothing about the form. */
function literal(value: unknown): string {
  return JSON.stringify(value, (_key, child) =>
    typeof child === 'string' && child.length > 100 ? `${child.slice(0, 20)}...` : child,
  );
}

interface Line {
  readonly name: string;
  readonly code: string;
}

function linesOf(from: DialectId, to: DialectId): Line[] {
  const lines: Line[] = [];
  recordedExchanges(from).forEach((recorded, index) => {
    if (!isCreate(recorded) || recorded.status !== 200) return;
    for (const kind of ['Request', 'Answer'] as const) {
      const body = translated(from, to, kind, recorded);
      if (body === undefined) continue;
      const name = `${recorded.name} ${kind}`;
      lines.push({ name, code: `export const ${kind.toLowerCase()}${index}: ${kind} = ${literal(body)};` });
    }
  });
  return lines;
}

/** The first request and answer with a field that nobody knows: that the compiler refuses these shows that it looks. */
function controlsOf(lines: readonly Line[]): Line[] {
  return ['Request', 'Answer'].map((kind) => {
    const sound = lines.find(({ name }) => name.endsWith(kind))?.code ?? '';
    const code = sound.replace(/const \w+/, `const control${kind}`).replace('= {', '= {"nobodyKnows":1,');
    return { name: `control ${kind}`, code };
  });
}

function translated(from: DialectId, to: DialectId, kind: 'Request' | 'Answer', recorded: Recorded): unknown {
  const body = kind === 'Request' ? recorded.request : recorded.response;
  if (body === undefined || Array.isArray(body)) return undefined;
  try {
    return kind === 'Request'
      ? translateRequest({ from, to, body, model: MODELS[to], stream: false }).body
      : translateResponse({ from, to, body, now: 1_700_000_000 }).body;
  } catch (error) {
    // Which ones are refused is the matter of test/laws/recorded-exchanges.test.ts.
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

const folder = corpusPresent ? mkdtempSync(join(root, '.recorded-')) : '';
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true });
});

/** Compiles the literals; gives what the compiler says of each, under the name of the recording. */
function complaints(): string[] {
  const files = new Map<string, readonly Line[]>();
  for (const [from, to] of PAIRS) {
    const sound = linesOf(from, to);
    const lines = [...sound, ...controlsOf(sound)];
    files.set(`${from}-${to}.ts`, lines);
    // Literals come first, so that a line's number is that of its recording.
    writeFileSync(join(folder, `${from}-${to}.ts`), `${lines.map(({ code }) => code).join('\n')}\n${TYPES[to]}\n`);
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '.', types: [] },
      include: ['*.ts'],
    }),
  );
  return compile().flatMap((line) => {
    const [, file = '', number = '', text = ''] = /^(?:.*[/\\])?([\w-]+\.ts)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
    const { name } = files.get(file)?.[Number(number) - 1] ?? { name: `line ${number}` };
    return [`${file} ${name}: ${text}`];
  });
}

function compile(): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder]);
    return [];
  } catch (error) {
    const said = String((error as { stdout?: unknown }).stdout ?? '');
    if (!said.includes('error TS')) throw error;
    // What is indented belongs to the line above.
    return said
      .replace(/\n\s+/g, ' ')
      .split('\n')
      .filter((line) => line !== '');
  }
}

(corpusPresent ? describe : describe.skip)(`recorded exchanges ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test('are values of the official types of both other dialects', () => {
    const found = complaints();
    expect(found.filter((text) => !/ control (?:Request|Answer): /.test(text))).toEqual([]);
    expect(found.filter((text) => text.includes('nobodyKnows'))).toHaveLength(PAIRS.length * 2);
  }, 120_000);
});
