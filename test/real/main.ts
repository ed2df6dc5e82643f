import { mkdirSync } from 'node:fs';
import { dialectsOf, type PresetName, presets } from '../../src/presets/index.js';
import { knownIn } from '../clients/known.js';
import { judge } from '../clients/verdict.js';
import { runOf, SIMULATED, saveRun } from '../compatibility/results.js';
import { FAKE_DIALECTS } from '../support/fake-backend/index.js';
import { startProgram } from '../support/load/program.js';
import { attempt, isThere, printed } from '../support/programs.js';
import { recordDifferences } from './compare.js';
import { configOf, type Driven, drive } from './drive.js';
import { type Given, optionsOf, SIMULATORS } from './options.js';
import { probedDifferences } from './probed.js';
import { record } from './record.js';
import { freePort, type Running, startServer } from './running.js';
import { INSTALLED, MODEL, SERVERS, type Server } from './servers.js';

/**
 * `npm run real` installs and starts model servers of others with a made-up model, or takes one that runs (`--url`). The official
 * clients ask each through the gateway, over all of its endpoints, and what they get is held to what the server says directly.
 * Exits with 1 where something fails that is not known, where the server says otherwise directly, or something known no longer
 * fails.
 */

const options = optionsOf(process.argv.slice(2));
const running = new Map<string, Running>();
let good = true;
try {
  const { given } = options;
  if (given !== undefined) await checkGiven(given);
  for (const name of options.names) {
    if (name === SIMULATORS) await check(SIMULATORS, SIMULATED, { dialects: FAKE_DIALECTS });
    else await checkServer(name);
  }
  if (options.keep && running.size > 0) await interrupted();
} finally {
  for (const server of [...running.values()].reverse()) await server.close();
}
process.exitCode = good ? 0 : 1;

/** Checks a server that is running: under the name of its preset, with the dialects of that unless others are given. */
async function checkGiven({ url, title, preset, dialects, ...place }: Given): Promise<void> {
  const spoken =
    dialects ??
    (preset === undefined
      ? (['chatCompletions'] as const)
      : FAKE_DIALECTS.filter((id) => dialectsOf(presets[preset]).includes(id)));
  const words = `--url URL${preset === undefined ? '' : ` --preset ${preset}`}`;
  await check(preset ?? 'server', title ?? url, { preset, dialects: spoken, direct: { ...place, url }, words });
}

/** Starts a server, and those that it has to have behind it, and checks it; says why where it cannot be had. */
async function checkServer(name: string): Promise<void> {
  const server = SERVERS[name];
  if (server === undefined) return;
  const { title, preset, dialects, key, model = MODEL } = server;
  const started = await startedServer(name, server).catch((error: Error) => {
    console.log(`${title} is left out: ${error.message}`);
  });
  if (started === undefined) return;
  const direct = { url: started.url, model, ...(key !== undefined && { key }) };
  await check(name, `${title} ${printed(server.version())}`, { preset, dialects, direct });
}

async function startedServer(name: string, server: Server): Promise<Running> {
  const already = running.get(name);
  if (already !== undefined) return already;
  const behind = SERVERS[server.behind ?? ''];
  const { url } = behind === undefined ? { url: '' } : await startedServer(server.behind ?? '', behind);
  const missing = server.tools.find((tool) => !isThere(tool));
  if (missing !== undefined) throw new Error(`${missing} is not on this machine`);
  mkdirSync(INSTALLED, { recursive: true });
  for (const command of server.install()) {
    const failure = attempt(command, INSTALLED);
    if (failure !== undefined) throw new Error(`it cannot be installed here: ${failure}`);
  }
  const port = await freePort();
  const started = await startServer(name, server.start(port, url), port, server.ready);
  running.set(name, started);
  console.log(`${server.title} answers at ${started.url}`);
  return started;
}

interface Checked extends Partial<Omit<Driven, 'name'>> {
  readonly preset?: PresetName;
  /** The words of the command line, where they are not its name. */
  readonly words?: string;
}

/** Drives a server through a gateway of its own, and prints what came of it. */
async function check(
  name: string,
  group: string,
  { preset, dialects = [], direct, words = name }: Checked,
): Promise<void> {
  const driven = { name, dialects, ...(direct && { direct }) };
  const gateway = await startProgram({ ...configOf(driven, preset), log: { level: 'error' } });
  try {
    const { rows, direct: directly } = await drive(driven, gateway.url);
    const known = knownIn('real/known.yaml')[preset ?? name] ?? [];
    const verdict = judge(rows, known);
    good &&= verdict.good;
    console.log(`\n${group}\n${verdict.text}`);
    for (const { client, backend, check: of, differs } of rows) {
      for (const difference of differs)
        console.log(`DIFFERS  ${client} over ${backend}, ${of}: ${difference.replace(/\s+/g, ' ')}`);
      good &&= differs.length === 0;
    }
    if (preset !== undefined)
      for (const [dialect, of] of directly)
        for (const difference of recordDifferences(presets[preset].endpoints[dialect]?.unsupported ?? [], of)) {
          console.log(`RECORD  ${preset} ${dialect}: ${difference.replace(/\s+/g, ' ')}`);
          good = false;
        }
    // A hint where to look: cases decide whether a record is wrong.
    if (preset !== undefined && direct !== undefined)
      for (const difference of await probedDifferences(direct, preset, dialects))
        console.log(`PROBE  ${preset} ${difference}`);
    if (options.record !== undefined && direct !== undefined)
      for (const sentence of await record(direct, dialects, options.record)) console.log(`RECORDED  ${sentence}`);
    if (!options.save) return;
    const backends = Object.fromEntries(dialects.map((id) => [`${name} ${id}`, { group, endpoint: id }]));
    saveRun(`real-${name}`, runOf({ language: 'npm', command: `npm run real -- ${words}`, rows, known, backends }));
  } finally {
    await gateway.close();
  }
}

function interrupted(): Promise<void> {
  console.log('The servers run until this is interrupted.');
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
