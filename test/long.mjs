/*
 * `npm run test:long`: what takes minutes, in four parts one after the other. Each part tells how long it took, and the
 * first that fails ends the run. Numbers that are set in the environment hold in place of those here.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const LONG = ['--testMatch', '<rootDir>/test/**/*.long.ts'];

/** Long suites that judge what others on the machine would change: how long somebody waits under load. */
const ALONE = [
  'attacks/(figures|soak|other-clients)',
  'gateway/(load|burst|soak)',
  'exchange/(streams|slow|memory)',
  'app/drain',
];

const ATTACKS = ['test', 'long'].flatMap((kind) => ['--testMatch', `<rootDir>/test/attacks/*.${kind}.ts`]);

/** Tables and laws, whether `npm test` has a short form of them or none. */
const TABLES = [
  'test/(laws|caching|hosts|sdk|offload|recordings)/',
  'test/backend/faults',
  'test/attacks/(growth|security)',
  'test/conversations/(durability|shared)',
  'test/cli/cli',
  'test/exchange/(abort|streams).test',
  'test/media/families',
  'test/responses/(other-services|stream-encode)',
  'test/types/answers',
  'test/wire/(carrier|recorded-streams|sse).test',
  'test/schema/hostile',
  'test/(messages|responses|generate-content|chat-completions)/corpus',
];

const PARTS = [
  {
    name: 'tables and laws in whole',
    settings: { KILLS: 40, LAW_RUNS: 4, GROWTH_MS: 4 },
    args: [...LONG, '--testMatch', '<rootDir>/test/**/*.test.ts', '--testPathPatterns', ...TABLES],
  },
  {
    name: 'attacks',
    settings: { LAW_RUNS: 4 },
    args: ['--maxWorkers=2', ...ATTACKS, '--testPathIgnorePatterns', ...ALONE],
  },
  {
    name: 'long suites',
    settings: { BODIES: 8000, RESTARTS: 5 },
    args: ['--maxWorkers=2', ...LONG, '--testPathIgnorePatterns', 'attacks/[^/]+$', ...TABLES, ...ALONE],
  },
  {
    name: 'long suites that want the machine to themselves',
    settings: { ATTACK_SECONDS: 40, LOAD_SECONDS: 3, SOAK_SECONDS: 165 },
    args: ['--runInBand', ...LONG, '--testPathPatterns', ...ALONE],
  },
];

for (const { name, settings, args } of PARTS) {
  const begun = performance.now();
  const { status } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js'), ...args],
    { cwd: root, stdio: 'inherit', env: { ...settings, ...process.env } },
  );
  process.stderr.write(`${name}: ${Math.round((performance.now() - begun) / 1000)} s\n`);
  if (status !== 0) process.exit(status ?? 1);
}
