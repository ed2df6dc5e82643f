import { createServer } from 'node:http';
import { checkExposure, followable } from '../config/index.js';
import { programPath } from '../ground/index.js';
import { startListening } from '../http/index.js';
import { createLimitsAnswerer } from '../limits/index.js';
import { createLiveAnswerer } from '../live/index.js';
import { MODELS_SUBJECT } from '../models/index.js';
import { createLog, createPrimaryMetrics } from '../observe/index.js';
import { createTalliesAnswerer, SUBJECTS } from '../usage/index.js';
import { answerWorkers, askWorkers, type Order, orderWorkers, startPool } from '../workers/index.js';
import { announce } from './announce.js';
import { complain } from './command.js';
import { isDecided, V8_FLAGS } from './flags.js';
import { followConfig } from './follow-config.js';
import { endOnFault, endSoon, onStopSignal } from './signals.js';
import type { Read, Start } from './start.js';
import type { Files } from './worker.js';

const PROGRAM = programPath('cli.js');
/** How much longer, in ms, than open exchanges have to finish a worker may live after it was asked to stop. */
const GRACE_MS = 5000;

/** Runs the gateway in several processes that share port, store, limits and metrics, and keeps them running. */
export async function supervise(start: Start, first: Read): Promise<number> {
  const { file, config } = first;
  let running = config;
  let files: Files = { first: file ?? null, current: file ?? null };
  const host = start.host ?? config.listen.host;
  const exposed = start.insecure ? undefined : host;
  checkExposure(config, exposed);
  const address = await freeAddress(host, start.port ?? config.listen.port);
  const metrics = createPrimaryMetrics();
  await metrics.listen(config);
  const { logger, flush } = createLog(config.log.level);

  answerWorkers({
    config: () => files,
    failed(lines) {
      const reasons = Array.isArray(lines) ? lines : [];
      if (!pool.failed(reasons.join('\n'))) logger.error({ reasons }, 'a worker cannot start');
    },
    limits: createLimitsAnswerer(),
    live: createLiveAnswerer(),
    metrics: metrics.render,
    [SUBJECTS.hours]: createTalliesAnswerer(),
    [SUBJECTS.minutes]: createTalliesAnswerer(),
    [MODELS_SUBJECT]: async (value) => [...(await askWorkers(MODELS_SUBJECT, () => value)).values()],
  });
  const pool = startPool({
    count: config.workers,
    program: PROGRAM,
    args: workerArguments(start, address),
    flags: start.warmUp && !isDecided(process.execArgv) ? V8_FLAGS : [],
    graceMs: () => running.limits.drainSeconds * 1000 + GRACE_MS,
    onStart: (started) => logger.info(started, 'a worker was started'),
    onEnd: (end) => logger.warn(end, 'a worker ended and is replaced'),
  });
  endOnFault();
  void pool.ready.then(() => announce(config, address, file === undefined));
  const follow = (read: () => Read): readonly string[] => {
    const next = read();
    checkExposure(next.config, exposed);
    const followed = followable(running, next.config);
    running = followed.config;
    files = { ...files, current: next.file ?? null };
    logger.level = running.log.level;
    return followed.kept;
  };
  const unfollow = followConfig(start, first, logger, (read) => {
    let order: Order = 'refused';
    try {
      const kept = follow(read);
      order = 'reload';
      return kept;
    } finally {
      orderWorkers(order);
    }
  });
  onStopSignal(
    () => {
      complain('interlingua: stopping; open exchanges may finish');
      unfollow();
      pool.stop();
    },
    () => {
      pool.kill();
      process.exit(1);
    },
  );
  const reason = await pool.over;
  unfollow();
  await metrics.close();
  flush();
  if (reason !== undefined) complain(reason);
  endSoon();
  return reason === undefined ? 0 : 1;
}

/** An address where all workers can listen, found before any is started. Rejects with one line that says why there is none. */
async function freeAddress(host: string, port: number) {
  const probe = createServer();
  const address = await startListening(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
  return address;
}

function workerArguments(
  { backends, insecure, warmUp, workers }: Start,
  { host, port }: { host: string; port: number },
): string[] {
  return [
    'serve',
    ...['--host', host, '--port', String(port)],
    ...(workers === undefined ? [] : ['--workers', String(workers)]),
    ...backends.flatMap((backend) => ['--backend', backend]),
    ...(insecure ? ['--insecure'] : []),
    ...(warmUp ? [] : ['--no-warm-up']),
  ];
}
