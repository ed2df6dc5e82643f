import type { Kind } from './detect.js';
import { type Frame, framesOf } from './frames.js';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  type JsonObject,
  jsonFault,
  type Loss,
  serviceRefusal,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from './library.js';

/** What stands in the page to be translated. */
export interface Source {
  readonly text: string;
  readonly dialect: DialectId;
  readonly kind: Kind;
  readonly strict: boolean;
  /** Of an error. */
  readonly status: number;
  /** Of a request, the model that its URL names. */
  readonly model?: string;
  /** Of a request, the model that each other dialect is asked for; absent = the same as it asks. */
  readonly models: Readonly<Partial<Record<DialectId, string>>>;
  /** Unix seconds that answers without a time are given. */
  readonly now: number;
}

/** Why there is no translation. */
export interface Refusal {
  /** JSON Pointer to the fault in the source; '' = the whole. */
  readonly path: string;
  readonly message: string;
}

/** A source in one of the other dialects. */
export interface Translation {
  readonly dialect: DialectId;
  readonly losses: readonly Loss[];
  readonly refusal?: Refusal;
  /** Why the service of the dialect refuses the translation, in its own words. */
  readonly refusedThere?: string;
  /** What goes with the body: the status of an error, what is in the URL. */
  readonly notes: readonly string[];
  /** The text as the command line prints it. */
  readonly text: string;
  /** Of bodies, the value of the text. */
  readonly value?: unknown;
  /** Of streams, what each event brought, and last what the end of the stream did. */
  readonly steps?: readonly Step[];
}

/** What one event of a stream brought. */
export interface Step {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** A source with all that was made of it. */
export interface Work {
  readonly source: Source;
  /** Of streams. */
  readonly frames: readonly Frame[];
  /** Of bodies. */
  readonly value?: unknown;
  /** Why nothing could be read. */
  readonly problem?: string;
  readonly translations: readonly Translation[];
}

/** Translates a source into every other dialect. Never throws: what is refused says so in its place. */
export function translateAll(source: Source): Work {
  const targets = dialectIds.filter((id) => id !== source.dialect);
  if (source.kind === 'stream') {
    const frames = framesOf(source.text);
    return { source, frames, translations: targets.map((to) => streamed(source, frames, to)) };
  }
  try {
    const value: unknown = JSON.parse(source.text);
    return { source, frames: [], value, translations: targets.map((to) => bodyOf(source, value, to)) };
  } catch (error) {
    return { source, frames: [], problem: jsonProblem(source.text) ?? messageOf(error), translations: [] };
  }
}

/** Where a text stops being JSON, in words; undefined where it is JSON. */
export function jsonProblem(text: string): string | undefined {
  const fault = jsonFault(text);
  if (fault === undefined) return undefined;
  const { line, column } = fault;
  const rest = text
    .split('\n')
    .slice(line - 1)
    .join('\n')
    .slice(column - 1);
  const [found = ''] = /^\S.{0,19}/.exec(rest) ?? [];
  const met = found === '' ? 'the text ends' : `it has ${found.trimEnd()}`;
  return `The text stops being JSON at line ${line}, column ${column}, where ${met}: a comma, quote or bracket is missing or too many before it.`;
}

/** A body in another dialect, with what was lost on the way. Throws TranslationError. */
export function translateBody(source: Source, body: unknown, to: DialectId) {
  const { dialect: from, kind, status, strict, now, models } = source;
  switch (kind) {
    case 'request': {
      const asked = models[to] ?? source.model;
      const sent = translateRequest({ from, to, body, strict, ...(asked !== undefined && { model: asked }) });
      const { body: value, losses, model, stream } = sent;
      return { value, losses, notes: inUrl(value, model, stream), refusedThere: refusedBy(to, sent) };
    }
    case 'error': {
      const { body: value, status: shown } = translateError({ from, to, status, body });
      return { value, losses: [], notes: [`status ${shown}`], refusedThere: undefined };
    }
    default: {
      const { body: value, losses } = translateResponse({ from, to, body, now });
      return { value, losses, notes: [], refusedThere: undefined };
    }
  }
}

/** What the service of the vendor refuses in a request. A model that nobody named is not missing here: it is chosen later. */
function refusedBy(
  to: DialectId,
  sent: { readonly body: JsonObject; readonly model: string; readonly betas: readonly string[] },
) {
  const named = sent.body.model === '' ? { ...sent.body, model: 'any' } : sent.body;
  const refused = serviceRefusal(to, { ...sent, body: named });
  if (refused === undefined) return undefined;
  return refused.path === '' ? refused.message : `${refused.path}: ${refused.message}`;
}

/** What a request says beside its body. */
function inUrl(body: object, model: string, stream: boolean): string[] {
  if ('model' in body) return [];
  return [...(model === '' ? [] : [`model ${model} in the URL`]), ...(stream ? ['streamed, by the URL'] : [])];
}

function bodyOf(source: Source, body: unknown, dialect: DialectId): Translation {
  try {
    const { value, losses, notes, refusedThere } = translateBody(source, body, dialect);
    const text = `${JSON.stringify(value, null, 2)}\n`;
    return { dialect, losses, notes, text, value, ...(refusedThere !== undefined && { refusedThere }) };
  } catch (error) {
    return { dialect, losses: lossesOf(error), notes: [], text: '', refusal: refusalOf(error) };
  }
}

function streamed({ text, dialect: from, now }: Source, frames: readonly Frame[], to: DialectId): Translation {
  const steps: Step[] = [];
  let told = 0;
  try {
    const translator = createStreamTranslator({ from, to, now });
    const step = (output: string): void => {
      steps.push({ text: output, losses: translator.losses.slice(told) });
      told = translator.losses.length;
    };
    for (const { start, end } of frames) step(translator.push(text.slice(start, end)));
    step(translator.end());
  } catch (error) {
    return { dialect: to, losses: lossesOf(error), notes: [], text: '', refusal: refusalOf(error) };
  }
  const whole = steps.map((step) => step.text).join('');
  return { dialect: to, losses: steps.flatMap(({ losses }) => losses), notes: [], text: whole, steps };
}

function lossesOf(error: unknown): readonly Loss[] {
  if (!(error instanceof TranslationError)) return [];
  return error.refused.length > 0 ? error.refused : error.losses;
}

function refusalOf(error: unknown): Refusal {
  return { path: error instanceof TranslationError ? error.path : '', message: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be translated';
}
