import { formatPath, type Problem } from './problem.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Stand around a name while a file is parsed: within `{ }` and `[ ]`, YAML does not take `${NAME}` as it is. */
const OPEN = '\uE000';
const CLOSE = '\uE001';

/** The text of a file with every `${NAME}` in a form that YAML and JSON take anywhere. */
export function markVariables(text: string): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, `${OPEN}$1${CLOSE}`);
}

/** Puts the environment's values in every string of a marked and parsed file; a name that is not set becomes a problem. */
export function interpolate(
  value: unknown,
  environment: Environment,
  problems: Problem[],
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') return interpolateText(value, environment, problems, path);
  if (Array.isArray(value)) {
    return value.map((item, index) => interpolate(item, environment, problems, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolate(item, environment, problems, [...path, key])]),
  );
}

function interpolateText(
  text: string,
  environment: Environment,
  problems: Problem[],
  path: readonly PropertyKey[],
): string {
  if (!text.includes(OPEN)) return text;
  return text.replace(/\uE000(\w+)\uE001/g, (_marked, name: string) => {
    const value = environment[name];
    if (value === undefined) {
      problems.push({ path: formatPath(path), reason: `the environment variable ${name} is not set` });
    }
    return value ?? '';
  });
}
