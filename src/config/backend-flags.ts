import { type DialectId, dialectIds } from '../../translators/index.js';
import { gatewayDialects } from '../dialects/index.js';
import { didYouMean } from '../ground/index.js';
import { isPresetName, type PresetName, presetNames, presets } from '../presets/index.js';
import type { Environment } from './environment.js';
import { ConfigError, type Problem } from './problem.js';
import type { ConfigInput } from './schema.js';

type BackendInput = ConfigInput['backends'][string];

/** Mistakes in the flags themselves, whatever the environment says. */
export class FlagsError extends ConfigError {}

/** Variable with the key of the backend that the command line names (cli.md). */
export const BACKEND_KEY = 'INTERLINGUA_BACKEND_KEY';

/**
 * The configuration of `serve --backend NAME` and `--backend NAME=URL` (cli.md): every model name is passed on to
 * the first, and `NAME/MODEL` as MODEL to the one of that name. Throws FlagsError for names that are none, and ConfigError.
 */
export function backendsInput(flags: readonly string[], environment: Environment): ConfigInput {
  const problems: Problem[] = [];
  const mistakes: Problem[] = [];
  const backends: ConfigInput['backends'] = {};
  const models: NonNullable<ConfigInput['models']> = {};
  const alone = flags.length === 1;
  for (const flag of flags) {
    const [name = '', url] = split(flag);
    const path = `--backend ${name}`;
    const report = (reason: string): void => void problems.push({ path, reason });
    const refuse = (reason: string): void => void mistakes.push({ path, reason });
    const known = knownAs(name);
    if (known === undefined) refuse(unknownName(name));
    else if (Object.hasOwn(backends, name)) refuse('is given twice');
    else if ('dialect' in known && url === undefined) refuse(`needs an address: --backend ${name}=URL`);
    else {
      backends[name] = {
        ...known,
        ...(url !== undefined && { baseUrl: url }),
        ...keyOf(known, environment, alone, report),
      };
      if (!alone) models[`${name}/*`] = { backend: name, model: '*' };
      for (const pattern of alone ? [] : vendorPatterns(known)) models[pattern] = { backend: name };
      models['*'] ??= { backend: name };
    }
  }
  if (mistakes.length > 0) throw new FlagsError(mistakes);
  if (problems.length > 0) throw new ConfigError(problems);
  return { backends, models, usage: {} };
}

type Known = { readonly preset: PresetName } | { readonly dialect: DialectId };

/** An address may hold the sign that stands in front of it. */
function split(flag: string): [name: string, url?: string] {
  const sign = flag.indexOf('=');
  return sign < 0 ? [flag] : [flag.slice(0, sign), flag.slice(sign + 1)];
}

function knownAs(name: string): Known | undefined {
  if (isPresetName(name)) return { preset: name };
  const dialect = dialectIds.find((id) => id === name);
  return dialect === undefined ? undefined : { dialect };
}

function unknownName(name: string): string {
  const names = [...presetNames, ...dialectIds];
  const close = didYouMean(name, names);
  return `unknown host or dialect; ${close === undefined ? `known: ${names.join(', ')}` : `did you mean ${close}?`}`;
}

/**
 * The key of a backend. One variable cannot be the key of several hosts, and must not be shown to one that it is not for:
 * beside others, a host has the one of its own variable.
 */
function keyOf(
  known: Known,
  environment: Environment,
  alone: boolean,
  report: (reason: string) => void,
): Pick<BackendInput, 'apiKey'> {
  const preset = 'preset' in known ? presets[known.preset] : undefined;
  if (preset?.key === 'none') return {};
  const variables = [...(alone ? [BACKEND_KEY] : []), ...(preset?.variable === undefined ? [] : [preset.variable])];
  const apiKey = variables
    .map((variable) => environment[variable])
    .find((value) => value !== undefined && value !== '');
  if (apiKey !== undefined) return { apiKey };
  if (preset?.key === 'needed') report(`needs a key: set ${variables.join(' or ')}`);
  return {};
}

/** The names of the models of a vendor, where the host is its own service. */
function vendorPatterns(known: Known): readonly string[] {
  if (!('preset' in known)) return [];
  return gatewayDialects.flatMap(({ service }) => (service.preset === known.preset ? service.models : []));
}
