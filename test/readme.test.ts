import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fetch from 'node-fetch';
import { parse } from 'yaml';
import { createGateway, type GatewayServer, loadConfig } from '../src/index.js';
import { startContentImages } from './support/fake-backend/media/content.js';
import type { MediaFake } from './support/fake-backend/media/server.js';
import { answerTables, requestTables } from './support/support-table/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'README.md');
const readme = readFileSync(file, 'utf8');
const EXAMPLE_URL = 'http://127.0.0.1:8080';

/** The code blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}

/** What stands between two marks. */
function between(name: string): string {
  const [, text = ''] = readme.match(new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)\\n?<!-- end of ${name} -->`)) ?? [];
  return text;
}

let gateway: GatewayServer;
let url: string;
let folder: string;
/** What the simulator has no counterpart for. */
let painter: MediaFake;

beforeAll(async () => {
  painter = await startContentImages();
  gateway = createGateway(simulatorConfig());
  ({ url } = await gateway.listen({ port: 0 }));
  folder = mkdtempSync(join(root, '.readme-'));
});

afterAll(async () => {
  await gateway.close();
  await painter.close();
  rmSync(folder, { recursive: true });
});

function simulatorConfig() {
  return {
    backends: {
      m: { dialect: 'messages', simulator: true },
      r: { dialect: 'responses', simulator: true },
      g: { dialect: 'generateContent', simulator: true },
      painter: { dialect: 'generateContent', baseUrl: painter.url },
    },
    models: {
      'sim-messages': { backend: 'm' },
      'sim-responses': { backend: 'r' },
      'sim-generate-content': { backend: 'g' },
      'img-multi': { backend: 'painter', model: 'gemini-image' },
    },
    log: { level: 'silent' },
  } as const;
}

/** The parts of a curl command line that the README uses: the URL, headers and a body. */
function readCurl(command: string): { url: string; headers: Record<string, string>; body: string } {
  const line = command.replaceAll('\\\n', ' ');
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  const [, quoted, bare] = line.match(/^curl (?:'([^']+)'|(\S+))/) ?? [];
  const [, body = ''] = line.match(/-d '([\s\S]*?)'\s*$/) ?? [];
  return { url: quoted ?? bare ?? '', headers: Object.fromEntries(headers), body };
}

describe('what the README claims', () => {
  test.each(blocks('sh').filter((code) => code.startsWith('curl')))('a curl call is answered: %#', async (code) => {
    const call = readCurl(code);
    const answer = await fetch(call.url.replace(EXAMPLE_URL, url), {
      method: 'POST',
      headers: call.headers,
      body: call.body,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/Hello|"b64_json"/);
  });

  test.each(blocks('js'))('a program runs and prints something: %#', async (code) => {
    const program = join(folder, `${code.length}.mjs`);
    writeFileSync(program, code.replaceAll(EXAMPLE_URL, url));
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      cwd: folder,
      env: { PATH: process.env.PATH, INTERLINGUA_LOG_LEVEL: 'silent' },
    });
    expect(stdout.trim()).not.toBe('');
  });

  test.each(blocks('yaml'))('an example configuration is valid: %#', (code) => {
    const path = join(folder, 'interlingua.yaml');
    writeFileSync(path, code);
    process.env.ANTHROPIC_API_KEY = 'upstream-key';
    process.env.TEAM_A_KEY = 'a-long-enough-team-key';
    process.env.GEMINI_API_KEY = 'another-upstream-key';
    try {
      expect(Object.keys(loadConfig(path).models)).toEqual(Object.keys(parse(code).models ?? { '*': {} }));
    } finally {
      delete process.env.ANTHROPIC_API_KEY;
      delete process.env.TEAM_A_KEY;
      delete process.env.GEMINI_API_KEY;
    }
  });

  test.each([
    ['requests', requestTables],
    ['answers', answerTables],
  ])('the support tables of %s are what the translators do', (what, print) => {
    const name = `support tables: ${what}`;
    if (process.env.UPDATE === '1') {
      const now = readFileSync(file, 'utf8');
      const [before = '', rest = ''] = now.split(`<!-- ${name} -->`);
      const [, after = ''] = rest.split(`<!-- end of ${name} -->`);
      writeFileSync(file, `${before}<!-- ${name} -->\n${print()}\n<!-- end of ${name} -->${after}`);
      return;
    }
    expect(between(name)).toBe(print());
  });

  test('every configuration key is in the table', () => {
    const table = between('configuration');
    const { limits, store, media, log, listen, metrics } = loadConfig();
    const keys = [limits, store, media, log, listen, metrics].flatMap((section) => Object.keys(section));
    expect(keys.filter((key) => !table.includes(`.${key}\``))).toEqual([]);
  });
});
