import {
  type CanonicalError,
  type CanonicalRequest,
  type DialectId,
  dialects,
  type EncodedRequest,
  type HostFeature,
  type Losses,
  type ModelTarget,
  type OptionalField,
  type ProfileChoice,
  type ProfileFlags,
  type RefusalRule,
  type ThinkingProfile,
} from '../../translators/index.js';
import { type KnownLesson, type Learner, type Lesson, lessonText } from '../backend/index.js';
import { type BackendConfig, learnableOf, type Target } from '../config/index.js';
import { settleAnswer, sharerOf } from '../http/index.js';
import type { Attempt } from './call-plan.js';
import { readEfforts, thinkingWith } from './effort-refusals.js';
import { withoutQuotes } from './quoted.js';
import { holds, namedField, rejectedField, withoutField } from './rejected-field.js';
import type { ExchangeServices } from './services.js';
import { readSizes } from './size-refusals.js';

/** A lesson that one more call may mend. */
export interface Taught {
  readonly lesson: Lesson;
  /** It holds for later requests too. */
  readonly lasts: boolean;
}

/** A model that generates fewer tokens than this is none: such a number is about something else. */
const LEAST_CAP = 256;

/**
 * What a refusal teaches about the server, in its own words and not in those that it quotes of the request: sizes first, then
 * what is about the member that it names, by a rule before leaving it out, then the efforts that it takes, then the other rules in their order, then the field
 * that its prose names. `estimate` gives the tokens of the request. A refusal that is not about the request, a time-out say,
 * teaches nothing.
 */
export async function lessonsIn(
  { dialect, auth }: Pick<BackendConfig, 'dialect' | 'auth'>,
  sent: EncodedRequest,
  error: CanonicalError,
  { thinking, estimate }: { readonly thinking: ThinkingProfile; estimate(): Promise<number> },
): Promise<readonly Taught[]> {
  const words = wordsOf(error, sent.body);
  if (words === undefined) return [];
  const found: Taught[] = [];
  const { cap, window } = readSizes(words) ?? {};
  if (cap !== undefined && cap >= LEAST_CAP) found.push({ lesson: { kind: 'cap', tokens: cap }, lasts: true });
  if (window !== undefined)
    found.push({ lesson: { kind: 'window', ...window, estimated: Math.max(1, await estimate()) }, lasts: true });
  const named = namedField(dialect, sent.body, error);
  const member = named?.path.at(-1)?.toLowerCase();
  const isAbout = (rule: RefusalRule): boolean =>
    member !== undefined && rule.words.some((word) => word.includes(member));
  const rules = rulesFor(dialect, words, sent.body);
  const field = (rejected: OptionalField | undefined): void => {
    // That one value is refused says nothing about the others.
    const lasts = UNKNOWN.some((said) => words.includes(said)) || (auth !== 'client' && words.includes(UNVERIFIED));
    if (rejected !== undefined) found.push({ lesson: { kind: 'field', field: rejected }, lasts });
  };
  for (const { flags } of rules.filter(isAbout)) pushFlags(found, flags);
  const efforts = readEfforts(words, sent.body, thinking.levels);
  if (efforts !== undefined) pushFlags(found, { thinking: thinkingWith(thinking, efforts) });
  field(named);
  for (const { flags } of rules.filter((rule) => !isAbout(rule))) pushFlags(found, flags);
  if (named === undefined) field(rejectedField(dialect, sent.body, words));
  return found;
}

function pushFlags(found: Taught[], flags: ProfileFlags | undefined): void {
  if (flags !== undefined) found.push({ lesson: { kind: 'flags', flags }, lasts: true });
}

/** The refusal's own words, in lower case; undefined where it teaches nothing. */
function wordsOf({ kind, path = '', code = '', message }: CanonicalError, sent: unknown): string | undefined {
  if (kind !== 'invalid_request' && kind !== 'context_length') return undefined;
  return withoutQuotes(`${path} ${code} ${message}`, sent)?.toLowerCase();
}

/** The rules that the words of a refusal fit, and the body that was refused. */
function rulesFor(dialect: DialectId, words: string, sent: unknown): readonly RefusalRule[] {
  return dialects[dialect].requestFields.refusals.filter(
    ({ words: told, holds: path }) =>
      told.every((word) => words.includes(word)) && (path === undefined || holds(sent, path)),
  );
}

/**
 * What a host may lack that refused a body of its own dialect, by each rule in its order. The vendor's own service lacks
 * nothing.
 */
export function unsupportedIn(
  config: BackendConfig,
  error: CanonicalError,
  sent: unknown,
): readonly (readonly HostFeature[])[] {
  if (!learnableOf(config).includes('unsupported') || error.kind !== 'invalid_request') return [];
  const words = wordsOf(error, sent);
  if (words === undefined) return [];
  return rulesFor(config.dialect, words, sent).flatMap(({ unsupported }) =>
    unsupported === undefined ? [] : [unsupported],
  );
}

/** The cap that a refusal of a relayed body tells of. The vendor's own service is asked with what the client says. */
export function capIn(config: BackendConfig, error: CanonicalError, sent: unknown): number | undefined {
  if (!learnableOf(config).includes('unsupported')) return undefined;
  const words = wordsOf(error, sent);
  const { cap } = (words !== undefined && readSizes(words)) || {};
  return cap !== undefined && cap >= LEAST_CAP ? cap : undefined;
}

/** The most tokens that a relayed body may ask for; undefined where nobody learned of any. */
export function relayedCap(attempt: Attempt): number | undefined {
  const { backend, taughtCap } = attempt;
  if (!learnableOf(backend.config).includes('unsupported')) return undefined;
  const caps = lessonsOf(attempt).flatMap((lesson) => (lesson.kind === 'cap' ? [lesson.tokens] : []));
  if (taughtCap !== undefined) caps.push(taughtCap);
  return caps.length === 0 ? undefined : Math.min(...caps);
}

/** What is known about the target of an attempt for its caller. */
export function lessonsOf({ gateway, backend, target, call }: Attempt): readonly KnownLesson[] {
  return backend.lessons.of(target.model, sharerOf(gateway.config, call));
}

/** Takes note of what a refusal taught, now that the request without it was answered. */
export function noteLesson({ gateway, backend, target, call }: Attempt, lesson: Lesson): void {
  const learner = sharerOf(gateway.config, call);
  if (backend.lessons.note(target.model, learner, lesson))
    reportLesson(gateway, { id: call.id, backend: backend.config.name, model: target.model, key: learner }, lesson);
}

/** Takes note of how long an answer was: no cap that is learned later is below it. */
export function noteAnswered({ gateway, backend, target, call }: Attempt): void {
  settleAnswer(call);
  const { outputTokens } = call.record.facts ?? {};
  if (outputTokens !== undefined) backend.lessons.answered(target.model, sharerOf(gateway.config, call), outputTokens);
}

/** What a lesson is told with. */
interface LessonFacts {
  readonly id: string;
  readonly backend: string;
  readonly model: string;
  readonly key: Learner;
}

/** Tells the operator of a lesson that is remembered. */
export function reportLesson(
  { logger, meter }: Pick<ExchangeServices, 'logger' | 'meter'>,
  facts: LessonFacts,
  lesson: Lesson,
): void {
  meter.taught(facts.backend, lesson.kind);
  const line = { ...facts, kind: lesson.kind, lesson: lessonText(lesson) };
  logger.warn(line, 'a refusal taught what the model takes; requests of this key are written for it for an hour');
}

/** What the host of an attempt is known to lack of its dialect: by its preset, and by what it refused. */
export function unsupportedOf(attempt: Attempt): readonly HostFeature[] {
  const { taught = [] } = attempt;
  const lessons = lessonsOf(attempt);
  const { unsupported } = attempt.backend.config;
  // As nearly always.
  if (lessons.length + taught.length === 0) return unsupported;
  const learned = learnedUnsupported(lessons);
  return learned.length + taught.length === 0 ? unsupported : [...new Set([...unsupported, ...learned, ...taught])];
}

/** The profile of the target of an attempt, with all that its host is known to lack. */
export function hostProfile(attempt: Attempt): ModelTarget {
  const { target, taught = [] } = attempt;
  // What its preset says is part of the configuration.
  if (lessonsOf(attempt).length + taught.length === 0) return configuredProfile(target);
  return taughtProfile(attempt.target, [{ kind: 'unsupported', unsupported: unsupportedOf(attempt) }], undefined);
}

function learnedUnsupported(lessons: readonly Lesson[]): readonly HostFeature[] {
  return lessons.flatMap((lesson) => (lesson.kind === 'unsupported' ? lesson.unsupported : []));
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

/** How they say that an organisation may not use it: that of the gateway, but where callers bring credentials of their own. */
const UNVERIFIED = 'must be verified';

/**
 * The profile of a target with what its server taught, and with the cap that is left for a request of which so many tokens
 * are estimated. The operator's own flags win over those that were taught ([H §10.3]).
 */
export function taughtProfile(target: Target, lessons: readonly Lesson[], estimated: number | undefined): ModelTarget {
  if (lessons.length === 0) return configuredProfile(target);
  const { backend, model, profile: choice } = target;
  const taught = taughtChoice(choice, lessons);
  const profile = taught === choice ? configuredProfile(target) : dialects[backend.dialect].target(model, taught);
  const known = lessons.some(isOfShow) ? { ...profile, thinking: showing(profile.thinking) } : profile;
  const caps = lessons.flatMap((lesson) => capOf(lesson, estimated));
  if (caps.length === 0) return known;
  return { ...known, maxOutput: Math.min(...caps, known.maxOutput ?? Number.POSITIVE_INFINITY) };
}

function isOfShow(lesson: Lesson): boolean {
  return lesson.kind === 'field' && lesson.field.feature === 'reasoning.show';
}

/** Of a model that cannot be asked for its thoughts: nobody asks it on behalf of a client that does not. */
function showing({ defaultShow: _none, ...thinking }: ThinkingProfile): ThinkingProfile {
  return thinking;
}

/** Profiles are put together of some sixty flags, and asked for several times on the way of one request. */
const configured = new WeakMap<Target, ModelTarget>();

/** The profile of a target by its configuration alone. */
export function configuredProfile(target: Target): ModelTarget {
  let profile = configured.get(target);
  if (profile === undefined) {
    profile = dialects[target.backend.dialect].target(target.model, target.profile);
    configured.set(target, profile);
  }
  return profile;
}

function taughtChoice(choice: ProfileChoice | undefined, lessons: readonly Lesson[]): ProfileChoice | undefined {
  const flags = lessons.flatMap((lesson) => (lesson.kind === 'flags' ? [lesson.flags] : []));
  const learned = learnedUnsupported(lessons);
  if (flags.length + learned.length === 0) return choice;
  const given = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const own = learned.length === 0 ? given : { ...given, unsupported: [...(given.unsupported ?? []), ...learned] };
  const server: ModelTarget['server'] = Object.assign({}, ...[...flags, own].map((one) => one.server));
  return Object.assign({}, ...flags, own, { server });
}

/**
 * A profile for a request without a cap: none is made up that is above the window which the backend tells of its model. A cap of the client's own is
 * left to the server.
 */
export function withinWindow(
  profile: ModelTarget,
  { gateway, target }: Attempt,
  { maxOutput }: Pick<CanonicalRequest, 'maxOutput'>,
): ModelTarget {
  if (maxOutput !== undefined) return profile;
  const window = gateway.catalog.windows().get(target.backend.name)?.get(target.model);
  if (window === undefined || window >= (profile.maxOutput ?? Number.POSITIVE_INFINITY)) return profile;
  return { ...profile, maxOutput: window };
}

/** Templates of conversations take a few tokens that no server tells of. */
const SPARE = 16;

function capOf(lesson: Lesson, estimated: number | undefined): readonly number[] {
  if (lesson.kind === 'cap') return [lesson.tokens];
  if (lesson.kind !== 'window' || estimated === undefined) return [];
  const cap = Math.floor(lesson.tokens - (lesson.input * estimated) / lesson.estimated) - SPARE;
  // Where next to nothing is left the request itself is too long, which is the server's to say.
  return cap >= LEAST_CAP ? [cap] : [];
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
