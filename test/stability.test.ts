import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from './support/package-root.js';

/** What docs/contract.md covers by name, and the pages that list the names, compared with the code. */
const read = (path: string): string => readFileSync(join(PACKAGE_ROOT, path), 'utf8');

const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([all, first]) => first ?? all))].sort();

const section = (page: string, heading: string): string => {
  const [, text = ''] = read(page).split(`\n${heading}\n`);
  return text.split('\n## ')[0] ?? '';
};

test('the exports of the package', () => {
  const { name, exports } = JSON.parse(read('package.json'));
  const [, row = ''] = /\| exports \|(.*)/.exec(read('docs/contract.md')) ?? [];
  const named = matches(row.split(':')[0] ?? '', /`(?:interlingua)?(\/?[\w./-]*)`/g).map((path) =>
    path.replace(/^\//, ''),
  );
  const paths = Object.keys(exports).map((path) => path.replace(/^\.\/?/, ''));
  const under = (path: string): string => path.replace(/^translators\/(?=messages|responses|generate|chat)/, '');
  expect([name, named]).toEqual(['interlingua', paths.map(under).sort()]);
});

test('the fields of the log line of an exchange', () => {
  const [, body = ''] = /export interface Facts \{\n(.*?)\n\}/s.exec(read('src/http/call-record.ts')) ?? [];
  const facts = matches(body, /^ {2}(\w+)\??:/gm);
  const others = ['id', 'method', 'path', 'status', 'client', 'key', 'outcome', 'ms', 'worker'];
  const first = section('docs/operations.md', '## The log')
    .split('\n')
    .flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1] ?? ''] : []));
  expect(matches(first.join(), /`(\w+)`/g)).toEqual([...facts, ...others].sort());
});

test('the members of report.json', () => {
  const { properties, required } = JSON.parse(read('src/migrate/report.schema.json'));
  const [, list = ''] = /`report\.json` is `\{([^}]*)\}`/.exec(read('docs/migration.md')) ?? [];
  const named = list.split(',').map((word) => word.trim().replace(/:.*/, ''));
  expect([named, Object.keys(properties)]).toEqual([required, required]);
});

const textsOf = (folder: string, ending: string): string =>
  readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => read(join(folder, path)))
    .join('\n');

test('the headers of ours', () => {
  const pattern = /x-interlingua-[a-z-]*[a-z]/g;
  expect(matches(section('docs/http.md', '## Headers'), pattern)).toEqual(matches(textsOf('src', '.ts'), pattern));
});

test('the variables of the environment', () => {
  const pattern = /\bINTERLINGUA_[A-Z_]*[A-Z]/g;
  // Between processes of the gateway alone.
  const ours = matches(textsOf('src', '.ts'), pattern).filter((name) => name !== 'INTERLINGUA_WORKER');
  expect(matches(textsOf('docs', '.md'), pattern)).toEqual(ours);
});
