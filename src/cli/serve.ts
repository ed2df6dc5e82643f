import { dialectIds } from '../../translators/index.js';
import { BACKEND_KEY } from '../config/index.js';
import { presetNames } from '../presets/index.js';
import { isWorker } from '../workers/index.js';
import { announce } from './announce.js';
import { type Command, complain, EXIT, gather } from './command.js';
import { followConfig } from './follow-config.js';
import { endOnFault, endSoon, NOTICE_SECONDS, onStopSignal } from './signals.js';
import { type Read, readStart, type Start, startOf } from './start.js';

const NOTES = `SIGHUP, and a change of the configuration file, reload it without a pause; SIGTERM and SIGINT let open
exchanges finish, a second one does not wait.`;

/** Characters of a line of names. */
const LINE = 100;

/** Words in lines that are not too long. */
function inLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** `interlingua serve`: runs the gateway until it is stopped. */
export const serve: Command = {
  hearsSignals: true,
  completes: { options: { '--backend': [...presetNames, ...dialectIds] } },
  describe(parser) {
    parser
      .option(
        '--config <file>',
        'configuration; default: INTERLINGUA_CONFIG, else interlingua.yaml, .yml or .json here, else the services whose keys are in the environment, else the built-in simulator',
      )
      .option(
        '--backend <name[=url]>',
        `serves this backend without a file, under every model name; with several, a model is NAME/MODEL. NAME is a known host, for which =URL may be left out, or the dialect that the URL speaks. The key is read from ${BACKEND_KEY} or the host's own variable`,
        gather,
      )
      .option('--host <address>', 'address to listen on; default 127.0.0.1')
      .option('--port <number>', 'port to listen on, 0 picks a free one; default 8080')
      .option('--workers <number>', 'processes that share the port; default 1')
      .option('--record <file>', 'append each exchange to a file, for interlingua migrate')
      .option(
        '--no-warm-up',
        'start without what makes the first requests and those after a pause fast, which takes 20 to 40 MB',
      )
      .option('--insecure', 'listen beyond this machine although no keys are configured')
      .addHelpText('after', () => `\n${NOTES}\n\nKnown hosts:\n${inLines(presetNames).join('\n')}`);
  },
  async run(values) {
    const start = startOf(values);
    // Loaded here, so that commands that need no server start at once.
    if (isWorker) return (await import('./worker.js')).work(start);
    const read = readStart(start);
    if (read.config.workers > 1) return (await import('./supervise.js')).supervise(start, read);
    return serveAlone(start, read);
  },
};

async function serveAlone(start: Start, read: Read): Promise<number> {
  const { file, config } = read;
  const { createGateway } = await import('../index.js');
  const gateway = createGateway(config);
  const address = await gateway.listen(start).catch(async (error: unknown) => {
    // Connections to a store would keep the process.
    await gateway.close();
    endSoon();
    throw error;
  });
  endOnFault();
  const unfollow = followConfig(start, read, gateway.logger, (next) => gateway.reload(() => next().config));
  const stopped = new Promise<void>((resolve) => {
    onStopSignal(
      () => {
        complain('interlingua: stopping; open exchanges may finish');
        unfollow();
        gateway.close({ noticeSeconds: NOTICE_SECONDS }).then(resolve, resolve);
      },
      () => process.exit(EXIT.failed),
    );
  });
  announce(config, address, file === undefined);
  await stopped;
  endSoon();
  return 0;
}
