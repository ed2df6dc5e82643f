import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** The tests of the pairs of official clients and services, with the handler in the place of the gateway: all pairs, whole and streamed. */

const FOLDER = join(PACKAGE_ROOT, 'test', 'sdk');
const files = readdirSync(FOLDER).filter(
  (file) => file.endsWith('.test.ts') && readFileSync(join(FOLDER, file), 'utf8').includes('openStage()'),
);

test('there are such tests', () => expect(files.length).toBeGreaterThanOrEqual(6));

test.each(files)(
  '%s',
  (file) => {
    const jest = join(PACKAGE_ROOT, 'node_modules/jest/bin/jest.js');
    const words = ['--experimental-vm-modules', '--no-warnings', jest, '--silent', '-w', '1', join(FOLDER, file)];
    const env = { ...process.env, SDK_STAGE: 'handler', LAW_RUNS: '1' };
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: PACKAGE_ROOT, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr.slice(-4000));
    expect(stderr).toMatch(/Tests: +\d{2,} passed/);
  },
  600_000,
);
