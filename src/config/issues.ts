import type * as z from 'zod';
import { dialectIds } from '../../translators/index.js';
import { didYouMean } from '../ground/index.js';
import { dialectsOf, isPresetName, presets } from '../presets/index.js';
import { namesAt, placeOfName } from './json-schema.js';
import { formatPath, type Problem } from './problem.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A problem, and what tells it from others. */
interface Found {
  readonly path: Path;
  readonly reason: string;
  /** What was meant by an unknown name. */
  readonly meant?: string;
  /** Nothing is written there. */
  readonly missing?: boolean;
}

/** What the schema found in a value, as lines for people that say what to write instead; no text of the value is repeated. */
export function describeIssues(issues: readonly Issue[], input: unknown): Problem[] {
  const found = issues.flatMap((issue) => describe(issue, [], input));
  // What stands there under a wrong name is not missing as well.
  const meant = new Set(found.flatMap((one) => one.meant ?? []));
  return found
    .filter(({ path, missing }) => missing !== true || !meant.has(formatPath(path)))
    .map(({ path, reason }) => ({ path: formatPath(path), reason }));
}

function describe(issue: Issue, base: Path, input: unknown): Found[] {
  const path = [...base, ...issue.path];
  const value = valueAt(input, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key));
    case 'invalid_union':
      return describeUnion(issue.errors, path, input);
    case 'invalid_key':
      return [{ path, reason: issue.issues[0]?.message ?? issue.message }];
    case 'invalid_type':
    case 'invalid_value':
    case 'too_small':
    case 'too_big': {
      const missing = value === undefined;
      const reason = missing ? 'is required' : (ownMessage(issue) ?? `must be ${wanted(issue)}${not(issue, value)}`);
      return [{ path, reason: `${reason}${advice(issue, path, value)}`, missing }];
    }
    default:
      return [{ path, reason: issue.message }];
  }
}

/** A message that the schema has of its own. */
function ownMessage({ message }: Issue): string | undefined {
  return /^(?:Invalid|Too) /.test(message) ? undefined : message;
}

/** The alternative that was meant is the one whose mistakes lie deepest. Where none was begun, all of them are named. */
function describeUnion(branches: readonly (readonly Issue[])[], path: Path, input: unknown): Found[] {
  const depths = branches.map((issues) => Math.min(...issues.map((issue) => issue.path.length)));
  const deepest = Math.max(...depths);
  if (deepest > 0) {
    return (branches[depths.indexOf(deepest)] ?? []).flatMap((issue) => describe(issue, path, input));
  }
  const firsts = branches.flatMap(([issue]) => issue ?? []);
  const other = firsts.find((issue) => issue.code !== 'invalid_type' && issue.code !== 'invalid_value');
  if (other !== undefined) {
    return (branches[firsts.indexOf(other)] ?? []).flatMap((issue) => describe(issue, path, input));
  }
  const value = valueAt(input, path);
  const hints = firsts.map((issue) => advice(issue, path, value)).filter((hint) => hint !== '');
  const reason = `must be ${firsts.map(wanted).join(', or ')}`;
  return [{ path, reason: `${reason}${hints[0] ?? ''}` }];
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce((value: unknown, step) => (value as Readonly<Record<PropertyKey, unknown>> | null)?.[step], input);
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  const kind = Array.isArray(value) ? 'array' : typeof value;
  return kind === 'boolean' ? String(value) : (KINDS[kind] ?? kind);
}

/** What has to stand there. */
function wanted(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.length === 1 ? `\`${String(issue.values[0])}\`` : `one of ${issue.values.join(', ')}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'below' : 'at most'} ${issue.maximum}`;
    case 'too_small':
      return `${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
    default:
      return 'another value';
  }
}

function not({ code }: Issue, value: unknown): string {
  return code === 'invalid_type' ? `, not ${kindOf(value)}` : '';
}

/** What to write in the place of maps and lists that are written otherwise, by path; `*` is any name, `#` a place in a list. */
const FORMS: Readonly<Record<string, string>> = {
  backends: `\`backends: { NAME: { preset: anthropic, apiKey: "\${ANTHROPIC_API_KEY}" } }\``,
  'backends.*': '`NAME: { dialect: messages, baseUrl: https://HOST }`',
  models: '`models: { NAME: { backend: NAME } }`',
  'models.*': '`{ backend: NAME, model: NAME }`',
  'models.*.#': '`{ backend: NAME, model: NAME }`',
  keys: `\`keys: [ { name: NAME, key: "\${GATEWAY_KEY}" } ]\``,
  'keys.#': `\`{ name: NAME, key: "\${GATEWAY_KEY}" }\``,
  listen: '`listen: { host: 127.0.0.1, port: 8080 }`',
  store: '`store: { type: lmdb, path: FOLDER }`',
  log: '`log: { level: info }`',
  metrics: '`metrics: { port: 9090 }`',
};

/** A number and the unit behind it. */
const WITH_UNIT = /^(\d+(?:\.\d+)?)\s*(?:s|sec|seconds?|mb|mib|d|days?)$/i;

/** The end of a line: what to write instead; '' where the line says it already. */
function advice(issue: Issue, path: Path, value: unknown): string {
  if (issue.code === 'invalid_value') return adviceForWord(issue.values.map(String), value);
  if (issue.code !== 'invalid_type') return '';
  const form =
    FORMS[path.map((step, index) => (index === 0 ? String(step) : typeof step === 'number' ? '#' : '*')).join('.')];
  if (form !== undefined) return `; write ${form}`;
  if (issue.expected === 'number' || issue.expected === 'int') {
    const [, number] = typeof value === 'string' ? (WITH_UNIT.exec(value) ?? []) : [];
    return number === undefined ? '; write digits alone, without a unit' : `; write ${number}, without a unit`;
  }
  if (issue.expected === 'array') return '; write `[ … ]`, or lines that begin with `- `';
  if (issue.expected === 'object' || issue.expected === 'record') return '; write lines of `name: value`';
  if (issue.expected === 'string' && value !== undefined && typeof value !== 'object') return '; put it in quotes';
  return '';
}

/** Spelt otherwise, cut short, or the name of a host where a dialect is meant. */
function adviceForWord(words: readonly string[], value: unknown): string {
  if (typeof value !== 'string') return '';
  const plain = (word: string): string => word.toLowerCase().replace(/[^a-z\d]/g, '');
  const close =
    words.find((word) => plain(word) === plain(value)) ??
    didYouMean(value, words) ??
    words.find((word) => value.length > 2 && plain(word).startsWith(plain(value)));
  if (close !== undefined) return `; did you mean \`${close}\`?`;
  if (!isPresetName(value) || !words.every((word) => dialectIds.some((id) => id === word))) return '';
  const [first = ''] = dialectsOf(presets[value]);
  return `; write \`dialect: ${first}\`, or \`preset: ${value}\``;
}

/** So many names fit in a line. */
const MOST_NAMES = 12;

/** What to do about names that only LiteLLM knows. */
const OF_LITELLM: Readonly<Record<string, string>> = {
  model_list: `write ${FORMS.models}, and servers with their keys under \`backends\``,
  litellm_params: `write ${FORMS['models.*']}, and address and key of the server under \`backends\``,
  litellm_settings: 'leave it out, and see docs/configuration.md',
  general_settings: `write ${FORMS.keys} for a master key`,
  router_settings: 'write a list of targets for a name under `models`: they are tried in order',
};

function unknownKey(path: Path, key: string): Found {
  const known = namesAt(path);
  const at = [...path, key];
  if (Object.hasOwn(OF_LITELLM, key)) return { path: at, reason: `unknown key (LiteLLM has it); ${OF_LITELLM[key]}` };
  const close = known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? didYouMean(key, known);
  if (close !== undefined) {
    return { path: at, reason: `unknown key; did you mean \`${close}\`?`, meant: formatPath([...path, close]) };
  }
  if (key.includes(':')) return { path: at, reason: 'unknown key; a space is missing after the colon' };
  const [name = '', ...rest] = placeOfName(key)?.reverse() ?? [];
  const nested = rest.reduce((inner, outer) => `${outer}: { ${inner} }`, `${name}: …`);
  if (rest.length > 0) return { path: at, reason: `unknown key here; write \`${nested}\`` };
  if (known.length === 0) return { path: at, reason: 'unknown key' };
  const names = known.length > MOST_NAMES ? 'see `interlingua check --print-schema`' : `known: ${known.join(', ')}`;
  return { path: at, reason: `unknown key; ${names}` };
}
