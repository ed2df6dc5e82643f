import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createBackends } from '../../src/backend/backends.js';
import { followConfig } from '../../src/cli/follow-config.js';
import { readStart, startOf } from '../../src/cli/start.js';
import { loadConfig } from '../../src/config/load.js';
import { ConfigError } from '../../src/config/problem.js';
import { addSecret, secretsOf } from '../../src/ground/credentials.js';
import { createLogRedactor, createRedactor } from '../../src/ground/redact.js';
import { createGateway, type GatewayServer } from '../../src/index.js';
import {
  ASK,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  STREAM,
  send,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interlingua-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** What stands for the text of a file. */
const textOf = (path: string): string => `\${file:${path}}`;

function problems(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
    throw error;
  }
  return [];
}

const yaml = (lines: string): string =>
  put('interlingua.yaml', `backends: { a: { dialect: messages, baseUrl: "http://127.0.0.1:1", ${lines} } }`);

describe('a file in the place of a text', () => {
  test.each([
    ['one line end', 'key-0123456789\n'],
    ['several line ends', 'key-0123456789\r\n\r\n'],
    ['none', 'key-0123456789'],
  ])('gives the text of a file without the line ends at its end: %s', (_what, text) => {
    const path = put('token', text);
    expect(loadConfig(yaml(`apiKey: "\${file:${path}}"`), {}).backends.a?.apiKey).toBe('key-0123456789');
    expect(loadConfig(yaml(`apiKey: \${file:${path}}`), {}).backends.a?.apiKey).toBe('key-0123456789');
  });

  test('is looked for beside the configuration file, and stands in JSON, within texts and beside variables', () => {
    mkdirSync(join(folder, 'secrets'));
    put('secrets/my token.txt', 'abc\n');
    const headers = { Authorization: `Token ${textOf('secrets/my token.txt')}/\${TEAM}` };
    const text = JSON.stringify({ backends: { a: { dialect: 'messages', baseUrl: 'http://127.0.0.1:1', headers } } });
    const config = loadConfig(put('interlingua.json', text), { TEAM: 'x' });
    expect(config.backends.a?.headers).toEqual({ authorization: 'Token abc/x' });
    expect(config.files).toEqual({});
  });

  test('serves every other key as well: whoever follows the configuration is told the files', () => {
    const path = put('team', 'a-long-enough-team-key\n');
    const text = `backends: { a: { dialect: messages, simulator: true } }\nkeys: [{ name: t, key: "\${file:team}" }]`;
    const config = loadConfig(put('interlingua.yaml', text), {});
    expect(config.keys).toHaveLength(1);
    expect(Object.keys(config.files)).toEqual([path]);
  });

  test('is refused with the place and the file where the file cannot be read or holds nothing of use', () => {
    const missing = join(folder, 'none');
    expect(problems(() => loadConfig(yaml(`apiKey: "${textOf('none')}"`), {}))).toEqual([
      `backends.a.apiKey: the file ${missing} cannot be read (ENOENT)`,
    ]);
    put('empty', '\n');
    expect(problems(() => loadConfig(yaml(`apiKey: "${textOf('empty')}"`), {}))).toEqual([
      'backends.a.apiKey: must be printable ASCII without white space, and not empty',
    ]);
    put('large', 'x'.repeat(70_000));
    expect(problems(() => loadConfig(yaml(`apiKey: "${textOf('large')}"`), {}))).toEqual([
      `backends.a.apiKey: the file ${join(folder, 'large')} cannot be read (EFBIG)`,
    ]);
  });
});

/** Makes a pipe to which somebody writes after a while: who waits for it gets the text. */
function writeLate(path: string, text: string): ChildProcess {
  execFileSync('mkfifo', [path]);
  return spawn(process.execPath, [
    '-e',
    `setTimeout(() => require('fs').writeFileSync(${JSON.stringify(path)}, '${text}'), 1000)`,
  ]);
}

const unix = process.platform === 'win32' ? test.skip : test;

unix('a file that is followed is not read any more when it becomes a pipe', () => {
  const path = yaml('apiKey: "key-0123456789"');
  const start = startOf({ config: path });
  const reasons: unknown[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => reasons.push(JSON.parse(line).reasons) });
  const stop = followConfig(start, readStart(start), logger, (read) => {
    read();
    return [];
  });
  unlinkSync(path);
  const writer = writeLate(path, 'backends: {}');
  try {
    process.emit('SIGHUP');
    expect(reasons).toEqual([[`${path}: is a pipe or a device now, which could be read for ever`]]);
  } finally {
    writer.kill();
    stop();
    process.removeAllListeners('SIGHUP');
  }
});

describe('a credential in a file', () => {
  let backend: Recorder;
  let gateway: GatewayServer;
  let url: string;
  beforeAll(async () => {
    backend = await startRecorder();
  });
  afterAll(() => backend.close());
  beforeEach(async () => {
    backend.seen.length = 0;
    backend.reply = (response) => json(response, 200, WHOLE.messages('hi'));
    put('token', 'first-token-0001\n');
    put('team', 'first-team-0001\n');
    const headers = `headers: { x-team-token: "${textOf('team')}", x-plain: "as it is" }`;
    const config = put(
      'interlingua.yaml',
      `backends: { a: { dialect: messages, baseUrl: "${backend.url}", apiKey: "\${file:token}", ${headers} } }
store: { type: off }
log: { level: silent }`,
    );
    gateway = createGateway(loadConfig(config, {}));
    ({ url } = await gateway.listen({ port: 0 }));
  });
  afterEach(() => gateway.close());
  const ask = () => send(url, ASK.messages('m').path, { body: ASK.messages('m').body });
  const used = () => [backend.seen.at(-1)?.headers['x-api-key'], backend.seen.at(-1)?.headers['x-team-token']];

  test('is in the next call after the file has changed, however it was changed', async () => {
    await ask();
    expect(used()).toEqual(['first-token-0001', 'first-team-0001']);
    // In place, of the same length, within one tick of the clock.
    for (let round = 2; round < 30; round += 1) {
      put('token', `other-token-${String(round).padStart(4, '0')}\n`);
      await ask();
      expect(used()[0]).toBe(`other-token-${String(round).padStart(4, '0')}`);
    }
    // By another file in its place, as secrets are mounted.
    put('next', 'renamed-token-01');
    renameSync(join(folder, 'next'), join(folder, 'token'));
    await ask();
    expect(used()[0]).toBe('renamed-token-01');
    put('linked', 'linked-token-001');
    unlinkSync(join(folder, 'token'));
    symlinkSync(join(folder, 'linked'), join(folder, 'token'));
    put('team', 'other-team-0002');
    await ask();
    expect(used()).toEqual(['linked-token-001', 'other-team-0002']);
    expect(backend.seen.at(-1)?.headers['x-plain']).toBe('as it is');
  });

  test('stays as it was while its file is gone or holds nothing of use', async () => {
    await ask();
    unlinkSync(join(folder, 'token'));
    for (const text of [undefined, '', '\n\n', 'two words', 'line\nline', '\u0000']) {
      if (text !== undefined) put('token', text);
      await ask();
      expect(used()[0]).toBe('first-token-0001');
    }
    put('token', 'again-token-0001');
    await ask();
    expect(used()[0]).toBe('again-token-0001');
  });

  unix('stays as it was while its file is a pipe, for which nobody waits', async () => {
    await ask();
    unlinkSync(join(folder, 'token'));
    const writer = writeLate(join(folder, 'token'), 'late-token-00001');
    try {
      await ask();
      expect(used()[0]).toBe('first-token-0001');
    } finally {
      writer.kill();
    }
  });

  test('is kept from clients in its present and its former value, in whole answers, streams and errors', async () => {
    await ask();
    put('token', 'other-token-0002');
    await ask();
    for (const secret of ['first-token-0001', 'other-token-0002']) {
      backend.reply = (response) =>
        json(response, 400, { type: 'error', error: { type: 'x', message: `no ${secret}` } });
      expect((await ask()).text).not.toContain(secret);
      backend.reply = (response) => json(response, 200, WHOLE.messages(`it is ${secret}`));
      expect((await ask()).text).not.toContain(secret);
      backend.reply = (response) => {
        response.writeHead(200, EVENT_STREAM);
        response.end(FRAMES.messages(`it is ${secret}`).join(''));
      };
      const { path, body } = STREAM.messages('m');
      expect((await send(url, path, { body })).text).not.toContain(secret);
    }
  });
});

describe('what is logged', () => {
  test('a file that is gone, once, and when it is there again', async () => {
    put('token', 'first-token-0001');
    const lines: unknown[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
    const backends = createBackends(loadConfig(yaml(`apiKey: "${textOf('token')}", retries: 0`), {}), logger);
    const call = () =>
      backends
        .get('a')
        .call({ method: 'GET', path: '/' })
        .answer.catch(() => undefined);
    await call();
    unlinkSync(join(folder, 'token'));
    await call();
    await call();
    expect(lines).toEqual([
      {
        level: 40,
        backend: 'a',
        reason: `${join(folder, 'token')}: cannot be read (ENOENT)`,
        msg: 'a credential in a file cannot be used; the last one stays',
      },
    ]);
    put('token', 'other-token-0001');
    await call();
    expect(lines[1]).toEqual({ level: 30, backend: 'a', msg: 'the files of the credentials can be read again' });
    await backends.close();
  });

  test('no value of a file, present or former', () => {
    put('token', 'first-token-0001');
    const config = loadConfig(yaml(`apiKey: "${textOf('token')}"`), {});
    const redactors = [createLogRedactor(config), createRedactor(config)];
    put('token', 'other-token-0002');
    for (const redact of redactors) {
      expect(redact('x first-token-0001 other-token-0002 y')).toBe('x [redacted] [redacted] y');
    }
  });
});

describe('the secrets of a backend', () => {
  const backend = { name: 'a', apiKey: 'fixed-key-000001', headers: { authorization: 'Bearer fixed-token-001' } };

  test('are the same list as long as nothing is new', () => {
    expect(secretsOf(backend)).toEqual(['fixed-key-000001', 'fixed-token-001']);
    expect(secretsOf(backend)).toBe(secretsOf(backend));
  });

  test('hold the latest of those that were learned, and those of the configuration for ever', () => {
    for (let round = 0; round < 20; round += 1) addSecret(backend, `learned-${String(round).padStart(4, '0')}`);
    addSecret(backend, 'short');
    const held = secretsOf(backend);
    expect(held).toEqual(
      expect.arrayContaining(['fixed-key-000001', 'fixed-token-001', 'learned-0019', 'learned-0018']),
    );
    expect(held).not.toContain('short');
    expect(held.length).toBeLessThan(10);
  });
});
