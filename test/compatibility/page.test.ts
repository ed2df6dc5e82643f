import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Row } from '../clients/verdict.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { printPage } from './page.js';
import { readRuns, runOf } from './results.js';

const PAGE = join(PACKAGE_ROOT, 'docs', 'compatibility.md');
const MARKS = /(?<=<!-- compatibility -->\n)[\s\S]*?(?=\n<!-- end of compatibility -->)/;

test('docs/compatibility.md is what the runs say; UPDATE=1 writes it', () => {
  const text = readFileSync(PAGE, 'utf8');
  const printed = printPage([...readRuns().values()]);
  if (process.env.UPDATE === '1')
    writeFileSync(
      PAGE,
      text.replace(MARKS, () => printed),
    );
  else expect(MARKS.exec(text)?.[0]).toBe(printed);
});

describe('the page of a run', () => {
  const row = (client: string, check: string, why: string | null = null): Row => ({
    client,
    backend: 'it',
    check,
    why,
  });
  const run = runOf({
    language: 'npm',
    date: '2026-01-02',
    command: 'npm run real -- it',
    backends: { it: { group: 'Some server 1.2', endpoint: 'messages' } },
    known: [{ client: /./, backend: /./, check: /^picture$/, why: 'it has no eyes' }],
    rows: [
      row('openai chat', 'text'),
      row('openai chat', 'picture', '400 what is this?'),
      row('openai chat', 'stop', 'goes on'),
      row('@google/genai', 'picture', '400 bad request'),
    ],
  });
  const page = printPage([run]);

  test('counts what passed of what was run, and links what fails to its sentence', () => {
    const linked = page.replace(/\]\(#([\w-]+)\)/g, ' to $1]');
    const why = (number: number): string => `[${number} to what-fails-some-server-12]`;
    expect(linked).toContain(`| 1 of 3 [a to runs], fails ${why(1)} ${why(2)} |`);
    expect(linked).toContain(`| 0 of 1 [a to runs], fails ${why(1)} |`);
    expect(page).toContain('### What fails: Some server 1.2\n\n1. *picture*: it has no eyes\n2. *stop*: goes on\n');
    expect(page).toContain('| a | 2026-01-02 | `npm run real -- it` |');
  });

  test('leaves what nobody has run empty', () => {
    const overview = page.split('\n\n')[0]?.split('\n') ?? [];
    expect(overview.find((line) => line.startsWith('| `openai`, chat'))).toMatch(/\| 1 of 3 \|/);
    expect(overview.find((line) => line.startsWith('| Claude Code'))).toMatch(/^\| Claude Code \|[ |]*$/);
  });
});

test('no run has a client or a backend that it does not name', () => {
  for (const { cells, clients, backends } of readRuns().values())
    for (const { client, backend, passed, run, fell = [] } of cells) {
      expect([clients[client], backends[backend]]).not.toContain(undefined);
      expect(run - passed).toBe(fell.flatMap(({ checks }) => checks).length);
    }
});
