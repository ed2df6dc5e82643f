import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DIALECTS, likeVendor } from '../../support/gateway/harness.js';
import { startOrderedBackend } from '../../support/load/backend.js';
import { type Ending, runErrand } from '../../support/load/exchange.js';
import { quantile, rounded, tellFigures } from '../../support/load/figures.js';
import { createMarks, PAIRS, streamFraming } from '../../support/load/mix.js';
import { startProgram } from '../../support/load/program.js';
import { createRandom, seedOfRun } from '../../support/load/random.js';
import { createTally } from '../../support/load/tally.js';
import { loopMs } from '../../support/loop-clock.js';
import { type Attacker, createAttacker, type Tried } from './attacker.js';
import { FORGETFUL, modelOfEvil, modelTo, OTHER_DOMAIN, prepareAttacks } from './attacks.js';
import { startHostileBackend } from './hostile-backend.js';

export interface SoakSettings {
  readonly seconds: number;
  /** How long the other key is alone first. */
  readonly calmSeconds: number;
  /** Large bodies are among the attacks. */
  readonly large: boolean;
}

/**
 * Of the other key, and of the gateway. Sizes in MB; what an answer took is told in ms that the thread which serves everybody worked
 * from when it was asked for, so that others on this machine change nothing.
 */
export interface SoakOutcome {
  readonly calmP99: number;
  readonly p99: number;
  readonly answered: number;
  /** What the other key got that it should not have. */
  readonly complaints: readonly string[];
  readonly rssMb: number;
  readonly stderr: string;
  readonly warnings: readonly string[];
  readonly tried: Tried;
}

const KEYS = { attacker: 'the-key-of-the-attacker-0001', other: 'the-key-of-the-other-0002' };
/** How many attacks run at a time. */
const LANES = 2;
/** How long, in s, attacks run before anything is measured: what is compiled at first is no attack's doing. */
const WARM_UP = 3;
const PER_SECOND = 20;
const MB = 1024 * 1024;

/** One key attacks in every way that there is, anybody without a key does too, and another key goes on with its work. */
export async function soak({ seconds, calmSeconds, large }: SoakSettings): Promise<SoakOutcome> {
  const random = createRandom(seedOfRun());
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-attacks-'));
  const [good, evil] = await Promise.all([startOrderedBackend(), startHostileBackend()]);
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  const program = await startProgram({
    backends: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl: good.url }])),
      ...Object.fromEntries(
        DIALECTS.map((dialect) => [`evil-${dialect}`, { ...likeVendor(dialect), baseUrl: evil.url }]),
      ),
      forgetful: { dialect: 'responses', baseUrl: evil.url, state: 'none', domain: 'forgetful.example' },
      stranger: { dialect: 'responses', state: 'own', baseUrl: evil.url, domain: OTHER_DOMAIN },
    },
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [modelTo(dialect), { backend: dialect }])),
      ...Object.fromEntries(DIALECTS.map((dialect) => [modelOfEvil(dialect), { backend: `evil-${dialect}` }])),
      [FORGETFUL]: { backend: 'forgetful' },
    },
    keys: [
      // With a limit, what it asks for is counted.
      { name: 'attacker', key: KEYS.attacker, tokensPerMinute: 1_000_000_000 },
      { name: 'other', key: KEYS.other },
    ],
    store: { type: 'lmdb', path: join(folder, 'store'), maxMb: 64 },
    log: { level: 'error' },
  });
  try {
    const attacks = prepareAttacks(random, large);
    const target = { url: program.url, port: program.port, key: KEYS.attacker, agent: agents[0] };
    const attacker = createAttacker(target, attacks, random);
    const tally = createTally();
    const headers = { authorization: `Bearer ${KEYS.other}` };
    const mark = createMarks(random);
    let sent = 0;
    const ask = async (): Promise<Ending> => {
      const [client, backend] = PAIRS[sent % PAIRS.length] ?? ['messages', 'messages'];
      const framing = Math.floor(sent / PAIRS.length) % 2 === 0 ? 'plain' : streamFraming(random, client);
      sent += 1;
      const order = { nonce: mark(), pieces: 5, gapMs: 0, call: false };
      const ending = await runErrand(
        { url: program.url, agent: agents[1], headers },
        { client, backend, framing, order },
      );
      tally.add(ending);
      return ending;
    };
    /** Asks so often for so long, whether answers come or not, and gives how long each one took. */
    const work = async (duration: number): Promise<Waited[]> => {
      const end = performance.now() + duration * 1000;
      const asked: Promise<Waited>[] = [];
      while (performance.now() < end) {
        const [from, worked] = [performance.now(), loopMs(program.pid)];
        asked.push(ask().then(({ ms }) => ({ from, ms, worked: loopMs(program.pid) - worked })));
        await delay(1000 / PER_SECOND);
      }
      return Promise.all(asked);
    };

    await work(1);
    const calm = (await work(calmSeconds)).map(({ worked }) => worked);
    let rss = 0;
    let over = false;
    const watch = async (): Promise<void> => {
      while (!over) {
        const { memory } = await program.holding({ collect: false });
        rss = Math.max(rss, memory.rss);
        await delay(500);
      }
    };
    await attacker.run(WARM_UP, LANES);
    const watching = watch();
    const [waited] = await Promise.all([work(seconds), attacker.run(seconds, LANES)]);
    const times = waited.map(({ worked }) => worked);
    over = true;
    await watching;
    const { warnings, loop } = await program.holding({ collect: false });
    const outcome = {
      calmP99: rounded(quantile(calm, 0.99)),
      p99: rounded(quantile(times, 0.99)),
      answered: tally.good,
      complaints: tally.examples,
      rssMb: rounded(rss / MB),
      stderr: program.stderr,
      warnings,
      tried: attacker.tried,
    };
    const { stderr: _, ...told } = outcome;
    tellFigures('attacks', {
      seed: random.seed,
      seconds,
      large,
      ...told,
      p50: rounded(quantile(times, 0.5)),
      longest: rounded(quantile(times, 1)),
      underWay: underWay(waited, outcome.p99 / 2, attacker),
      loopP99: rounded(loop.p99),
    });
    return outcome;
  } finally {
    for (const agent of agents) agent.destroy();
    await program.close();
    await Promise.all([good.close(), evil.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a client may wait, in ms of work: on a slow processor twelve times what it waits when nobody attacks. */
export function boundOf({ calmP99 }: SoakOutcome): number {
  return Math.max(250, 12 * calmP99);
}

/** When a request was sent, how long its answer took, in ms, and what the gateway worked meanwhile. */
interface Waited {
  readonly from: number;
  readonly ms: number;
  readonly worked: number;
}

/** Which findings were being tried while somebody waited for more than so much work, and how often. */
function underWay(waited: readonly Waited[], most: number, { during }: Attacker): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { from, ms: took, worked } of waited) {
    if (worked <= most) continue;
    for (const row of new Set(during(from, from + took))) counts[`row ${row}`] = (counts[`row ${row}`] ?? 0) + 1;
  }
  return counts;
}
