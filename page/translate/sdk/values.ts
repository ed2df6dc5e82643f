/** JSON values as programs write them. */

const INDENT = '  ';

const JS_NAME = /^[A-Za-z_$][\w$]*$/;

/** A value as JavaScript, whose lines after the first are indented by `depth` steps. */
export function javascriptOf(value: unknown, depth = 0): string {
  return laidOut(value, depth, {
    indent: INDENT,
    scalar: (one) => JSON.stringify(one),
    // A member of this name, written plainly, would be the prototype.
    key: (name) => (name === '__proto__' ? '["__proto__"]' : JS_NAME.test(name) ? name : JSON.stringify(name)),
  });
}

/** The same as Python. */
export function pythonOf(value: unknown, depth = 0): string {
  return laidOut(value, depth, {
    indent: INDENT.repeat(2),
    scalar: (one) => PYTHON_WORDS.get(one) ?? JSON.stringify(one),
    key: (name) => JSON.stringify(name),
  });
}

const PYTHON_WORDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

interface Manner {
  readonly indent: string;
  scalar(value: unknown): string;
  key(name: string): string;
}

function laidOut(value: unknown, depth: number, manner: Manner): string {
  if (typeof value !== 'object' || value === null) return manner.scalar(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((one) => laidOut(one, depth + 1, manner))
    : Object.entries(value).map(([name, one]) => `${manner.key(name)}: ${laidOut(one, depth + 1, manner)}`);
  if (members.length === 0) return `${open}${close}`;
  const inner = manner.indent.repeat(depth + 1);
  return `${open}\n${members.map((one) => `${inner}${one},\n`).join('')}${manner.indent.repeat(depth)}${close}`;
}

/** A text as one word of a shell of Unix. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
