import type { Word, Words } from '../../translators/index.js';

/** A table of docs/configuration.md: a row for each word, and for each word of a group that is given whole. */
export function wordsTable(words: Words): string {
  return ['| Flag | Values | Meaning |', '|---|---|---|', ...rowsOf(words, '')].join('\n');
}

function rowsOf(words: Words, path: string): readonly string[] {
  return Object.entries(words).flatMap(([name, word]) => [
    `| \`${path}${name}\` | ${valuesOf(word)} | ${word.says} |`,
    ...(word.is === 'group' && word.apart !== true ? rowsOf(word.words, `${path}${name}.`) : []),
  ]);
}

const VALUES = {
  flag: 'yes or no',
  map: 'a map of words',
  count: 'a number',
  whole: 'a number, or 0',
  amount: 'a number',
} as const;

function valuesOf(word: Word): string {
  switch (word.is) {
    case 'one':
      return listed(word.of);
    case 'list':
      return `a list of ${listed(word.of)}`;
    case 'group':
      return word.apart === true ? 'a map, see below' : `a map of ${listed(Object.keys(word.words))}`;
    default:
      return VALUES[word.is];
  }
}

function listed(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}
