/** One mistake in a configuration: where, and why it is one. */
export interface Problem {
  /** Such as `backends.claude.baseUrl` or `models["gpt-4.1"][0].backend`; '' = the whole. */
  readonly path: string;
  /** Whether `path` is the name of a variable of the environment. */
  readonly variable?: true;
  /** What is wrong, and what to write instead. */
  readonly reason: string;
  /** The file as it was named, and the place in it, where they are known. Lines and columns count from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Thrown when a configuration cannot be used. The message has one line per problem and holds no value of the file. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** A problem in one line: `FILE:LINE:COLUMN PATH: REASON`, without what is not known. */
export function formatProblem({ file, line, column, path, reason }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  const where = [place ?? '', path].filter((part) => part !== '').join(' ');
  return where === '' ? reason : `${where}: ${reason}`;
}

/** A path as people write it in YAML and JavaScript. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(String(step))) text += text === '' ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}

/** The steps of a path that `formatPath` wrote. */
export function parsePath(text: string): readonly (string | number)[] {
  return [...text.matchAll(/\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, name, index, quoted]) => name ?? (index === undefined ? String(JSON.parse(quoted ?? '""')) : Number(index)),
  );
}
