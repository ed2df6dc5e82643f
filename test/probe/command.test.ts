import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { checkByProbing } from '../../src/cli/check-probe.js';
import { probe } from '../../src/cli/probe.js';
import { parseConfig } from '../../src/config/index.js';
import { hostsAt, isPublicHost, ROWS } from '../../src/probe/index.js';
import { HOST_FEATURES, TARGET_WORDS, type Word } from '../../translators/index.js';
import { type Run, runTogether } from '../cli/command-lines.js';
import { type AnsweringServer, startAnswering } from '../support/answering/index.js';
import { PROGRAM } from '../support/gateway/program.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-probe-'));
const KEY = 'sk-a-key-that-nobody-may-see-0123';

/** All command lines run in one process, one after the other: starts cost more than they do. */
const commandLines: string[][] = [];
let runOf: (line: readonly string[]) => Run;
let server: AnsweringServer;
beforeAll(async () => {
  if (!existsSync(PROGRAM)) throw new Error('the program is not built: npm run build');
  server = await startAnswering('vllm');
  for (const [name, more] of Object.entries(FILES)) {
    const backend = { preset: 'vllm', dialect: 'messages', baseUrl: server.url, ...more };
    writeFileSync(join(folder, name), JSON.stringify({ backends: { a: backend } }));
  }
  const lines = commandLines.map((words) => words.map((word) => word.replace('SERVER', server.url)));
  const env = { INTERLINGUA_BACKEND_KEY: KEY, INTERLINGUA_CONFIG: '' };
  const ran = await runTogether(folder, lines, env);
  runOf = (words) => ran(words.map((word) => word.replace('SERVER', server.url)));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Configurations, by their files: what is said of the backend beside its preset. */
const FILES: Readonly<Record<string, object>> = { 'fine.json': {}, 'wrong.json': { unsupported: ['outputFormat'] } };

function line(...words: string[]): string[] {
  commandLines.push(words);
  return words;
}

describe('interlingua probe', () => {
  const written = join(folder, 'vllm.yaml');
  const first = line('probe', 'SERVER', '--dialect', 'chatCompletions', '--write', written);
  const again = line('probe', 'SERVER', '--dialect', 'chatCompletions', '--calls', '3', '--write', written);
  const asJson = line('probe', 'SERVER', '--dialect', 'messages', '--calls', '12', '--json');
  const heldTo = line('probe', 'SERVER', '--dialect', 'chatCompletions', '--calls', '3', '--preset', 'sglang');
  const fine = line('check', '--probe', '--config', 'fine.json');
  const wrong = line('check', '--probe', '--config', 'wrong.json', '--json');

  test('says what it sends, prints a table and a block, and shows no key', () => {
    const { code, stdout, stderr } = runOf(first);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('at most 40 calls') });
    expect(stdout).toContain('vLLM 0.32.0, by its list of models; preset vllm');
    expect(stdout).toMatch(/^a tool by name +holds$/m);
    expect(stdout).toMatch(/^some of the tools +refused$/m);
    expect(stdout).not.toContain('\u001b');
    expect(stdout + stderr).not.toContain(KEY);
  });

  test('writes the block, and over no file', () => {
    const text = readFileSync(written, 'utf8');
    expect(runOf(first).stdout).toContain(text.trimEnd());
    const input = parse(text);
    const { vllm } = input.backends;
    expect(vllm).toMatchObject({ preset: 'vllm', dialect: 'chatCompletions', profile: { maxOutput: 8192 } });
    expect(vllm.apiKey).toMatch(/^\$\{\w+\}$/);
    const { backends } = parseConfig({ ...input, backends: { vllm: { ...vllm, apiKey: KEY } } });
    expect(backends.vllm?.dialect).toBe('chatCompletions');
    expect(runOf(again)).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
  });

  test('names the preset that the server is held to', () => {
    const { stdout } = runOf(heldTo);
    expect(stdout).toContain('vLLM 0.32.0, by its list of models; preset vllm');
    expect(stdout).toContain('differs from the preset sglang:');
  });

  test('as JSON', () => {
    const { code, stdout } = runOf(asJson);
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report).toMatchObject({ calls: 12, stopped: 'the calls are spent', server: { preset: 'vllm' } });
    expect(report.findings).toContainEqual({ dialect: 'messages', row: 'tools', verdict: 'holds' });
    expect(report.findings).toContainEqual({ dialect: 'messages', row: 'documents', verdict: 'unasked' });
  });

  test.each([
    [line('probe', 'https://api.example.com'), 2, 'is a public host'],
    [line('probe', 'ftp://127.0.0.1'), 2, 'is no address'],
    [line('probe', 'http://user:secret@127.0.0.1'), 2, 'must not contain credentials'],
    [line('probe', 'http://127.0.0.1:1', '--dialect', 'message'), 2, 'did you mean messages?'],
    [line('probe', 'http://127.0.0.1:1', '--calls', '41'), 2, 'from 1 to 40'],
    [line('probe', 'http://127.0.0.1:1'), 1, 'cannot be reached'],
  ] as const)('%j ends with %i', (words, code, reported) => {
    expect(runOf(words)).toMatchObject({ code, stderr: expect.stringContaining(reported) });
  });

  test('check --probe tells where a server is not as configured', () => {
    expect(runOf(fine)).toMatchObject({ code: 0, stdout: expect.stringContaining('a: as configured') });
    const { code, stdout } = runOf(wrong);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).backends[0].differences).toContainEqual(
      expect.objectContaining({ row: 'schema', record: 'fails', server: 'holds' }),
    );
  });
});

test.each([
  ['http://127.0.0.1:8000', false],
  ['http://localhost', false],
  ['http://[::1]:8000', false],
  ['http://192.168.1.7', false],
  ['http://8.8.8.8', true],
  ['https://api.openai.com', true],
  // A public address in forms of IPv6, and private ones.
  ['http://[::ffff:8.8.8.8]', true],
  ['http://[2002:808:808::1]', true],
  ['http://[64:ff9b::8.8.8.8]', true],
  ['http://[fc::1]', true],
  ['http://[::ffff:10.0.0.1]', false],
  ['http://[::ffff:127.0.0.1]', false],
  ['http://[::]', false],
  ['http://[fd12:3456::1]', false],
  ['http://[fe80::1]', false],
  // What a name stands for is not looked up.
  ['http://gpu-box', true],
])('%s is public: %s', (url, isPublic) => expect(isPublicHost(url)).toBe(isPublic));

test.each([
  ['https://corp.example/models', 'https://corp.example/models'],
  ['https://corp.example/v1/models', 'https://corp.example'],
  ['https://corp.example/gw/v1beta/models/gemini', 'https://corp.example/gw'],
  ['https://corp.example/models/chat/completions', 'https://corp.example/models'],
])('the root of %s', (url, root) =>
  expect(hostsAt({ url, dialects: ['messages'] }).map(({ baseUrl }) => baseUrl)).toEqual([root]),
);

describe('who says no', () => {
  const streams = { stdin: process.stdin, stderr: process.stderr };
  afterEach(() => {
    for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value });
  });

  test.each([
    ['probe', () => probe.run({}, ['https://api.example.com'])],
    [
      'check --probe',
      () =>
        checkByProbing(
          parseConfig({ backends: { a: { dialect: 'messages', baseUrl: 'https://api.example.com' } } }),
          {},
        ),
    ],
  ] as const)('%s sends nothing, and exits with 1', async (_name, run) => {
    const terminal = { stdin: new PassThrough(), stderr: new PassThrough() };
    for (const [name, value] of Object.entries(terminal))
      Object.defineProperty(process, name, { value: Object.assign(value, { isTTY: true }), configurable: true });
    terminal.stdin.end('n\n');
    expect(await run()).toBe(1);
    // Node.js 26 reads one piece at a time.
    const pieces: unknown[] = [];
    for (let piece = terminal.stderr.read(); piece !== null; piece = terminal.stderr.read()) pieces.push(piece);
    expect(pieces.join('')).toMatch(/Go on\? \[y\/N\] [\s\S]*nothing was sent/);
  });
});

test('every row says what it says in the words of host records', () => {
  const wordAt = (path: string): Word | undefined =>
    path.split('.').reduce<Word | undefined>((word, name) => (word?.is === 'group' ? word.words[name] : word), {
      is: 'group',
      says: '',
      words: TARGET_WORDS,
    });
  const says = Object.values(ROWS).flatMap(({ at }) => Object.values<unknown>(at));
  const all = says.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
  const features = all.flatMap((one) => (Array.isArray(one.features) ? one.features : []));
  expect(features.filter((feature) => !(feature in HOST_FEATURES))).toEqual([]);
  const words = all.flatMap((one) => (typeof one.word === 'string' ? [one.word] : []));
  expect(words.length).toBeGreaterThan(15);
  expect(words.filter((word) => wordAt(word) === undefined)).toEqual([]);
});
