import {
  type CanonicalError,
  type CanonicalRequest,
  type DialectId,
  dialects,
  type EncodedRequest,
  type HostLack,
  type Losses,
  type Profile,
  type ProfileChoice,
  type RefusalRule,
} from '../../translators/index.js';
import type { Lesson } from '../backend/index.js';
import type { BackendConfig, Target } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import type { Attempt } from './call-plan.js';
import { rejectedField, withoutField } from './rejected-field.js';
import { readSizes } from './size-refusals.js';

/** A lesson that one more call may mend. */
export interface Taught {
  readonly lesson: Lesson;
  /** It holds for later requests too. */
  readonly lasts: boolean;
}

/**
 * What a refusal teaches about the server, sizes first, then rules in their order, then the field that it names. `estimate`
 * gives the tokens of the request. A refusal that is not about the request, a time-out say, teaches nothing.
 */
export async function lessonsIn(
  dialect: DialectId,
  sent: EncodedRequest,
  error: CanonicalError,
  estimate: () => Promise<number>,
): Promise<readonly Taught[]> {
  if (error.kind !== 'invalid_request' && error.kind !== 'context_length') return [];
  const found: Taught[] = [];
  const { cap, window } = readSizes(error.message) ?? {};
  if (cap !== undefined) found.push({ lesson: { kind: 'cap', tokens: cap }, lasts: true });
  if (window !== undefined)
    found.push({ lesson: { kind: 'window', ...window, estimated: Math.max(1, await estimate()) }, lasts: true });
  for (const { flags } of rulesFor(dialect, error)) {
    if (flags !== undefined) found.push({ lesson: { kind: 'flags', flags }, lasts: true });
  }
  const field = rejectedField(dialect, sent.body, error);
  const words = wordsOf(error);
  // That one value is refused says nothing about the others.
  const lasts = UNKNOWN.some((said) => words.includes(said));
  if (field !== undefined) found.push({ lesson: { kind: 'field', field }, lasts });
  return found;
}

function wordsOf({ path = '', code = '', message }: CanonicalError): string {
  return `${path} ${code} ${message}`.toLowerCase();
}

/** The rules that a refusal fits. */
function rulesFor(dialect: DialectId, error: CanonicalError): readonly RefusalRule[] {
  const words = wordsOf(error);
  return dialects[dialect].requestFields.refusals.filter((rule) => rule.words.every((word) => words.includes(word)));
}

/**
 * What a host may lack that refused a body of its own dialect, by each rule in its order. The vendor's own service lacks
 * nothing.
 */
export function lacksIn(
  { dialect, preset, simulator }: BackendConfig,
  error: CanonicalError,
): readonly (readonly HostLack[])[] {
  const isVendor = simulator || preset?.name === gatewayDialect(dialect).service.preset;
  if (isVendor || error.kind !== 'invalid_request') return [];
  return rulesFor(dialect, error).flatMap(({ lacks }) => (lacks === undefined ? [] : [lacks]));
}

/** What the host of an attempt is known to lack of its dialect: by its preset, and by what it refused. */
export function lacksOf({ backend, target, taught = [] }: Attempt): readonly HostLack[] {
  const lessons = backend.lessons.of(target.model);
  const { lacks } = backend.config;
  // As nearly always.
  if (lessons.length + taught.length === 0) return lacks;
  const learned = learnedLacks(lessons);
  return learned.length + taught.length === 0 ? lacks : [...new Set([...lacks, ...learned, ...taught])];
}

/** The profile of the target of an attempt, with all that its host is known to lack. */
export function hostProfile(attempt: Attempt): Profile {
  const { backend, target, taught = [] } = attempt;
  // What its preset says is part of the configuration.
  if (backend.lessons.of(target.model).length + taught.length === 0) return configuredProfile(target);
  return taughtProfile(attempt.target, [{ kind: 'lacks', lacks: lacksOf(attempt) }], undefined);
}

function learnedLacks(lessons: readonly Lesson[]): readonly HostLack[] {
  return lessons.flatMap((lesson) => (lesson.kind === 'lacks' ? lesson.lacks : []));
}

/** How services say that they do not know a field at all, in lower case. */
const UNKNOWN = [
  'unsupported parameter',
  'unsupported_parameter',
  'not supported',
  'does not support',
  'extra inputs are not permitted',
  'extra_forbidden',
  'unknown',
  'unrecognized',
  'deprecated',
];

/**
 * The profile of a target with what its server taught, and with the cap that is left for a request of which so many tokens
 * are estimated. The operator's own flags win over those that were taught ([H §10.3]).
 */
export function taughtProfile(target: Target, lessons: readonly Lesson[], estimated: number | undefined): Profile {
  if (lessons.length === 0) return configuredProfile(target);
  const { backend, model, profile: choice } = target;
  const taught = taughtChoice(choice, lessons);
  const profile = taught === choice ? configuredProfile(target) : dialects[backend.dialect].profile(model, taught);
  const caps = lessons.flatMap((lesson) => capOf(lesson, estimated));
  if (caps.length === 0) return profile;
  return { ...profile, maxOutput: Math.min(...caps, profile.maxOutput ?? Number.POSITIVE_INFINITY) };
}

/** Profiles are put together of some sixty flags, and asked for several times on the way of one request. */
const configured = new WeakMap<Target, Profile>();

/** The profile of a target by its configuration alone. */
export function configuredProfile(target: Target): Profile {
  let profile = configured.get(target);
  if (profile === undefined) {
    profile = dialects[target.backend.dialect].profile(target.model, target.profile);
    configured.set(target, profile);
  }
  return profile;
}

function taughtChoice(choice: ProfileChoice | undefined, lessons: readonly Lesson[]): ProfileChoice | undefined {
  const flags = lessons.flatMap((lesson) => (lesson.kind === 'flags' ? [lesson.flags] : []));
  const learned = learnedLacks(lessons);
  if (flags.length + learned.length === 0) return choice;
  const given = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const own = learned.length === 0 ? given : { ...given, lacks: [...(given.lacks ?? []), ...learned] };
  const server: Profile['server'] = Object.assign({}, ...[...flags, own].map((one) => one.server));
  return Object.assign({}, ...flags, own, { server });
}

/** Templates of conversations take a few tokens that no server tells of. */
const SPARE = 16;

function capOf(lesson: Lesson, estimated: number | undefined): readonly number[] {
  if (lesson.kind === 'cap') return [lesson.tokens];
  if (lesson.kind !== 'window' || estimated === undefined) return [];
  const cap = Math.floor(lesson.tokens - (lesson.input * estimated) / lesson.estimated) - SPARE;
  // Where nothing is left the request itself is too long, which is the server's to say.
  return cap > 0 ? [cap] : [];
}

/** Whether the cap of a request hangs on how long it is. */
export function hasWindow(lessons: readonly Lesson[]): boolean {
  return lessons.some(({ kind }) => kind === 'window');
}

/** The request without the fields that the model does not take, each reported; under another name nothing is lost. */
export function withoutFields(
  sent: EncodedRequest,
  lessons: readonly Lesson[],
  { at = {}, model }: Pick<CanonicalRequest, 'at' | 'model'>,
  losses: Losses,
): EncodedRequest {
  let rest = sent;
  for (const lesson of lessons) {
    if (lesson.kind !== 'field') continue;
    const { field } = lesson;
    const next = withoutField(rest, field);
    if (next === rest) continue;
    rest = next;
    if (field.otherName === undefined)
      losses.add(at[field.feature] ?? '', field.feature, 'dropped', `${model} does not take it`);
  }
  return rest;
}
