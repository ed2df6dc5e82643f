import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const DIALECTS = ['messages', 'responses', 'generate-content'] as const;

/** A member added to a union of the model: the file, the text it goes behind, the addition. */
const ADDITIONS = [
  ['content.ts', 'export type Part =', "\n  | (Node & { readonly kind: 'newPart' })"],
  ['tools.ts', 'export type Tool =', " (ToolFields & { readonly kind: 'newTool' }) |"],
  ['tools.ts', 'export type HostedFamily =', "\n  | 'newFamily'"],
] as const;

/** The library with a new kind of part, a new kind of tool and a new hosted family, and what the compiler says of it. */
describe('a new member of the model does not compile', () => {
  let folder = '';
  let errors: readonly string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interlingua-exhaustive-'));
    cpSync(join(root, 'translators'), join(folder, 'translators'), { recursive: true });
    for (const file of ['tsconfig.json', 'tsconfig.library.json']) cpSync(join(root, file), join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, behind, addition] of ADDITIONS) {
      const path = join(folder, 'translators/canonical', file);
      const text = readFileSync(path, 'utf8');
      const changed = text.replace(behind, behind + addition);
      expect(changed).not.toBe(text);
      writeFileSync(path, changed);
    }
    const tsc = join(root, 'node_modules/.bin/tsc');
    const output = await new Promise<string>((resolve) => {
      execFile(tsc, ['-p', 'tsconfig.library.json', '--pretty', 'false'], { cwd: folder }, (_failed, stdout) =>
        resolve(stdout),
      );
    });
    errors = output.split(/\n(?=translators\/)/);
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(DIALECTS)('in %s', (dialect) => {
    test.each([
      ['a kind of part', 'newPart', ['content/fit.ts', 'content/encode.ts', 'answer/parts.ts']],
      ['a kind of tool', 'newTool', ['tools/encode.ts']],
      ['a hosted family', 'newFamily', ['rules.ts', 'tools/hosted/foreign.ts']],
    ])('%s', (_what, word, files) => {
      for (const file of files) {
        const found = errors.filter((error) => error.startsWith(`translators/${dialect}/${file}(`));
        expect({ file, found: found.some((error) => error.includes(word)) }).toEqual({ file, found: true });
      }
    });
  });
});
