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
import { type KnownRestriction, type Learner, type Restriction, restrictionText } from '../backend/index.js';
import { type BackendConfig, learnableOf, type Target } from '../config/index.js';
import { settleAnswer, sharerOf } from '../http/index.js';
import { windowOfServer } from '../models/index.js';
import type { Attempt } from './attempt.js';
import { readEfforts, thinkingWith } from './effort-refusals.js';
import { withoutQuotes } from './quoted.js';
import { holds, namedField, rejectedField, withoutField } from './rejected-field.js';
import type { ExchangeServices } from './services.js';
import { readSizes } from './size-refusals.js';

/** A restriction that a refusal revealed, which one more call may observe. */
export interface LearnedRestriction {
  readonly restriction: Restriction;
  /** It holds for later requests too. */
  readonly lasts: boolean;
}

/** No model generates fewer tokens than this: such a number means something else. */
const LEAST_CAP = 256;

/** Nor has one that converses a smaller window. */
const LEAST_WINDOW = 512;

/**
 * The restrictions that a refusal reveals, in its own words and not in those that it quotes of the request: sizes first, then
 * those on the member that it names (a rule before leaving it out), then the efforts that it takes, then the other rules in their order,
 * then the field that its prose names. `estimate` gives the tokens of the request. A refusal that is not about the request, such as a
 * timeout, reveals nothing.
 */
export async function restrictionsIn(
  { dialect, auth }: Pick<BackendConfig, 'dialect' | 'auth'>,
  sent: EncodedRequest,
  error: CanonicalError,
  { thinking, estimate }: { readonly thinking: ThinkingProfile; estimate(): Promise<number> },
): Promise<readonly LearnedRestriction[]> {
  const words = wordsOf(error, sent.body);
  if (words === undefined) return [];
  const found: LearnedRestriction[] = [];
  const { cap, window } = readSizes(words) ?? {};
  if (cap !== undefined && cap >= LEAST_CAP) found.push({ restriction: { kind: 'cap', tokens: cap }, lasts: true });
  if (window !== undefined && error.kind === 'context_length' && window.tokens >= LEAST_WINDOW)
    found.push({ restriction: { kind: 'window', ...window, estimated: Math.max(1, await estimate()) }, lasts: true });
  const named = namedField(dialect, sent.body, error);
  const member = named?.path.at(-1)?.toLowerCase();
  const isAbout = (rule: RefusalRule): boolean =>
    member !== undefined && rule.words.some((word) => word.includes(member));
  const rules = rulesFor(dialect, words, sent.body);
  const field = (rejected: OptionalField | undefined): void => {
    // That one value is refused says nothing about the others.
    const lasts = UNKNOWN.some((said) => words.includes(said)) || (auth !== 'client' && words.includes(UNVERIFIED));
    if (rejected !== undefined) found.push({ restriction: { kind: 'field', field: rejected }, lasts });
  };
  for (const { flags } of rules.filter(isAbout)) pushFlags(found, flags);
  const efforts = readEfforts(words, sent.body, thinking.levels);
  if (efforts !== undefined) pushFlags(found, { thinking: thinkingWith(thinking, efforts) });
  field(named);
  for (const { flags } of rules.filter((rule) => !isAbout(rule))) pushFlags(found, flags);
  if (named === undefined) field(rejectedField(dialect, sent.body, words));
  return found;
}

function pushFlags(found: LearnedRestriction[], flags: ProfileFlags | undefined): void {
  if (flags !== undefined) found.push({ restriction: { kind: 'flags', flags }, lasts: true });
}

/** The refusal's own words, in lower case; undefined where it reveals nothing. */
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
 * The features that a host which refused a body of its own dialect may not support, by each rule in its order. The vendor's own
 * service supports all.
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

/** The cap that a refusal of a relayed body names. The vendor's own service gets the cap of the client. */
export function capIn(config: BackendConfig, error: CanonicalError, sent: unknown): number | undefined {
  if (!learnableOf(config).includes('unsupported')) return undefined;
  const words = wordsOf(error, sent);
  const { cap } = (words !== undefined && readSizes(words)) || {};
  return cap !== undefined && cap >= LEAST_CAP ? cap : undefined;
}

/** The most tokens that a relayed body may ask for, with the cap that its own refusals revealed; undefined where none was learned. */
export function relayedCap(attempt: Attempt, learnedCap: number | undefined): number | undefined {
  if (!learnableOf(attempt.backend.config).includes('unsupported')) return undefined;
  const caps = restrictionsOf(attempt).flatMap((restriction) =>
    restriction.kind === 'cap' ? [restriction.tokens] : [],
  );
  if (learnedCap !== undefined) caps.push(learnedCap);
  return caps.length === 0 ? undefined : Math.min(...caps);
}

/** What is known about the target of an attempt for its caller. */
export function restrictionsOf({ gateway, backend, target, call }: Attempt): readonly KnownRestriction[] {
  return backend.restrictions.of(target.model, sharerOf(gateway.config, call));
}

/** Stores a restriction, now that the request that observes it was answered. */
export function noteRestriction({ gateway, backend, target, call }: Attempt, restriction: Restriction): void {
  const learner = sharerOf(gateway.config, call);
  call.record.learned = [...(call.record.learned ?? []), restriction];
  if (backend.restrictions.note(target.model, learner, restriction))
    reportRestriction(
      gateway,
      { id: call.id, backend: backend.config.name, model: target.model, key: learner },
      restriction,
    );
}

/** Stores how long an answer was: a cap that is learned later is not below it. */
export function noteAnswered({ gateway, backend, target, call }: Attempt): void {
  settleAnswer(call);
  const { outputTokens } = call.record.facts ?? {};
  if (outputTokens !== undefined)
    backend.restrictions.answered(target.model, sharerOf(gateway.config, call), outputTokens);
}

/** What is reported with a restriction. */
interface RestrictionFacts {
  readonly id: string;
  readonly backend: string;
  readonly model: string;
  readonly key: Learner;
}

/** Reports a new restriction in the log and the metrics. */
export function reportRestriction(
  { logger, meter }: Pick<ExchangeServices, 'logger' | 'meter'>,
  facts: RestrictionFacts,
  restriction: Restriction,
): void {
  meter.learned(facts.backend, restriction.kind);
  const line = { ...facts, kind: restriction.kind, restriction: restrictionText(restriction) };
  logger.warn(
    line,
    'learned a restriction of the model from a refusal; it applies to requests of this key for an hour',
  );
}

/**
 * What the host of an attempt is known not to support of its dialect: by its preset, by what it refused, and `learned` from refusals of
 * this request.
 */
export function unsupportedOf(attempt: Attempt, learned: readonly HostFeature[]): readonly HostFeature[] {
  const restrictions = restrictionsOf(attempt);
  const { unsupported } = attempt.backend.config;
  // As nearly always.
  if (restrictions.length + learned.length === 0) return unsupported;
  const unsupportedHere = unsupportedAmong(restrictions);
  return unsupportedHere.length + learned.length === 0
    ? unsupported
    : [...new Set([...unsupported, ...unsupportedHere, ...learned])];
}

/** The profile of the target of an attempt, with all that its host is known not to support. */
export function hostProfile(attempt: Attempt, learned: readonly HostFeature[]): ModelTarget {
  const { target } = attempt;
  // What its preset says is part of the configuration.
  if (restrictionsOf(attempt).length + learned.length === 0) return configuredProfile(target);
  return learnedProfile(target, [{ kind: 'unsupported', unsupported: unsupportedOf(attempt, learned) }], undefined);
}

function unsupportedAmong(restrictions: readonly Restriction[]): readonly HostFeature[] {
  return restrictions.flatMap((restriction) => (restriction.kind === 'unsupported' ? restriction.unsupported : []));
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
 * The profile of a target with its learned restrictions, and with the cap that is left for a request of this many estimated
 * tokens. The operator's own flags win over learned ones ([H §10.3]).
 */
export function learnedProfile(
  target: Target,
  restrictions: readonly Restriction[],
  estimated: number | undefined,
): ModelTarget {
  if (restrictions.length === 0) return configuredProfile(target);
  const { backend, model, profile: choice } = target;
  const learned = learnedChoice(choice, restrictions);
  const profile = learned === choice ? configuredProfile(target) : dialects[backend.dialect].target(model, learned);
  const known = restrictions.some(isOfShow) ? { ...profile, thinking: showing(profile.thinking) } : profile;
  const caps = restrictions.flatMap((restriction) => capOf(restriction, estimated));
  if (caps.length === 0) return known;
  return { ...known, maxOutput: Math.min(...caps, known.maxOutput ?? Number.POSITIVE_INFINITY) };
}

function isOfShow(restriction: Restriction): boolean {
  return restriction.kind === 'field' && restriction.field.feature === 'reasoning.show';
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

function learnedChoice(
  choice: ProfileChoice | undefined,
  restrictions: readonly Restriction[],
): ProfileChoice | undefined {
  const flags = restrictions.flatMap((restriction) => (restriction.kind === 'flags' ? [restriction.flags] : []));
  const unsupportedHere = unsupportedAmong(restrictions);
  if (flags.length + unsupportedHere.length === 0) return choice;
  const given = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const own =
    unsupportedHere.length === 0
      ? given
      : { ...given, unsupported: [...(given.unsupported ?? []), ...unsupportedHere] };
  const server: ModelTarget['server'] = Object.assign({}, ...[...flags, own].map((one) => one.server));
  return Object.assign({}, ...flags, own, { server });
}

/**
 * A profile for a request without a cap: none is made up that is above the window of the model. A cap of the client's own is
 * left to the server.
 */
export function withinWindow(
  profile: ModelTarget,
  { gateway, target }: Attempt,
  { maxOutput }: Pick<CanonicalRequest, 'maxOutput'>,
): ModelTarget {
  if (maxOutput !== undefined) return profile;
  const { value: window, inputAlone } = windowOfServer(gateway.models, target) ?? {};
  if (window === undefined || inputAlone) return profile;
  return window < (profile.maxOutput ?? Number.POSITIVE_INFINITY) ? { ...profile, maxOutput: window } : profile;
}

/** Templates of conversations take a few tokens that no server tells of. */
const SPARE = 16;

function capOf(restriction: Restriction, estimated: number | undefined): readonly number[] {
  if (restriction.kind === 'cap') return [restriction.tokens];
  if (restriction.kind !== 'window' || restriction.inputAlone || estimated === undefined) return [];
  const cap = Math.floor(restriction.tokens - (restriction.input * estimated) / restriction.estimated) - SPARE;
  // Where next to nothing is left the request itself is too long, which is the server's to say.
  return cap >= LEAST_CAP ? [cap] : [];
}

/** Whether the cap of a request hangs on how long it is. */
export function hasWindow(restrictions: readonly Restriction[]): boolean {
  return restrictions.some(({ kind }) => kind === 'window');
}

/** The request without the fields that the model does not take, each reported; under another name nothing is lost. */
export function withoutFields(
  sent: EncodedRequest,
  restrictions: readonly Restriction[],
  { at = {}, model }: Pick<CanonicalRequest, 'at' | 'model'>,
  losses: Losses,
): EncodedRequest {
  let rest = sent;
  for (const restriction of restrictions) {
    if (restriction.kind !== 'field') continue;
    const { field } = restriction;
    const next = withoutField(rest, field);
    if (next === rest) continue;
    rest = next;
    if (field.otherName === undefined)
      losses.add(at[field.feature] ?? '', field.feature, 'dropped', `${model} does not take it`);
  }
  return rest;
}
