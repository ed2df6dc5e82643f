import type { ConfigText } from '../config/index.js';
import { createGateway, type GatewayServer } from '../index.js';
import { askPrimary, hearPrimary } from '../workers/index.js';
import { linesOf } from './command.js';
import { endOnFault, NOTICE_SECONDS } from './signals.js';
import { configFrom, type Start } from './start.js';

/** The files that make a worker's configuration; null = there is none. */
export interface Files {
  /** At the start of the primary: it says what only a new start changes. */
  readonly first: ConfigText | null;
  /** As it is in force. */
  readonly current: ConfigText | null;
}

/** One of several processes that serve the same port. It ends when the primary says so, or is gone. */
export async function work(start: Start): Promise<number> {
  let gateway: GatewayServer | undefined;
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    const closed = gateway?.close({ noticeSeconds: NOTICE_SECONDS }) ?? Promise.resolve();
    closed.finally(() => process.exit(0)).catch(() => {});
  };
  const reload = async (): Promise<void> => {
    const { current } = (await askPrimary('config', null)) as Files;
    gateway?.reload(configFrom(start, current ?? undefined));
  };
  /** What the primary has refused counts where everything else is counted. */
  const refuse = (): never => {
    throw new Error('refused by the primary');
  };
  hearPrimary({
    stop,
    refused() {
      try {
        gateway?.reload(refuse);
      } catch {
        // The primary reports it.
      }
    },
    // The primary has found it to be valid.
    reload: () => void reload().catch((error: unknown) => gateway?.logger.error({ err: error }, 'the reload failed')),
  });
  // A terminal tells all processes at once; only the primary counts.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => {});
  try {
    const files = (await askPrimary('config', null)) as Files;
    gateway = createGateway(configFrom(start, files.first ?? undefined));
    if (files.first?.text !== files.current?.text) gateway.reload(configFrom(start, files.current ?? undefined));
    await gateway.listen(start);
    endOnFault();
  } catch (error) {
    await askPrimary('failed', await linesOf('serve', error)).catch(() => {});
    process.exit(1);
  }
  // The way to the primary keeps the process until it ends itself.
  return 0;
}
