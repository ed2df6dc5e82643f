import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onOneLine } from '../../translators/wire/json.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A value that is to be of a type. */
export interface Literal {
  /** Where it comes from, for the words about it. */
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** What is compiled in one file: values, and the declarations of their types. */
export interface Literals {
  readonly values: readonly Literal[];
  readonly types: string;
}

/**
 * Writes values out as literals under types of the official clients and gives what the compiler says of them, each as
 * `file name: words`. The compiler runs once.
 */
export function complaintsAbout(files: Readonly<Record<string, Literals>>): string[] {
  const folder = mkdtempSync(join(root, '.literals-'));
  try {
    for (const [name, { values, types }] of Object.entries(files)) {
      // Literals come first, so that a line's number is that of its value.
      const lines = values.map(({ type, value }, index) => `export const v${index}: ${type} = ${printed(value)};`);
      writeFileSync(join(folder, `${name}.ts`), `${lines.join('\n')}\n${types}\n`);
    }
    const compilerOptions = { noEmit: true, rootDir: '.', types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }),
    );
    return compile(folder).map((line) => {
      const [, file = '', number = '', text = line] = /^(?:.*[/\\])?([\w-]+)\.ts\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      const found = files[file]?.values[Number(number) - 1];
      return `${file} ${found?.name ?? `line ${number}`}: ${text}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** On one line, also for the compiler. Long texts say nothing about the form. */
function printed(value: unknown): string {
  const json = JSON.stringify(value, (_key, child) =>
    typeof child === 'string' && child.length > 100 ? `${child.slice(0, 20)}...` : child,
  );
  return onOneLine(json);
}

function compile(folder: string): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return [];
  } catch (error) {
    const said = String((error as { stdout?: unknown }).stdout ?? '');
    if (!said.includes('error TS')) throw error;
    // What is indented belongs to the line above.
    return said
      .replace(/\n\s+/g, ' ')
      .split('\n')
      .filter((line) => line !== '');
  }
}
