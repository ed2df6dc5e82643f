import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, visit } from 'yaml';
import { PACKAGE_ROOT } from '../../support/package-root.js';
import { startLoad } from '../load-process.js';
import { EFFORTS, median } from '../measure.js';
import { GATEWAYS } from '../peer-gateways.js';
import { benchPeers, PEERS } from '../peers.js';
import { TARGETS, type Target } from '../targets.js';
import { MARKS, PAGE, printComparison } from './page.js';
import { GROUPS, type Pairs, RESULTS, type Speed } from './results.js';

/**
 * `npm run bench:peers`: the tests of the pairs with the official clients in front of each gateway of others that is installed,
 * and of ours, and what an exchange costs them; writes what came of it for docs/comparison.md.
 */
/** Tests of choices of our own, which nobody else has to make in the same way. */
const OWN: ReadonlySet<string> = new Set([
  '401 for a wrong key, before anything is sent',
  'the backend refuses the gateway’s own key: the client’s key is not to blame',
  '404 for a model the gateway does not have',
]);

/** Nodes above a collection that is a member of a member: document, map, pair, collection (and pair, in a map). */
const PATH_OF_MEMBERS = 3;

const today = new Date().toISOString().slice(0, 10);
mkdirSync(RESULTS, { recursive: true });

/** Words name what is wanted alone: gateways, `speed`. */
const [, , ...words] = process.argv;
const isWanted = (name: string): boolean => words.length === 0 || words.includes(name);

if (isWanted('interlingua')) write('interlingua', { version: ownVersion(), date: today, ...fidelityOf(undefined) });
for (const { name } of GATEWAYS.filter((peer) => isWanted(peer.name))) {
  if (PEERS[name] === undefined) console.log(`${name} is not installed: what an earlier run found stays`);
  else write(name, { version: PEERS[name], date: today, ...fidelityOf(name) });
}
if (isWanted('speed')) write('speed', await speed());
writeFileSync(
  PAGE,
  readFileSync(PAGE, 'utf8').replace(MARKS, () => `${printComparison()}\n`),
);

/** Each pair and each row on a line of its own. */
function write(name: string, result: object): void {
  const document = new Document(result);
  visit(document, {
    Collection(_key, node, path) {
      if (path.length > PATH_OF_MEMBERS) node.flow = true;
    },
  });
  writeFileSync(join(RESULTS, `${name.replace(/^@.*\//, '')}.yaml`), document.toString({ lineWidth: 0 }));
}

/** The version that package.json has, and the commit of what is measured: many commits have the number of one version. */
function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
  const git = (...words: string[]): string =>
    spawnSync('git', [...words, '--', 'src', 'translators'], { cwd: PACKAGE_ROOT, encoding: 'utf8' }).stdout.trim();
  const changed = git('status', '--porcelain') === '' ? '' : ', changed';
  return `${(manifest as { version: string }).version} (commit ${git('log', '-1', '--format=%h')}${changed})`;
}

/** What Jest says of a test. */
interface Assertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'pending';
}

/** Passed and all tests of each pair and file, and how often each test failed. */
function fidelityOf(peer: string | undefined): {
  readonly pairs: Pairs;
  readonly failed: Readonly<Record<string, number>>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-peers-'));
  const output = join(folder, 'tests.json');
  try {
    console.log(`${peer ?? 'interlingua'}: the tests of the pairs`);
    const jest = join(PACKAGE_ROOT, 'node_modules/jest/bin/jest.js');
    const files = GROUPS.map((group) => `test/sdk/${group}.test`);
    const words = ['--experimental-vm-modules', '--no-warnings', jest, '-w', '1', '--silent', '--json'];
    spawnSync(process.execPath, [...words, '--outputFile', output, ...files], {
      cwd: PACKAGE_ROOT,
      stdio: 'ignore',
      env: { ...process.env, LAW_RUNS: '1', ...(peer !== undefined && { SDK_PEER: peer }) },
    });
    const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as {
      testResults: { name: string; assertionResults: Assertion[] }[];
    };
    const pairs: Record<string, Record<string, [passed: number, run: number]>> = {};
    const failed: Record<string, number> = {};
    for (const { name, assertionResults } of testResults) {
      const group = GROUPS.find((one) => name.endsWith(`${one}.test.ts`)) ?? 'text';
      for (const { ancestorTitles, title, status } of assertionResults) {
        const [, client, backend] = /^(\S+) client, (\S+) backend/.exec(ancestorTitles[0] ?? '') ?? [];
        if (client === undefined || backend === undefined || status === 'pending') continue;
        if (OWN.has(title)) continue;
        const pair = `${client}, ${backend}`;
        const [passed, run] = pairs[pair]?.[group] ?? [0, 0];
        pairs[pair] = { ...pairs[pair], [group]: [passed + (status === 'passed' ? 1 : 0), run + 1] };
        if (status === 'failed') failed[title] = (failed[title] ?? 0) + 1;
      }
    }
    const often = Object.entries(failed).sort(([, a], [, b]) => b - a);
    return { pairs, failed: Object.fromEntries(often) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of an exchange, ours and theirs in turns. */
async function speed(): Promise<Speed> {
  console.log('what an exchange costs');
  const load = await startLoad();
  try {
    const rows = await benchPeers(load, EFFORTS.whole);
    return {
      date: today,
      version: ownVersion(),
      machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node.js ${process.version}`,
      rows: rows.map(({ target, ours = 0, floor = 0, figures }) => {
        const { what, floor: peer = '' }: Target = TARGETS[target];
        return { what, peer, ours: round(ours), theirs: round(floor), ratio: round(median(figures)) };
      }),
    };
  } finally {
    load.close();
  }
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
