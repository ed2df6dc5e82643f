import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Paths below a folder of the project, as pages name them between backquotes; patterns have other characters. */
const PATH = /`((?:src|test|docs|translators|deploy)\/[\w./-]+)`/g;

test.each(['SECURITY.md', 'test/attacks/attacks.md', 'test/attacks/hardening.md'])(
  '%s names files and folders that are there',
  (page) => {
    const named = [...readFileSync(join(root, page), 'utf8').matchAll(PATH)].map(([, path = '']) => path);
    expect(
      named.filter((path) => ![path, `${path}.test.ts`, `${path}.long.ts`].some((one) => existsSync(join(root, one)))),
    ).toEqual([]);
  },
);
