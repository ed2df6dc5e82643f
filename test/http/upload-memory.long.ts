import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { filePart, formHeaders, formOf } from '../media/form.js';
import { jpeg } from '../support/pictures.js';
import { listen, shut } from '../support/sockets.js';

/** Needs a build. Linux only: the peak of memory is read from /proc. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, process.env.INTERLINGUA_DIST ?? 'dist', 'src', 'cli.js');

const MB = 1024 * 1024;
const UPLOADS = 20;
const BYTES = 25 * MB - 1;
/** What everything but the files may take: the process itself, its buffers towards 40 sockets, and garbage. */
const REST_MB = 400;

let received = 0;
let folder: string;
let gateway: ChildProcess;
let url: string;
/** Swallows what it is sent. */
const sink = createServer((incoming, response) => {
  incoming.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  incoming.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"created":1,"data":[{"b64_json":"AAAA"}]}');
  });
});

beforeAll(async () => {
  const baseUrl = await listen(sink);
  folder = mkdtempSync(join(root, '.long-'));
  const config = join(folder, 'interlingua.json');
  writeFileSync(
    config,
    JSON.stringify({
      backends: { sink: { dialect: 'responses', baseUrl } },
      store: { type: 'off' },
      log: { level: 'silent' },
    }),
  );
  gateway = spawn(process.execPath, [program, 'serve', '--config', config, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise((resolve, reject) => {
    gateway.stdout?.on('data', (text: Buffer) => {
      const found = /listening on (\S+)/.exec(text.toString())?.[1];
      if (found !== undefined) resolve(found);
    });
    gateway.on('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
  });
}, 30_000);

afterAll(async () => {
  gateway.kill();
  await shut(sink);
  rmSync(folder, { recursive: true });
});

function peakMb(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

const BODY = formOf([
  filePart('image', jpeg({ bytes: BYTES }), 'large.jpg'),
  { name: 'prompt', value: 'x' },
  { name: 'model', value: 'img-multi' },
]);

/** Sends all but the end of a form, waits for the word to go on, and gives the status of the answer. */
function upload(
  path: string,
  goOn: Promise<unknown>,
): { readonly sent: Promise<void>; readonly status: Promise<number> } {
  const outgoing = request(`${url}${path}`, { method: 'POST', headers: formHeaders(BODY), agent: false });
  const status = new Promise<number>((resolve, reject) => {
    outgoing.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject);
  });
  status.catch(() => {});
  const sent = new Promise<void>((resolve) => outgoing.write(BODY.subarray(0, -10), () => resolve()));
  goOn.then(() => outgoing.end(BODY.subarray(-10)));
  return { sent, status };
}

test(`${UPLOADS} uploads of 25 MB at once sit in memory once`, async () => {
  const before = peakMb();
  let release: (value?: unknown) => void = () => {};
  const goOn = new Promise((resolve) => {
    release = resolve;
  });
  const uploads = Array.from({ length: UPLOADS }, () => upload('/v1/images/edits', goOn));
  await Promise.all(uploads.map(({ sent }) => sent));
  await delay(500);
  const held = peakMb();
  release();
  expect(await Promise.all(uploads.map(({ status }) => status))).toEqual(uploads.map(() => 200));
  const peak = peakMb();
  process.stdout.write(
    `peak RSS: ${before.toFixed(0)} MB idle, ${held.toFixed(0)} MB with ${UPLOADS} uploads held, ${peak.toFixed(0)} MB at the end; ` +
      `${((UPLOADS * BYTES) / MB).toFixed(0)} MB of files\n`,
  );
  expect(received).toBeGreaterThan(UPLOADS * BYTES);
  expect(peak).toBeLessThan((UPLOADS * BYTES) / MB + REST_MB);
}, 120_000);

test('uploads that are given up leave no memory behind', async () => {
  const never = new Promise(() => {});
  for (let round = 0; round < 5; round += 1) {
    const uploads = Array.from({ length: UPLOADS }, () => {
      const outgoing = request(`${url}/v1/images/edits`, { method: 'POST', headers: formHeaders(BODY), agent: false });
      outgoing.on('error', () => {});
      return new Promise<void>((resolve) => outgoing.write(BODY.subarray(0, 20 * MB), () => resolve())).then(() =>
        outgoing.destroy(),
      );
    });
    await Promise.race([Promise.all(uploads), never]);
    await delay(200);
  }
  const peak = peakMb();
  process.stdout.write(`peak RSS after ${5 * UPLOADS} uploads that were given up: ${peak.toFixed(0)} MB\n`);
  expect(peak).toBeLessThan((UPLOADS * BYTES) / MB + REST_MB);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
}, 120_000);
