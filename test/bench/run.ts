import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchConversations } from './conversations.js';
import { benchGateway } from './gateway.js';
import { benchHostile } from './hostile.js';
import { startLoad } from './load-process.js';
import { EFFORTS, type Row, regressions, table } from './measure.js';
import { benchMemory } from './memory.js';
import { benchPauses } from './pauses.js';
import { benchPeers, PEERS } from './peers.js';
import { benchSizes } from './sizes.js';
import { benchStart } from './start.js';
import { benchTranslation } from './translation.js';

/** The parts of the whole form, in the order of the table. The short form has the first two. */
const PARTS: Readonly<Record<string, () => Promise<readonly Row[]> | readonly Row[]>> = {
  translation: () => benchTranslation(effort),
  gateway: () => benchGateway(load, folder, effort),
  pauses: () => benchPauses(load),
  peers: () => benchPeers(load, effort),
  memory: benchMemory,
  hostile: async () => [await benchHostile()],
  start: benchStart,
  sizes: benchSizes,
  conversations: benchConversations,
};

/**
 * `npm run bench` prints what the gateway and the library cost beside floors of the same run; words name parts that are
 * wanted alone. With `--short` it measures the ratios alone, less often, and ends with 1 where one is far above what it should
 * reach.
 */
const [, , ...words] = process.argv;
const short = words.includes('--short');
const effort = short ? EFFORTS.short : EFFORTS.whole;
const named = words.filter((word) => word in PARTS);
const wanted = named.length > 0 ? named : short ? ['translation', 'gateway'] : Object.keys(PARTS);

const peers = Object.entries(PEERS).map(([name, version]) => `${name} ${version ?? 'absent (npm run bench:peers)'}`);
console.log(`${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node.js ${process.version}`);
console.log(`${peers.join(', ')}\n`);

const rows: Row[] = [];
let failed = false;
const folder = mkdtempSync(join(tmpdir(), 'interlingua-bench-'));
const load = await startLoad();
try {
  for (const name of wanted) {
    const begun = performance.now();
    try {
      rows.push(...((await PARTS[name]?.()) ?? []));
    } catch (error) {
      // The figures of the other parts took minutes: they are printed all the same.
      console.error(`${name} failed:`, error);
      failed = true;
    }
    // On stderr, so that the table can be kept.
    console.error(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`);
  }
} finally {
  load.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(table(rows));

const worse = short ? regressions(rows) : [];
for (const one of worse) console.error(`slower than it may be: ${one}`);
process.exitCode = worse.length === 0 && !failed ? 0 : 1;
