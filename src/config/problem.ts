/** One mistake in a configuration: where, and why it is one. */
export interface Problem {
  /** Such as `backends.claude.baseUrl` or `models["gpt-4.1"][0].backend`; '' = the whole. */
  readonly path: string;
  readonly reason: string;
}

/** Thrown when a configuration cannot be used. The message has one line per problem and holds no value of the file. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, reason }) => (path === '' ? reason : `${path}: ${reason}`)).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
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
