import type { DialectId } from '../../translators/index.js';
import { didYouMean, isObject } from '../ground/plain/index.js';
import { calledPresets, dialectsOf, presetNames } from '../presets/index.js';
import { profileAt } from '../protocol/index.js';
import { answerGuard, checkApiKey, checkModel, hostOf, type Settings } from '../web/index.js';
import { checkNames, fault, faultAt, type Known } from './faults.js';
import type { HandlerBackend, HandlerSpeech } from './options.js';

const BACKEND: Known<HandlerBackend> = {
  preset: true,
  dialect: true,
  baseUrl: true,
  apiKey: true,
  auth: true,
  headers: true,
  profile: true,
};

/** What the calls to all backends have in common. */
export type CommonSettings = Pick<Settings, 'policy' | 'countTokens' | 'media' | 'maxAnswerBytes' | 'send' | 'redact'>;

/** A backend with what calls to it are made with, for each dialect of its host. */
export interface Backend {
  readonly endpoints: readonly Settings[];
  readonly profile: HandlerBackend['profile'];
}

/** The backends of the options by name. Throws TypeError that names the option which cannot be meant. */
export function readBackends(
  backends: unknown,
  speech: HandlerSpeech,
  common: CommonSettings,
): ReadonlyMap<string, Backend> {
  if (!isObject(backends) || Object.keys(backends).length === 0) throw fault('backends', 'must name a backend');
  /** Whose state is kept from whom is known once all are. */
  const domains = new Set<string>();
  const read = (name: string, given: HandlerBackend): Backend => {
    const at = faultAt(`backends.${name}`);
    checkNames(given, Object.keys(BACKEND), at);
    const { preset, dialect, apiKey, profile } = given;
    checkApiKey(apiKey, at);
    checkModel({ contextWindow: undefined, maxOutput: undefined, profile }, at);
    if (preset !== undefined && calledPresets[preset] === undefined) throw at('preset', unknownPreset(String(preset)));
    const own = hostOf(given, at, 'dialect');
    const spoken =
      dialect === undefined && preset !== undefined && given.baseUrl === undefined
        ? dialectsOf(calledPresets[preset]).map((one) => hostOf({ ...given, dialect: one }, at, 'dialect'))
        : [own];
    const endpoints = spoken.flatMap((host): Settings[] => {
      const service = speech.serviceOf(host.dialect);
      if (service === undefined) return [];
      domains.add(host.domain);
      const { readerOf, relayedLimits } = speech;
      const isForeign = (domain: string | undefined): boolean =>
        domain !== undefined && domain !== host.domain && domains.has(domain);
      const guard = answerGuard(secretsOf({ apiKey, host }));
      const settings = { ...common, host, name, service, readerOf, relayedLimits, apiKey, isForeign, guard };
      const sizes = { contextWindow: undefined, maxOutput: undefined };
      return [{ ...settings, ...sizes, owner: 'operator', profile: profileAt(host, profile) }];
    });
    if (endpoints.length === 0)
      throw at('dialect', `the half of ${own.dialect} for services is missing: it is not in \`to\``);
    return { endpoints, profile };
  };
  return new Map(
    Object.entries(backends as Record<string, HandlerBackend>).map(([name, one]) => [name, read(name, one)]),
  );
}

function unknownPreset(preset: string): string {
  const close = didYouMean(preset, presetNames);
  return `unknown preset; ${close === undefined ? `known: ${presetNames.join(', ')}` : `did you mean \`${close}\`?`}`;
}

/** What a backend is called with that nobody else may see; shorter texts are no secrets, and would be found everywhere. */
export function secretsOf({ apiKey, host: { headers } }: Pick<Settings, 'apiKey' | 'host'>): string[] {
  const configured = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/.test(name));
  const all = [apiKey ?? '', ...configured.map(([, text]) => text.replace(/^\w+ +/, ''))];
  return all.filter(({ length }) => length >= 8);
}

/** The endpoint of the client's own dialect, where a host has one, else its first. */
export function endpointFor(endpoints: readonly Settings[], dialect: DialectId): Settings {
  const [first] = endpoints;
  if (first === undefined) throw new TypeError('createHandler: a backend has no endpoint');
  return endpoints.find(({ host }) => host.dialect === dialect) ?? first;
}
