import type { Settings } from './agent.js';

/** The shells for which settings are printed. */
export const SHELLS = ['bash', 'fish', 'powershell', 'json'] as const;

export type Shell = (typeof SHELLS)[number];

interface Printed extends Settings {
  /** The word on our command line. */
  readonly agent: string;
  readonly command: string;
}

/** Settings for a shell: its variables, and as comments what belongs into a file of the user's and what is to be typed. */
export function printFor(shell: Shell, printed: Printed): string {
  const { agent, command, args, env, settings } = printed;
  if (shell === 'json') return JSON.stringify({ agent, command, args, env, ...(settings && { settings }) });
  const { assign, quote } = FORMS[shell];
  const variables = Object.entries(env).map(([name, value]) => assign(name, quote(value)));
  const file = settings === undefined ? [] : [`in ${settings.file}:`, ...linesOf(settings.value)];
  return [...variables, ...file.map((line) => `# ${line}`), `# ${[command, ...args.map(quote)].join(' ')}`].join('\n');
}

/** JSON in lines, none of which ends earlier than it seems to. */
function linesOf(value: object): string[] {
  const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replace(CONTROL, escaped));
}

interface Form {
  assign(name: string, value: string): string;
  /** Text as one word on one line, whatever it holds: what is printed is run by `eval`, and the command stands in a comment. */
  quote(text: string): string;
}

/** What ends a line in some shell, and what does something to a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** PowerShell takes typographic quotes for quotes: doubled, or behind a backtick, each stands for itself. */
const SINGLE = /['\u2018-\u201b]/g;
const DOUBLE = /[`$"\u201c-\u201e]/g;

const FORMS: Readonly<Record<Exclude<Shell, 'json'>, Form>> = {
  bash: {
    assign: (name, value) => `export ${name}=${value}`,
    quote: (text) =>
      holdsControl(text)
        ? `$'${withBytes(text.replace(/[\\']/g, '\\$&'), '\\x')}'`
        : `'${text.replaceAll("'", "'\\''")}'`,
  },
  fish: {
    assign: (name, value) => `set -gx ${name} ${value}`,
    // Escapes of bytes are read outside of quotes only.
    quote: (text) =>
      `'${text.replace(/[\\']/g, '\\$&').replace(CONTROL, (control) => `'${withBytes(control, '\\X')}'`)}'`,
  },
  powershell: {
    assign: (name, value) => `$env:${name} = ${value}`,
    quote: (text) =>
      holdsControl(text)
        ? `"${text.replace(DOUBLE, '`$&').replace(CONTROL, (control) => `$([char]${control.charCodeAt(0)})`)}"`
        : `'${text.replace(SINGLE, '$&$&')}'`,
  },
};

function holdsControl(text: string): boolean {
  return text.search(CONTROL) !== -1;
}

/** Text with the bytes of its controls in hex digits, each behind a mark. */
function withBytes(text: string, mark: string): string {
  return text.replace(CONTROL, (control) => Buffer.from(control).toString('hex').replace(/../g, `${mark}$&`));
}
