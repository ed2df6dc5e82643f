import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { PROGRAM } from '../support/gateway/program.js';

/** Batch files of any size go through the same memory. */

const folder = mkdtempSync(join(tmpdir(), 'interlingua-batch-long-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MB = 1024 * 1024;

/** A batch file of so many MB, and the number of its lines. */
async function batchOf(megabytes: number): Promise<{ path: string; lines: number }> {
  const path = join(folder, `${megabytes}.jsonl`);
  const file = await open(path, 'w');
  const text = 'All work and no play makes a dull batch. '.repeat(200);
  let [lines, size] = [0, 0];
  while (size < megabytes * MB) {
    let piece = '';
    for (let row = 0; row < 64; row++, lines++) {
      const messages = [{ role: 'user', content: text }];
      piece += `${JSON.stringify({ custom_id: `id-${lines}`, method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages, seed: 1 } })}\n`;
    }
    await file.write(piece);
    size += piece.length;
  }
  await file.close();
  return { path, lines };
}

/** Loaded in front of the program: tells the most memory that it had. */
const WATCH = `data:text/javascript,process.on('exit',()=>process.stderr.write('PEAK '+process.resourceUsage().maxRSS))`;

/** Translates a batch; gives the most memory that it took in kB, and the ids that came, which are read no faster than `pause` allows. */
async function translate(path: string, pause: number): Promise<{ peak: number; ids: number }> {
  const words = ['translate', '--batch', path, '--to', 'responses', '--report', join(folder, 'report.jsonl')];
  const child = spawn(process.execPath, ['--import', WATCH, PROGRAM, ...words]);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let ids = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith(`{"custom_id":"id-${ids}"`))
      throw new Error(`line ${ids + 1} is another: ${line.slice(0, 100)}`);
    ids += 1;
    if (pause > 0 && ids % 256 === 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  expect(await ended).toBe(0);
  return { peak: Number(/PEAK (\d+)/.exec(stderr)?.[1]), ids };
}

test('a batch forty times as large takes less than twice the memory, also where it is read slowly', async () => {
  const [small, large] = [await batchOf(25), await batchOf(1000)];
  const first = await translate(small.path, 0);
  const second = await translate(large.path, 0);
  const slow = await translate(small.path, 50);
  expect([first.ids, second.ids, slow.ids]).toEqual([small.lines, large.lines, small.lines]);
  expect(first.peak).toBeGreaterThan(0);
  expect(second.peak / first.peak).toBeLessThan(2);
  expect(slow.peak / first.peak).toBeLessThan(2);
}, 600_000);
