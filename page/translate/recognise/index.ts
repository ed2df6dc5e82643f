import { detect, type Kind } from '../detect.js';
import type { DialectId } from '../library.js';
import { type Call, NO_HEADERS } from './call.js';
import { clientByBody, clientOf } from './clients.js';
import { isCurl } from './is-curl.js';
import type { Recorded } from './recorded.js';
import { sentenceOf } from './sentence.js';

/** What a body was taken out of. */
export type Wrapping = 'curl' | 'program' | 'object' | 'har' | 'batch' | 'record';

/** What a pasted text is. */
export interface Recognised {
  /** What is translated: the text itself, or the body that was taken out of it. */
  readonly body: string;
  readonly kind?: Kind;
  readonly dialect?: DialectId;
  /** The model and the choice of a stream, where the URL says so and not the body. */
  readonly model?: string;
  readonly stream?: boolean;
  /** Of an error. */
  readonly status?: number;
  /** Feature names of the headers. */
  readonly betas: readonly string[];
  /** Who sent it, in a word for people. */
  readonly client?: string;
  /** Absent = the text is the body itself. */
  readonly wrapping?: Wrapping;
  /** How many calls the text holds, of which the first conversation is the body; absent = it is one. */
  readonly entries?: number;
  /** What the client got, where that stands there too. */
  readonly answer?: Recorded['answer'];
  /** All of it in words: `a messages request, model claude-opus-4-5, sent by Claude Code`. '' = nothing is known of it. */
  readonly said: string;
  /** Why there is no body, in a sentence. */
  readonly problem?: string;
}

/** Tells what a text is that somebody pasted or dropped, and takes the body out of what is around it. */
export async function recognise(text: string): Promise<Recognised> {
  if (isCurl(text)) return ofCurl(text);
  const value = parsed(text);
  if (value === undefined || isRecorded(value)) {
    const found = await ofRecorded(text, value);
    if (found !== undefined) return found;
  }
  const found = detect(text);
  if (value === undefined && found.kind === undefined) return ofProgram(text);
  return told({ body: text, betas: [], ...found, client: clientByBody(value), stream: undefined }, value);
}

async function ofCurl(text: string): Promise<Recognised> {
  const { readCurl } = await import('./curl.js');
  const call = readCurl(text);
  if (call === undefined) return without(text, 'curl', 'A quote in this curl command is not closed.');
  if (call.text.startsWith('@'))
    return without(text, 'curl', `This curl command sends the file ${call.text.slice(1)}: paste what is in that file.`);
  if (!/^\s*[[{]/.test(call.text))
    return without(
      text,
      'curl',
      'This curl command has no JSON in it: paste one with -d and the body, or the body alone.',
    );
  return ofCall(call, 'curl');
}

async function ofProgram(text: string): Promise<Recognised> {
  const { readObject, readProgram } = await import('./code.js');
  const program = readProgram(text);
  if (program === undefined) {
    // A comma too many is a fault of JSON, which is told at its place.
    const isJson = parsed(text.replace(/,(\s*[}\]])/g, '$1')) !== undefined;
    const object = /^\s*\{/.test(text) && !isJson ? readObject(text) : undefined;
    if (object === undefined) return { body: text, betas: [], said: '' };
    return ofCall({ text: JSON.stringify(object, null, 2), headers: NO_HEADERS }, 'object');
  }
  if ('fault' in program) {
    const { by, fault } = program;
    return without(
      text,
      'program',
      `A call of ${by} with something at line ${fault} that is no plain data: paste the body that it sends.`,
    );
  }
  return ofCall(program.call, 'program', {}, program.by);
}

async function ofRecorded(text: string, value: unknown): Promise<Recognised | undefined> {
  const { readLines, readRecorded } = await import('./recorded.js');
  const traffic = value === undefined ? readLines(text) : readRecorded(value);
  if (traffic === undefined) return undefined;
  const { first, entries } = traffic;
  if (first === undefined)
    return without(
      text,
      'record',
      entries === 1 ? 'This entry calls no model.' : `None of these ${entries} entries calls a model.`,
    );
  return ofCall(first, first.kind, { ...(entries > 1 && { entries }), ...(first.answer && { answer: first.answer }) });
}

function ofCall(
  { text, headers, dialect, model, stream }: Call,
  wrapping: Wrapping,
  more: Pick<Recognised, 'entries' | 'answer'> = {},
  by?: string,
): Recognised {
  const value = parsed(text);
  const found = detect(text);
  const client = clientOf(headers.get('user-agent') ?? '') ?? clientByBody(value) ?? by;
  return told(
    {
      body: text,
      ...found,
      ...(dialect !== undefined && { kind: 'request', dialect }),
      ...(model !== undefined && { model }),
      ...(stream !== undefined && { stream }),
      betas: wordsIn(headers.get('anthropic-beta')),
      wrapping,
      ...more,
      client,
    },
    value,
  );
}

function told({ client, model, ...rest }: Omit<Recognised, 'said'>, value: unknown): Recognised {
  const known = { ...rest, ...(model !== undefined && { model }), ...(client !== undefined && { client }) };
  const named = model ?? (rest.kind === 'request' || rest.kind === 'response' ? modelIn(value) : undefined);
  return { ...known, said: sentenceOf({ ...known, model: named }) };
}

function without(text: string, wrapping: Wrapping, problem: string): Recognised {
  return { body: text, betas: [], wrapping, said: '', problem };
}

function modelIn(value: unknown): string | undefined {
  const { model } = Object(value) as { readonly model?: unknown };
  return typeof model === 'string' && model !== '' ? model : undefined;
}

function wordsIn(header = ''): readonly string[] {
  return header.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
}

/** Whether a JSON value may hold calls: the readers of these come with a file of their own. */
function isRecorded(value: unknown): boolean {
  const names = Object.keys(Object(value));
  return ['log', 'requests', 'request', 'params', 'body', 'custom_id'].some((name) => names.includes(name));
}

/** The value of a JSON text; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
