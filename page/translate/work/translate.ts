import { type Frame, framesOf } from '../frames.js';
import type { Kind } from '../kinds.js';
import {
  atHost,
  createStreamTranslator,
  type DialectId,
  HostError,
  type JsonObject,
  type Loss,
  refusedLosses,
  refuseLosses,
  serviceRefusal,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../library.js';
import { betaLosses } from '../recognise/betas.js';
import type { Target } from '../targets/target.js';
import type { BesideBody, Refusal, Verdict } from './messages.js';

/** What stands in the page to be translated. */
export interface Source {
  readonly text: string;
  readonly dialect: DialectId;
  readonly kind: Kind;
  readonly strict: boolean;
  /** Features that strict lets go. */
  readonly allow: readonly string[];
  /** Of an error. */
  readonly status: number;
  /** Of a request, the model that its URL names. */
  readonly model?: string;
  /** Of a request, the feature names in a header of its client. */
  readonly betas: readonly string[];
  /** Unix seconds that answers without a time are given. */
  readonly now: number;
}

/** A source that was read. */
export interface Given {
  readonly source: Source;
  /** Of bodies. */
  readonly value?: unknown;
  /** Of streams. */
  readonly frames: readonly Frame[];
}

/** What one event of a stream brought. */
export interface Step {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** What became of a source at a target. */
export interface Translation {
  readonly target: Target;
  readonly losses: readonly Loss[];
  readonly verdict: Verdict;
  /** Of bodies; undefined = it is refused on the way. */
  readonly value?: unknown;
  /** Of requests that go. */
  readonly request?: BesideBody;
  /** Of streams, what each event brought, and last what the end of the stream did. */
  readonly steps?: readonly Step[];
}

/** A source with what its text holds: of a body its `value`. */
export function give(source: Source, value: unknown): Given {
  return source.kind === 'stream' ? { source, frames: framesOf(source.text) } : { source, value, frames: [] };
}

/** Translates a source for a target. Never throws: what is refused says so in its place. */
export function translateTo(given: Given, target: Target): Translation {
  try {
    if (given.source.kind === 'stream') return streamed(given, target);
    const { value, losses, notes, refusal, request } = translateBody(given.source, given.value, target);
    return {
      target,
      losses,
      value,
      request,
      verdict: verdictOf(losses, notes, strictRefusal(given.source, losses) ?? refusal),
    };
  } catch (error) {
    const losses = error instanceof TranslationError ? error.losses : [];
    return { target, losses, verdict: verdictOf(losses, [], refusalOf(error)) };
  }
}

/** The text of a translation, as the command line prints it. */
export function textOf({ value, steps }: Translation): string {
  if (steps !== undefined) return steps.map(({ text }) => text).join('');
  return value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`;
}

/** A body at a target, with what was lost on the way. Throws TranslationError and HostError. */
export function translateBody({ dialect: from, kind, ...source }: Source, body: unknown, target: Target) {
  const { dialect: to } = target;
  switch (kind) {
    case 'request':
      return requestAt({ dialect: from, kind, ...source }, body, target);
    case 'error': {
      const { body: value, status: shown } = translateError({ from, to, status: source.status, body });
      return { value, losses: [], notes: [`status ${shown}`], refusal: undefined, request: undefined };
    }
    default: {
      const { body: value, losses } = translateResponse({ from, to, body, now: source.now });
      return { value, losses, notes: [], refusal: undefined, request: undefined };
    }
  }
}

/** What strict says of losses. */
function strictRefusal({ strict, allow, kind }: Source, losses: readonly Loss[]): Refusal | undefined {
  if (!strict || kind !== 'request') return undefined;
  try {
    refuseLosses(losses, allow);
    return undefined;
  } catch (error) {
    return { by: 'strict', path: '', message: messageOf(error) };
  }
}

function requestAt({ dialect: from, model: inUrl, betas }: Source, body: unknown, target: Target) {
  const { dialect: to, host } = target;
  const { profile, checks, cloud } = atHost(to, host === '' ? undefined : host, undefined);
  const model = target.model === '' ? inUrl : target.model;
  const sent = translateRequest({
    from,
    to,
    body,
    ...(profile !== undefined && { profile }),
    ...(model !== undefined && { model }),
  });
  // A model that nobody named is not missing here: it is chosen later.
  const named = sent.body.model === '' ? { ...sent.body, model: 'any' } : sent.body;
  const refused = checks ? serviceRefusal(to, { ...sent, body: named, cloud }) : undefined;
  const refusal: Refusal | undefined = refused && { by: 'service', path: refused.path, message: refused.message };
  const request: BesideBody = { model: sent.model, stream: sent.stream, betas: sent.betas };
  const losses = from === to ? sent.losses : [...sent.losses, ...betaLosses(from, betas, body)];
  return { value: sent.body, losses, notes: besideBody(sent.body, sent.model, sent.stream), refusal, request };
}

/** What a request says beside its body. */
function besideBody(body: JsonObject, model: string, stream: boolean): string[] {
  if ('model' in body) return [];
  return [...(model === '' ? [] : [`model ${model} in the URL`]), ...(stream ? ['streamed, by the URL'] : [])];
}

function streamed({ source: { text, dialect: from, now }, frames }: Given, target: Target): Translation {
  const steps: Step[] = [];
  let told = 0;
  const translator = createStreamTranslator({ from, to: target.dialect, now });
  const step = (output: string): void => {
    steps.push({ text: output, losses: translator.losses.slice(told) });
    told = translator.losses.length;
  };
  for (const { start, end } of frames) step(translator.push(text.slice(start, end)));
  step(translator.end());
  const losses = steps.flatMap((one) => one.losses);
  return { target, losses, steps, verdict: verdictOf(losses, [], undefined) };
}

function verdictOf(losses: readonly Loss[], notes: readonly string[], refusal: Refusal | undefined): Verdict {
  const serious = refusedLosses(losses).length;
  const state = refusal !== undefined ? 'refused' : losses.length === 0 ? 'unchanged' : 'lossy';
  return { state, serious, small: losses.length - serious, notes, ...(refusal !== undefined && { refusal }) };
}

function refusalOf(error: unknown): Refusal {
  const message = messageOf(error);
  if (error instanceof HostError) return { by: 'target', path: '', message };
  return { by: 'translation', path: error instanceof TranslationError ? error.path : '', message };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be translated';
}
