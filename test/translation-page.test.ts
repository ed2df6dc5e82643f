import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { members as chat, unsent as chatUnsent } from '../translators/chat-completions/request/members.js';
import {
  config,
  members as generate,
  unsent as generateUnsent,
} from '../translators/generate-content/request/members.js';
import { members as messages, unsent as messagesUnsent } from '../translators/messages/request/members.js';
import { members as responses, unsent as responsesUnsent } from '../translators/responses/request/members.js';
import type { Members } from '../translators/wire/members.js';
import { PACKAGE_ROOT } from './support/package-root.js';

/** The settings of requests in docs/internals/translation.md, from the tables of members of the dialects. */
interface Dialect {
  readonly tables: readonly (readonly [path: string, Members])[];
  readonly unsent: Readonly<Record<string, unknown>>;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  messages: { tables: [['', messages]], unsent: messagesUnsent },
  responses: { tables: [['', responses]], unsent: responsesUnsent },
  generateContent: {
    tables: [
      ['', generate],
      ['generationConfig.', config],
    ],
    unsent: generateUnsent,
  },
  chatCompletions: { tables: [['', chat]], unsent: chatUnsent },
};

interface Place {
  readonly field: string;
  readonly path: string;
  readonly home: boolean;
}

function placesOf([prefix, members]: Dialect['tables'][number]): Place[] {
  return Object.entries(members).flatMap(([key, { field, members: inner, home, schema }]) => [
    ...(inner === undefined ? [] : placesOf([`${prefix}${key}.`, inner])),
    ...(field === undefined
      ? []
      : [{ field, path: `\`${prefix}${key}\`${schema === undefined ? ' (some hosts)' : ''}`, home: home === true }]),
  ]);
}

/** What becomes of the field of another dialect's request. */
function fateOf(rule: unknown): string {
  const rules: readonly unknown[] = Array.isArray(rule) ? rule : [rule];
  if (rules.length === 0) return '2.2';
  const words = rules.map((one) =>
    typeof one === 'object' && one !== null && 'refuses' in one ? 'refused' : 'dropped',
  );
  return [...new Set(words)].join(' or ');
}

function cell(field: string, { tables, unsent }: Dialect): string {
  const places = tables.flatMap(placesOf).filter((place) => place.field === field);
  const paths = places.map(({ path }) => path).join(', ');
  if (places.some(({ home }) => !home)) return paths;
  const fate = Object.hasOwn(unsent, field) ? fateOf(unsent[field]) : '2.2';
  return places.length === 0 ? (fate === '2.2' ? '–' : fate) : `${paths}; of others: ${fate}`;
}

function table(): string {
  const all = Object.values(DIALECTS);
  const fields = new Set([
    ...all.flatMap(({ tables }) => tables.flatMap(placesOf).map(({ field }) => field)),
    ...all.flatMap(({ unsent }) => Object.keys(unsent)),
  ]);
  const rows = [...fields].map((field) => [`\`${field}\``, ...all.map((dialect) => cell(field, dialect))]);
  const head = ['Canonical field', ...Object.keys(DIALECTS)];
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replaceAll('| --- ', '|---')
    .replace(/\|---\|$/m, '|---|');
}

test('the table of settings is what the members say', () => {
  const path = join(PACKAGE_ROOT, 'docs/internals/translation.md');
  const text = readFileSync(path, 'utf8');
  const [before = '', rest = ''] = text.split('<!-- settings -->\n');
  const [between, after] = rest.split('\n<!-- end of settings -->');
  expect(after).toBeDefined();
  if (process.env.UPDATE === '1')
    writeFileSync(path, `${before}<!-- settings -->\n${table()}\n<!-- end of settings -->${after}`);
  else expect(between).toBe(table());
});
