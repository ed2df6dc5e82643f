import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import type { ConfigInput } from '../../src/config/schema.js';
import { readCurl } from '../support/curl.js';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';
import { PROGRAM } from '../support/gateway/program.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** The guides of docs/guides: each program runs over the configuration in front of it, with simulators in the place of services. */

const FOLDER = join(PACKAGE_ROOT, 'docs/guides');
const GATEWAY = 'http://127.0.0.1:8080';
const run = promisify(execFile);

interface Block {
  readonly language: string;
  readonly text: string;
  /** The configuration that stands before it. */
  readonly config: string;
}

const guides = readdirSync(FOLDER).map((name) => {
  let config = '';
  const blocks = [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']): Block => {
      if (language === 'yaml') config = text;
      return { language, text, config };
    },
  );
  return { name, blocks };
});

/** Dialects of the presets that the guides name without one. */
const USUAL: Readonly<Record<string, 'messages'>> = { vllm: 'messages' };

/** A configuration with the simulator in the place of each backend. */
function simulated(text: string): ConfigInput {
  const config = parse(text.replace(/\$\{\w+\}/g, 'key-of-the-vendor')) as {
    backends: Record<string, { preset?: string; dialect?: 'messages' }>;
  };
  const backends = Object.entries(config.backends).map(([name, { preset = '', dialect = USUAL[preset] }]) => [
    name,
    { dialect, simulator: true },
  ]);
  return { ...config, backends: Object.fromEntries(backends) } as ConfigInput;
}

let folder: string;
/** Stands in for the services that programs call without a gateway of their own. */
let vendor: TestGateway;
beforeAll(async () => {
  folder = mkdtempSync(join(PACKAGE_ROOT, '.guides-'));
  vendor = await startGateway({
    backends: { claude: { dialect: 'messages', simulator: true } },
    models: { 'claude-*': { backend: 'claude' } },
  });
});
afterAll(async () => {
  await vendor.close();
  rmSync(folder, { recursive: true });
});

type Cell = readonly [title: string, block: Block];

/** The blocks of all guides in one language that fit. */
const cells = (language: string, fits: (text: string) => boolean = () => true): Cell[] =>
  guides.flatMap(({ name, blocks }) =>
    blocks.flatMap((block, number): Cell[] =>
      block.language === language && fits(block.text) ? [[`${name}, block ${number}`, block]] : [],
    ),
  );

test('the guides have nothing but blocks that are run', () => {
  expect(guides.length).toBeGreaterThan(3);
  const languages = guides.flatMap(({ blocks }) => blocks.map(({ language }) => language));
  expect(languages.filter((language) => !['js', 'yaml', 'sh'].includes(language))).toEqual([]);
});

describe('the programs of the guides print an answer', () => {
  test.each(cells('js'))('%s', async (title, { text, config }) => {
    const gateway = config === '' ? undefined : await startGateway(simulated(config));
    const file = join(folder, `${title.replace(/\W+/g, '-')}.mjs`);
    const addressed = text.replaceAll('https://api.anthropic.com', vendor.url);
    writeFileSync(file, addressed.replaceAll(GATEWAY, gateway?.url ?? 'there is none'));
    try {
      const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'a-key' };
      const { stdout } = await run(process.execPath, [file], { env });
      expect(stdout).toMatch(/Hello|again/);
    } finally {
      await gateway?.close();
    }
  });
});

describe('the calls of the guides are answered', () => {
  test.each(cells('sh', (text) => text.startsWith('curl')))('%s', async (_, { text, config }) => {
    const gateway = await startGateway(simulated(config));
    try {
      const { url, headers, body } = readCurl(text.replaceAll(GATEWAY, gateway.url));
      const answer = await fetch(url, { method: 'POST', headers, body });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hello')]);
    } finally {
      await gateway.close();
    }
  });
});

/** Commands that end by themselves; test/readme.test.ts holds the words of the others. */
const checks = cells('sh', (text) => / check | --check/.test(text)).map(
  ([, { text, config }]) => [text.trim(), config] as const,
);
describe('the commands of the guides that check something find it good', () => {
  test.each(checks)('%s', async (line, config) => {
    writeFileSync(join(folder, 'interlingua.yaml'), stringify({ ...simulated(config), store: { type: 'off' } }));
    const { stdout } = await run(process.execPath, [PROGRAM, ...line.split(' ').slice(1)], { cwd: folder });
    expect(stdout).toContain('Qwen/Qwen3-Coder-30B-A3B-Instruct');
  });
});
