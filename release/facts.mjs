/** Facts of a release that its programs and the tests read. */

/** Where the version stands beside package.json and its lock file: in each file behind what the pattern's first group takes. */
export const PLACES = [
  { file: 'Dockerfile', pattern: /(org\.opencontainers\.image\.version=")[^"]*/ },
  { file: 'SECURITY.md', pattern: /(ghcr\.io\/interlingua\/interlingua:)[^\s]*/g },
  { file: 'SECURITY.md', pattern: /(@refs\/tags\/v)[^\s]*/g },
  { file: 'docs/http.md', pattern: /("user-agent": "interlingua\/)[^"]*/ },
  ...['express', 'hono', 'next', 'workers', 'bun'].map((name) => ({
    file: `examples/${name}/package.json`,
    pattern: /("interlingua": ")[^"]*/,
  })),
];

/**
 * The licences of what we ship: identifiers of SPDX that let everybody use, change and pass on the software, and ask for no more than to
 * be named.
 */
export const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

/** Packages that say their licence in a way that npm no longer reads, and what their licence files say. */
export const SAID_OTHERWISE = { busboy: 'MIT', streamsearch: 'MIT' };

/** What the build copies into our files, and what for. What these bring with them is copied too, as far as it is used. */
export const COPIED = {
  cockatiel: 'circuit breakers and pauses before another try',
  'gpt-tokenizer': 'token counts where a backend cannot count: one vocabulary of 2 MB, not 30 MB',
  'node-fetch': 'fetching what callers name, over the guarded connections',
  pino: 'lines of the log',
  'prom-client': 'metrics',
  zod: 'checking configurations; it is installed as well, for users of the library',
  'zod-to-json-schema': 'schemas of zod 3; it is installed as well',
  preact: 'the page: its components',
  '@preact/signals': 'the page: its state',
  '@codemirror/commands': 'the page: its editors, with the five packages below',
  '@codemirror/lang-json': 'the page: JSON in the editors',
  '@codemirror/language': 'the page: the structure of a text',
  '@codemirror/search': 'the page: search',
  '@codemirror/state': 'the page: the text',
  '@codemirror/view': 'the page: what is seen of it',
  '@lezer/highlight': 'the page: colours of JSON',
  shlex: 'the page: words of a pasted command',
  '@noble/hashes': 'the page: SHA-256; it is installed as well',
  fflate: 'the page: deflate; it is installed as well',
};
