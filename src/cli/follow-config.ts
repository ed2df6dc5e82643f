import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, type ConfigText, readConfigText } from '../config/index.js';
import { errorMessage, type Logger } from '../ground/index.js';
import { configFrom, type Read, type Start } from './start.js';

/** How often, in ms, the file is looked at. Unlike events that finds it behind links, mounts and renames. */
const LOOK_MS = 1000;
/** How long, in ms, the file must stay as it is to be taken: writing it may need some time. */
const STILL_MS = 100;
/** So often in a row a file that is watched may be missing before that is reported: it may be on its way. */
const MISSES = 3;

/**
 * Calls `follow` on SIGHUP, and when the text of the file that was read differs from what was read last; gives the way
 * to stop. `follow` gives the names of what only a new start changes. What it throws leaves everything as it was, and
 * is logged.
 */
export function followConfig(
  start: Start,
  file: ConfigText | undefined,
  logger: Logger,
  follow: (read: () => Read) => readonly string[],
): () => void {
  let known = file?.text;
  let misses = 0;
  let stopped = false;
  const read = (): Read => {
    // What began with a file does not go on without it, as what began without one does.
    const found = readConfigText(file?.path ?? start.config);
    known = found?.text;
    return { file: found, config: configFrom(start, found) };
  };
  const run = (): void => {
    if (stopped) return;
    try {
      const kept = follow(read);
      logger.info(kept.length === 0 ? {} : { untilRestart: kept }, 'configuration reloaded');
    } catch (error) {
      logger.error({ reasons: reasonsOf(error) }, 'the new configuration cannot be used; the old one stays in force');
    }
  };
  const look = async ({ path }: ConfigText): Promise<void> => {
    const text = await textOf(path);
    misses = text === undefined ? misses + 1 : 0;
    if (misses === MISSES) run();
    if (text === undefined || text === known) return;
    await delay(STILL_MS);
    if ((await textOf(path)) === text && text !== known) run();
  };
  process.on('SIGHUP', run);
  const timer = file === undefined ? undefined : setInterval(() => void look(file), LOOK_MS);
  timer?.unref();
  return () => {
    // The signal stays heard: by itself it would end the process, and what is still open with it.
    stopped = true;
    clearInterval(timer);
  };
}

/** undefined while there is no file that can be read. */
function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function reasonsOf(error: unknown): string[] {
  if (!(error instanceof ConfigError)) return [errorMessage(error)];
  return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
}
