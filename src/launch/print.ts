import type { Prepared } from './settings.js';

/** The shells for which settings are printed. */
export const SHELLS = ['bash', 'fish', 'powershell', 'json'] as const;

export type Shell = (typeof SHELLS)[number];

interface Printed extends Prepared {
  /** The word on our command line. */
  readonly agent: string;
  readonly command: string;
}

/** Settings for a shell: its variables, and as a comment what is to be typed. */
export function printFor(shell: Shell, printed: Printed): string {
  const { agent, command, args, env } = printed;
  if (shell === 'json') return JSON.stringify({ agent, command, args, env });
  const { assign, quote } = FORMS[shell];
  const variables = Object.entries(env).map(([name, value]) => assign(name, quote(value)));
  return [...variables, `# ${[command, ...args.map(quote)].join(' ')}`].join('\n');
}

interface Form {
  assign(name: string, value: string): string;
  quote(text: string): string;
}

const FORMS: Readonly<Record<Exclude<Shell, 'json'>, Form>> = {
  bash: {
    assign: (name, value) => `export ${name}=${value}`,
    quote: (text) => `'${text.replaceAll("'", "'\\''")}'`,
  },
  fish: {
    assign: (name, value) => `set -gx ${name} ${value}`,
    quote: (text) => `'${text.replace(/[\\']/g, '\\$&')}'`,
  },
  powershell: {
    assign: (name, value) => `$env:${name} = ${value}`,
    quote: (text) => `'${text.replaceAll("'", "''")}'`,
  },
};
