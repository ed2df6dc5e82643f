import { readData } from '../../support/frames.js';

const lists: Readonly<Record<'words' | 'queries' | 'letters', readonly string[][]>> = readData(
  'attacks/security/naughty.yaml',
);
const [WORDS, QUERIES, LETTERS] = [lists.words.flat(), lists.queries.flat(), lists.letters.flat()];

/** Characters that no header may hold, each alone and inside of a text. */
const CONTROLS = Array.from({ length: 33 }, (_, code) => String.fromCharCode(code === 32 ? 127 : code)).flatMap(
  (control) => [control, `a${control}b`],
);

const LENGTHS = [63, 64, 65, 127, 128, 255, 256, 257, 1000, 4096].map((length) => 'k'.repeat(length));

/** Texts that were trouble somewhere: words of languages, queries and commands, scripts of the world, signs, lengths. */
export const NAUGHTY: readonly string[] = [
  ...new Set<string>([
    ...WORDS,
    ...QUERIES,
    ...LETTERS,
    ...CONTROLS,
    ...LENGTHS,
    ...[...WORDS, ...LETTERS].map((text) => `${text}${text}`),
    ...QUERIES.map((text) => `key-${text}`),
    ...['=', '==', ',', ';', ':', '/', '\\', '|', '~', '!', '@', '#', '&', '+', '-'].flatMap((sign) => [
      sign,
      sign.repeat(40),
    ]),
  ]),
];
