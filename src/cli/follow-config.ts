import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, ConfigError, type ConfigText, digestOfFile, formatProblem } from '../config/index.js';
import { errorMessage, isPlainFile, type Logger } from '../ground/index.js';
import { configFrom, fileOf, type Read, type Start } from './start.js';

/** How often, in ms, the file is looked at. Unlike events that finds it behind links, mounts and renames. */
const LOOK_MS = 1000;
/** How long, in ms, the file must stay as it is to be taken: writing it may need some time. */
const STILL_MS = 100;
/** So often in a row a file that is watched may be missing before that is reported: it may be on its way. */
const MISSES = 3;

/**
 * Calls `follow` on SIGHUP, and when the text of the file that was read, or of one that it takes texts from, differs from
 * what was read last; gives the way to stop. `follow` gives the names of what only a new start changes. What it throws leaves everything as it was, and
 * is logged.
 */
export function followConfig(
  start: Start,
  { file, config }: Read,
  logger: Logger,
  follow: (read: () => Read) => readonly string[],
): () => void {
  let { files } = config;
  let known = file && snapshotOf(file.text, files);
  let misses = 0;
  let stopped = false;
  const read = (): Read => {
    if (file !== undefined && !isPlainFile(file.path))
      throw new ConfigError([{ file: file.name, path: '', reason: NO_FILE }]);
    // What began with a file does not go on without it, as what began without one does.
    const found = fileOf(file === undefined ? start : { ...start, config: file.path });
    // What cannot be used is not looked at again before it changes.
    known = found && snapshotOf(found.text, digestsNow(files));
    const next = configFrom(start, found);
    ({ files } = next);
    known = found && snapshotOf(found.text, files);
    return { file: found, config: next };
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
    const now = await snapshot(path, files);
    misses = now === undefined ? misses + 1 : 0;
    if (misses === MISSES) run();
    if (now === undefined || now === known) return;
    await delay(STILL_MS);
    if ((await snapshot(path, files)) === now && now !== known) run();
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

const NO_FILE = 'is a pipe or a device now, which could be read for ever';

/** What tells one state of the files from another; undefined while one of them cannot be read. */
async function snapshot(path: string, files: Config['files']): Promise<string | undefined> {
  const text = await readPlain(path).catch(() => undefined);
  const digests = digestsNow(files);
  return text === undefined || Object.values(digests).includes('') ? undefined : snapshotOf(text, digests);
}

async function readPlain(path: string): Promise<string | undefined> {
  return (await stat(path)).isFile() ? readFile(path, 'utf8') : undefined;
}

function snapshotOf(text: string, files: Config['files']): string {
  return JSON.stringify([text, files]);
}

function digestsNow(files: Config['files']): Config['files'] {
  return Object.fromEntries(Object.keys(files).map((path) => [path, digestOfFile(path)]));
}

function reasonsOf(error: unknown): string[] {
  if (!(error instanceof ConfigError)) return [errorMessage(error)];
  return error.problems.map(formatProblem);
}
