import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { errorCode, readFileText, type Template } from '../ground/index.js';
import { formatPath, type Problem } from './problem.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Stand around a name while a file is parsed: within `{ }` and `[ ]`, YAML does not take `${NAME}` as it is. They are as
 * long as what they replace, so that columns stay those of the file.
 */
const OPEN = '\uE000\uE000';
const CLOSE = '\uE001';

/** The text of a file with every `${NAME}` and `${file:PATH}` in a form that YAML and JSON take anywhere. */
export function markVariables(text: string): string {
  return text.replace(/\$\{([A-Za-z_]\w*|file:[^{}\n]+)\}/g, `${OPEN}$1${CLOSE}`);
}

/** A value of a configuration that was read from files. */
export interface FileValue {
  readonly path: readonly PropertyKey[];
  readonly template: Template;
  /** A digest of the text of each file as it was read, by path. */
  readonly digests: Readonly<Record<string, string>>;
}

/** A parsed file with what stands for its variables. */
export interface Interpolated {
  readonly value: unknown;
  readonly fromFiles: readonly FileValue[];
}

/**
 * Puts the environment's values, and the texts of files below `folder`, in every string of a marked and parsed file; a
 * name that is not set and a file that cannot be read become problems.
 */
export function interpolate(
  value: unknown,
  environment: Environment,
  folder: string,
  problems: Problem[],
): Interpolated {
  const fromFiles: FileValue[] = [];
  const visit = (part: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof part === 'string') return textAt(part, path);
    if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item, [...path, key])]));
  };
  const textAt = (text: string, path: readonly PropertyKey[]): string => {
    if (!text.includes(OPEN)) {
      const fault = faultOfVariable(text);
      if (fault !== undefined) problems.push({ path: formatPath(path), reason: fault });
      return text;
    }
    const template = templateOf(text, environment, folder, (reason) =>
      problems.push({ path: formatPath(path), reason }),
    );
    const digests: Record<string, string> = {};
    const pieces = template.map((piece) => {
      if (typeof piece === 'string') return piece;
      try {
        const read = readFileText(piece.file);
        digests[piece.file] = digestOf(read);
        return read;
      } catch (error) {
        const reason = `the file ${piece.file} cannot be read (${errorCode(error) ?? 'unknown reason'})`;
        problems.push({ path: formatPath(path), reason });
        return '';
      }
    });
    if (Object.keys(digests).length > 0) fromFiles.push({ path, template, digests });
    return pieces.join('');
  };
  return { value: visit(value, []), fromFiles };
}

/** What is wrong with a text that was meant to be a variable; undefined when it was not. */
function faultOfVariable(text: string): string | undefined {
  const [, name] = /^\$([A-Za-z_]\w*)$/.exec(text) ?? [];
  if (name !== undefined) return `a variable needs braces; write \`\${${name}}\``;
  const [, litellm] = /^os\.environ\/(\w+)$/.exec(text) ?? [];
  if (litellm !== undefined) return `this form of a variable is LiteLLM's; write \`\${${litellm}}\``;
  const braces = /\$\{\s*([A-Za-z_]\w*)?/.exec(text);
  if (braces === null) return undefined;
  return `invalid variable reference: only a name may stand between the braces; write \`\${${braces[1] ?? 'NAME'}}\``;
}

/** A digest of the text of a file now; '' = it cannot be read. */
export function digestOfFile(path: string): string {
  try {
    return digestOf(readFileText(path));
  } catch {
    return '';
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A marked text with the values of variables in it, and the files that belong in between. */
function templateOf(
  text: string,
  environment: Environment,
  folder: string,
  complain: (reason: string) => void,
): Template {
  const [first = '', ...rest] = text.split(OPEN);
  const pieces: Template[number][] = [first];
  for (const part of rest) {
    const [name = '', after = ''] = part.split(CLOSE);
    if (name.startsWith('file:')) pieces.push({ file: resolve(folder, name.slice('file:'.length).trim()) });
    else {
      const value = environment[name];
      if (value === undefined) complain(`the environment variable ${name} is not set; set it, or write the value here`);
      pieces.push(value ?? '');
    }
    pieces.push(after);
  }
  return pieces;
}
