import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Documents that are cited by section, by the name that citations use. CONTRIBUTING.md documents the forms. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  translation: 'docs/internals/translation.md',
  hardening: 'test/attacks/hardening.md',
  attacks: 'test/attacks/attacks.md',
  media: 'docs/internals/protocols/media.md',
  M: 'docs/internals/protocols/messages.md',
  R: 'docs/internals/protocols/responses.md',
  G: 'docs/internals/protocols/generate-content.md',
  H: 'docs/internals/protocols/chat-completions.md',
};

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const SOURCES = [
  ...['translators', 'src', 'page', 'test'].flatMap((folder) => filesBelow(folder, /\.(tsx?|md)$/)),
  ...filesBelow('docs', /\.md$/),
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'llms.txt'],
].filter((file) => file !== 'test/citations.test.ts');

/**
 * The places of a document that can be cited: numbered headings, and under each the numbers of its list items (`4.2.7`) and of
 * table rows that begin with a number or a letter and a number (`1.29`, `5.T28`).
 */
function placesOf(text: string): Set<string> {
  const places = new Set<string>();
  let section = '';
  for (const line of text.split('\n')) {
    const [, heading] = /^#{2,4} (\d+(?:\.\d+)*)[.:]? /.exec(line) ?? [];
    const [, item] = /^\s*(\d+)\. /.exec(line) ?? [];
    const [, row] = /^\| ([A-Z]?\d+) \|/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    for (const number of [item, row]) if (number !== undefined) places.add(`${section}.${number}`);
    if (heading !== undefined) places.add(heading);
  }
  return places;
}

const places = Object.fromEntries(
  Object.entries(DOCUMENTS).map(([name, file]) => [name, placesOf(readFileSync(join(root, file), 'utf8'))]),
);
const hardCases = readFileSync(join(root, 'test/hard-cases.md'), 'utf8');
const decisions = readdirSync(join(root, 'docs/internals/decisions'));

interface Citation {
  readonly document: string;
  readonly place: string;
}

const NUMBER = String.raw`\d+(?:\.\d+)*`;
const NUMBERS = String.raw`\d+(?:(?:, | and | to )\d+)*`;

/** `translation.md 2.6, 4.1`, `media.md 1.1 to 1.4`. */
function* bySection(text: string): Generator<Citation> {
  const form = new RegExp(
    String.raw`(?<![\w-])(translation|hardening|media)(?:\.md)? (?:section )?(${NUMBER}(?:(?:, | and | to )\d+\.\d+(?:\.\d+)*)*)(?![\w/])`,
    'g',
  );
  for (const [, document = '', list = ''] of text.matchAll(form)) {
    for (const [place] of list.matchAll(new RegExp(NUMBER, 'g'))) yield { document, place };
  }
}

/** `hardening.md row 48`, `hardening.md section 4, rows 18 and 23`, `hardening.md T28`, `attacks.md finding 14`. */
function* byRow(text: string): Generator<Citation> {
  const rows = new RegExp(String.raw`\bhardening\.md (?:section (\d),? )?rows? (${NUMBERS})`, 'g');
  for (const [, section = '1', list = ''] of text.matchAll(rows)) {
    for (const [number] of list.matchAll(/\d+/g)) yield { document: `hardening ${section}`, place: number };
  }
  for (const [, row = ''] of text.matchAll(/\bhardening\.md (T\d+)/g)) yield { document: 'hardening 5', place: row };
  for (const [, list = ''] of text.matchAll(
    new RegExp(String.raw`\battacks\.md,? (?:findings?|rows?) (${NUMBERS})`, 'g'),
  )) {
    for (const [number] of list.matchAll(/\d+/g)) yield { document: 'attacks ', place: number };
  }
}

/** `[M §2.1]`, `[R §2.5, §4.2 note 3]`, `[M §3.24-3.26]`, `[M §2.5, R §2.6]`, `[media 1.5, 2.1]`. */
function* byBracket(text: string): Generator<Citation> {
  for (const [, inside = ''] of text.matchAll(/\[((?:[MRGH]|media) §[^\]]*)\]/g)) {
    let document = '';
    const parts = new RegExp(
      `([MRGH]|media)? ?§(${NUMBER})(?:-(${NUMBER}))?(?: (?:rows?|rules?|notes?|items?) (${NUMBERS}))?`,
      'g',
    );
    for (const [, letter, place = '', last, numbers] of inside.matchAll(parts)) {
      document = letter ?? document;
      yield { document, place };
      if (last !== undefined) yield { document, place: last.includes('.') ? last : place.replace(/\d+$/, last) };
      for (const [number] of (numbers ?? '').matchAll(/\d+/g)) yield { document, place: `${place}.${number}` };
    }
  }
  for (const [, list = ''] of text.matchAll(/\[media ([\d., ]+)[;\]]/g)) {
    for (const [place] of list.matchAll(new RegExp(NUMBER, 'g'))) yield { document: 'media', place };
  }
}

function exists({ document, place }: Citation): boolean {
  const [name = '', section] = document.split(' ');
  const known = places[name] ?? new Set();
  if (section === undefined) return known.has(place);
  return [...known].some((each) => each.startsWith(section === '' ? '.' : `${section}.`) && each.endsWith(`.${place}`));
}

/** A file as running text: line ends, and what begins the next line of a comment, are blanks. */
function running(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
}

const texts = SOURCES.map((file) => [file, running(file)] as const);

/** What is wrong in each file, as `file: what`. */
function faults(find: (text: string, file: string) => Iterable<string>): string[] {
  return texts.flatMap(([file, text]) => [...new Set(find(text, file))].map((fault) => `${file}: ${fault}`));
}

describe('what code, tests and documents cite', () => {
  test.each([
    ['by section', bySection, 350],
    ['by row', byRow, 60],
    ['by a bracket', byBracket, 450],
  ])('%s: the place exists', (_name, cited, atLeast) => {
    const all = texts.flatMap(([, text]) => [...cited(text)]);
    expect(all.length).toBeGreaterThan(atLeast);
    const missing = faults((text) =>
      [...cited(text)].filter((each) => !exists(each)).map(({ document, place }) => `${document} ${place}`),
    );
    expect(missing).toEqual([]);
  });

  test('hard cases exist', () => {
    const ids =
      /\b(?:H-[A-Z]+|(?<!H-)(?:ROLE|TEXT|TOOL|CALL|STRM|RSN|USE|STOP|ERR|MED|BLT|STR|STA|SSE|GW|IMG|VID))-\d\d\b/g;
    expect(hardCases.match(/\*\*[A-Z]+-\d\d\*\*/g)?.length).toBeGreaterThan(80);
    expect(
      faults((text) => [...text.matchAll(ids)].map(([id]) => id).filter((id) => !hardCases.includes(`**${id}**`))),
    ).toEqual([]);
  });

  test('decisions exist', () => {
    const numbers = /\b[Dd]ecision (\d+)/g;
    expect(
      faults((text) =>
        [...text.matchAll(numbers)]
          .map(([, number = '']) => number)
          .filter((number) => !decisions.some((file) => file.startsWith(`${number}-`))),
      ),
    ).toEqual([]);
  });

  test('documents that are named exist', () => {
    const known = new Set(SOURCES.filter((file) => file.endsWith('.md')).map((file) => file.split('/').at(-1)));
    known.add('CHANGELOG.md');
    // What `interlingua migrate` writes.
    known.add('report.md');
    const named = /(?<![\w./*-])(?:[\w-]+\/)*([\w-]+\.md)\b/g;
    expect(
      faults((text) => [...text.matchAll(named)].map(([, name = '']) => name).filter((name) => !known.has(name))),
    ).toEqual([]);
  });

  test('headings that are named exist', () => {
    const pages = SOURCES.filter((file) => file.endsWith('.md'));
    const slugs = (file: string) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      );
    const known = new Set(pages.flatMap((file) => slugs(file).map((slug) => `${file.split('/').at(-1)}#${slug}`)));
    const named = /(?<![\w./-])(?:[\w./-]+\/)?([\w-]+\.md#[\w-]+)/g;
    expect(
      faults((text, file) => [
        ...[...text.matchAll(named)].map(([, name = '']) => name).filter((name) => !known.has(name)),
        ...[...text.matchAll(/\]\((#[\w-]+)\)/g)]
          .map(([, anchor = '']) => `${file.split('/').at(-1)}${anchor}`)
          .filter((name) => !known.has(name)),
      ]),
    ).toEqual([]);
  });

  test('nothing is cited without the name of its document', () => {
    const bare = /['"`(]rows? \d+|\battacks, rows?|\[seed[, ]|\bseed (?:image|generate|responses)[\w-]*,/g;
    expect(faults((text) => [...text.matchAll(bare)].map(([found]) => found))).toEqual([]);
  });
});
