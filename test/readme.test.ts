import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fetch from 'node-fetch';
import { parse } from 'yaml';
import { createGateway, type GatewayServer, loadConfig } from '../src/index.js';
import { routes } from '../src/routes/index.js';
import { dialects, TARGET_WORDS } from '../translators/index.js';
import { commandLinesOf, takeCommandLine } from './support/command-lines.js';
import { readCurl } from './support/curl.js';
import { answerTables, requestTables } from './support/support-table/index.js';
import { wordsTable } from './support/target-words.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const README = 'README.md';
const CONFIGURATION = 'docs/configuration.md';
const FEATURES = 'docs/features.md';
const PERFORMANCE = 'docs/performance.md';
/** The pages for users, whose examples run here. */
const PAGES = [
  README,
  CONFIGURATION,
  FEATURES,
  PERFORMANCE,
  'docs/agents.md',
  'docs/cli.md',
  'docs/handler.md',
  'docs/concepts.md',
  'docs/http.md',
  'docs/images-and-videos.md',
  'docs/library.md',
  'docs/import.md',
  'docs/migration.md',
  'docs/operations.md',
  'docs/simulator.md',
];
/** Their programs and calls run in test/docs/guides.long.ts, over the configurations in front of them. */
const GUIDES = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
const EXAMPLE_URL = 'http://127.0.0.1:8080';

function page(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** The code blocks of one language, page by page, each with its page and number. */
function blocks(language: string, pages: readonly string[] = PAGES): [name: string, code: string][] {
  const fence = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  return pages.flatMap((name) =>
    [...page(name).matchAll(fence)].map(([, code = ''], index): [string, string] => [`${name} ${index}`, code]),
  );
}

/** The text between two marks of a page. */
function between(name: string, mark: string): string {
  const [, text = ''] =
    page(name).match(new RegExp(`<!-- ${mark} -->\\n([\\s\\S]*?)\\n?<!-- end of ${mark} -->`)) ?? [];
  return text;
}

/** The command lines of shell blocks, each with its page. */
function commandLines(): [line: string, words: string[]][] {
  return blocks('sh', [...PAGES, ...GUIDES]).flatMap(([name, code]) =>
    commandLinesOf(code).map(({ line, words }): [string, string[]] => [`${name}: ${line}`, words]),
  );
}

let gateway: GatewayServer;
let url: string;
let folder: string;

beforeAll(async () => {
  // As a start without a configuration and without keys of services serves it.
  gateway = createGateway(loadConfig(undefined, { INTERLINGUA_LOG_LEVEL: 'silent' }));
  ({ url } = await gateway.listen({ port: 0 }));
  folder = mkdtempSync(join(root, '.readme-'));
});

afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

describe('what the README and the pages for users claim', () => {
  test.each(blocks('sh').filter(([, code]) => code.startsWith('curl')))(
    'a curl call is answered: %s',
    async (_, code) => {
      const call = readCurl(code);
      const answer = await fetch(call.url.replace(EXAMPLE_URL, url), {
        method: call.body === '' ? 'GET' : 'POST',
        headers: call.headers,
        body: call.body === '' ? undefined : call.body,
      });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toMatch(/Hello|"b64_json"|"exchanges"/);
    },
  );

  test('the call that would be made is what the page on routes shows', async () => {
    const [, asked = '', shown = ''] =
      page('docs/http.md').match(/(curl[^`]*explain[^`]*)```\n+```json\n([^`]*)```/) ?? [];
    const { url: address, headers, body } = readCurl(asked);
    const answer = await fetch(address.replace(EXAMPLE_URL, url), { method: 'POST', headers, body });
    const version = /interlingua\/[\w.-]+/;
    const text = await answer.text();
    expect(JSON.parse(text.replace(version, ''))).toEqual(JSON.parse(shown.replace(version, '')));
  });

  test.each(blocks('js'))('a program runs and prints something: %s', async (name, code) => {
    const program = join(folder, `${name.replace(/\W+/g, '-')}.mjs`);
    writeFileSync(program, code.replaceAll(EXAMPLE_URL, url));
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      cwd: folder,
      env: { PATH: process.env.PATH, INTERLINGUA_LOG_LEVEL: 'silent' },
    });
    expect(stdout.trim()).not.toBe('');
  });

  test.each(commandLines())('the program takes a command line: %s', (_, words) => takeCommandLine(words));

  test('the command lines that read files run on such files', async () => {
    const body = { model: 'any', max_tokens: 500, messages: [{ role: 'user', content: 'Hello' }] };
    writeFileSync(join(folder, 'request.json'), JSON.stringify(body));
    writeFileSync(join(folder, 'traffic.jsonl'), `${JSON.stringify(body)}\n`);
    const call = { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body };
    writeFileSync(join(folder, 'batch.jsonl'), JSON.stringify(call));
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'end_turn' };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const result = { type: 'succeeded', message: { ...message, usage } };
    writeFileSync(join(folder, 'results.jsonl'), JSON.stringify({ custom_id: '1', result }));
    const ask = { model: 'sim-responses', input: 'Hello', stream: true };
    const streamed = await fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(ask) });
    writeFileSync(join(folder, 'recorded.sse'), await streamed.text());
    const lines = commandLines().filter(([, [name]]) => name === 'translate' || name === 'migrate');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    const printed = lines.map(([, words]) =>
      promisify(execFile)(process.execPath, [join(root, 'dist/src/cli.js'), ...words], { cwd: folder }),
    );
    for (const { stdout } of await Promise.all(printed)) expect(stdout).not.toBe('');
  });

  test.each(blocks('yaml', [...PAGES, ...GUIDES]))('an example configuration is valid: %s', (_, code) => {
    const path = join(folder, 'interlingua.yaml');
    writeFileSync(path, code);
    mkdirSync(join(folder, 'secrets'), { recursive: true });
    writeFileSync(join(folder, 'secrets', 'claude'), 'upstream-key\n');
    process.env.ANTHROPIC_API_KEY = 'upstream-key';
    process.env.TEAM_A_KEY = 'a-long-enough-team-key';
    process.env.GROQ_API_KEY = 'one-more-upstream-key';
    process.env.GEMINI_API_KEY = 'another-upstream-key';
    process.env.OPENAI_API_KEY = 'an-upstream-key-of-openai';
    try {
      expect(Object.keys(loadConfig(path).models)).toEqual(Object.keys(parse(code).models ?? { '*': {} }));
    } finally {
      delete process.env.ANTHROPIC_API_KEY;
      delete process.env.TEAM_A_KEY;
      delete process.env.GROQ_API_KEY;
      delete process.env.GEMINI_API_KEY;
      delete process.env.OPENAI_API_KEY;
    }
  });

  test.each([
    ['requests', requestTables],
    ['answers', answerTables],
  ])('the support tables of %s are what the translators do', (what, print) => {
    const mark = `support tables: ${what}`;
    if (process.env.UPDATE === '1') {
      const [before = '', rest = ''] = page(FEATURES).split(`<!-- ${mark} -->`);
      const [, after = ''] = rest.split(`<!-- end of ${mark} -->`);
      writeFileSync(join(root, FEATURES), `${before}<!-- ${mark} -->\n${print()}\n<!-- end of ${mark} -->${after}`);
      return;
    }
    expect(between(FEATURES, mark)).toBe(print());
  });

  test('every configuration key is in the table', () => {
    const table = between(CONFIGURATION, 'configuration');
    const { limits, store, media, log, listen, metrics } = loadConfig();
    const keys = [limits, store, media, log, listen, metrics].flatMap((section) => Object.keys(section));
    expect(keys.filter((key) => !table.includes(`.${key}\``))).toEqual([]);
  });

  test.each([
    ['profile flags', TARGET_WORDS],
    ['server flags', TARGET_WORDS.server.words],
  ] as const)('the table of %s is that of the vocabulary; UPDATE=1 writes it', (mark, words) => {
    const table = between(CONFIGURATION, mark);
    if (process.env.UPDATE === '1')
      writeFileSync(join(root, CONFIGURATION), page(CONFIGURATION).replace(table, wordsTable(words)));
    else expect(table).toBe(wordsTable(words));
  });

  test('a target says nothing but words of the vocabulary, what its host lacks, and rules', () => {
    const resolved = Object.values(dialects).flatMap((dialect) => {
      const { rules: _rules, unsupported: _unsupported, ...words } = dialect.target('any');
      return Object.keys(words);
    });
    expect(resolved.filter((flag) => !Object.hasOwn(TARGET_WORDS, flag))).toEqual([]);
  });

  test('every route is in the table, and every route of the table exists', () => {
    const table = page('docs/http.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n');
    const paths = routes.map((route) => route.path);
    expect(paths.filter((path) => !table.includes(path))).toEqual([]);
    const listed = [...table.matchAll(/`(?:(?:GET|POST|DELETE)\b.*? )?(\/[^`]+)`/g)].map(([, path = '']) => path);
    const example = (path: string): string => path.replace('*', 'speech').replace(/\{\w+\}/g, 'x');
    expect(listed.filter((path) => !routes.some((route) => route.pattern.test(example(path))))).toEqual([]);
  });

  test('the figures of the README are those of docs/performance.md; UPDATE=1 writes them', () => {
    const [head = '', rule = '', ...rows] = between(README, 'speed').split('\n');
    const figures = page(PERFORMANCE)
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const current = rows.map((row) => {
      const [, what = '', beside, , ratio] = figures.find((cells) => cells[1] === row.split('|')[1]?.trim()) ?? [];
      return `| ${what} | ${beside} | ${ratio} |`;
    });
    const table = [head, rule, ...current].join('\n');
    expect(rows.length).toBeGreaterThan(3);
    if (process.env.UPDATE === '1')
      writeFileSync(join(root, README), page(README).replace(between(README, 'speed'), table));
    else expect(between(README, 'speed')).toBe(table);
  });

  test('the README is short, and its contents lead somewhere', () => {
    const readme = page(README);
    expect(readme.split('\n').length).toBeLessThanOrEqual(350);
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text));
    const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((anchor) => !headings.includes(anchor ?? ''))).toEqual([]);
  });
});

/** The anchor that a heading has on the usual hosts. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
