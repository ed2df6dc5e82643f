import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { COPIED } from '../../release/facts.mjs';
import { PACKAGE_ROOT } from '../support/package-root.js';

const read = (file: string): string => readFileSync(join(PACKAGE_ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const { packages: locked } = JSON.parse(read('package-lock.json'));

/** Names with what each is for: the table of the decision that gives each dependency a reason. */
const REASONS = [
  ...read('docs/internals/decisions/0004-runtime-dependencies.md').matchAll(/^\| (`.+?) \| (.+?) \|/gm),
].map(([, names = '', reason = '']) => [names, reason]);

const rows = (lines: readonly (readonly string[])[]): string =>
  ['| Package | For |', '|---|---|', ...lines.map(([names, reason]) => `| ${names} | ${reason} |`)].join('\n');

const TABLES = {
  dependencies: rows(REASONS),
  copied: rows(Object.entries(COPIED).map(([name, reason]) => [`\`${name}\``, reason])),
};

test.each(Object.entries(TABLES))(
  'SECURITY.md lists the %s with what each is for; UPDATE=1 writes it',
  (name, table) => {
    const page = read('SECURITY.md');
    const text = page.replace(
      new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`),
      (_all, begin, end) => `${begin}${table}\n${end}`,
    );
    if (process.env.UPDATE === '1') writeFileSync(join(PACKAGE_ROOT, 'SECURITY.md'), text);
    else expect(page).toBe(text);
  },
);

describe('the tables', () => {
  test('name all that is installed because we ask for it', () => {
    const names = REASONS.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(names.sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });

  test('name all that is copied, or what brings it', () => {
    const copied = Object.keys(JSON.parse(read('dist/vendored/package.json')).dependencies);
    const brought = new Set(copied.flatMap((name) => Object.keys(locked[`node_modules/${name}`]?.dependencies ?? {})));
    expect(copied.length).toBeGreaterThan(10);
    // A row of COPIED in release/facts.mjs says what one is for.
    expect(copied.filter((name) => COPIED[name] === undefined && !brought.has(name))).toEqual([]);
  });

  test('name no package that the project does not have', () => {
    const known = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.keys(COPIED).filter((name) => known[name] === undefined)).toEqual([]);
  });
});

test('the commands that check a release name what there is', () => {
  const commands = [...read('SECURITY.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
  const [, audited = ''] = /npm audit --prefix node_modules\/interlingua\/(\S+)/.exec(commands) ?? [];
  expect(existsSync(join(PACKAGE_ROOT, audited, 'package-lock.json'))).toBe(true);
  const identities = [
    ...commands.matchAll(/--certificate-identity https:\/\/github\.com\/interlingua\/interlingua\/(\S+)/g),
  ];
  expect(identities.map(([, identity]) => identity)).toEqual(
    Array.from({ length: 2 }, () => `.github/workflows/release.yml@refs/tags/v${manifest.version}`),
  );
  const workflow = read('.github/workflows/release.yml');
  for (const file of commands.match(/SHA256SUMS[.\w]*/g) ?? []) expect(workflow).toContain(`release-files/${file}`);
  expect(commands.match(/ghcr\.io\/\S+/g)).toEqual(
    [0, 1].map(() => `ghcr.io/interlingua/interlingua:${manifest.version}`),
  );
});
