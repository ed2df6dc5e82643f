import { setTimeout as delay } from 'node:timers/promises';
import { joined, type Store } from '../archive/index.js';
import type { AreaTexts } from './adapter.js';
import { createArea } from './area.js';
import { redisPackage } from './redis-package.js';
import { createRedisTallies } from './redis-tallies.js';
import type { AreaLimits, TallyStorage } from './types.js';

/** How long, in milliseconds, a connection may take. */
const CONNECT_MS = 5000;

/** How long, in milliseconds, the server may take for one call, the connection included. */
const CALL_MS = 2000;

/** How long, in milliseconds, a connection that is being made may hold up the end. */
const CLOSE_MS = 1000;

/** Longest wait, in milliseconds, between two tries to connect again. */
const RECONNECT_MS = 1000;

/**
 * Keeps everything in a Redis server, which many machines share. Entries expire there; how much the server holds, and
 * what goes first, is its own configuration. While it cannot be reached, calls reject at once. One that it does not
 * answer rejects after `callMs` milliseconds, and from then on all others at once, until it answers again. `onError` is
 * called for both, with the error's message only.
 */
export function createRedisStorage(url: string, onError: (message: string) => void, callMs = CALL_MS): TallyStorage {
  const { default: KeyvRedis, createClient } = redisPackage();
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), RECONNECT_MS),
    },
  });
  // It tries again by itself. Calls wait until the first try has succeeded or failed.
  const tried = new Promise<void>((resolve) => {
    client.on('error', (error: unknown) => {
      onError(error instanceof Error ? error.message : String(error));
      resolve();
    });
    client.connect().then(
      () => resolve(),
      () => resolve(),
    );
  });
  const pulse = createPulse(() => client.ping(), onError);
  const texts = new Map<string, AreaTexts>();
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (pulse.stopped) throw new Error(SILENT);
    return within(callMs, pulse.stop, async (isLate) => {
      await tried;
      // The adapter would connect a closed client again, and nobody waits for what comes too late.
      if (isLate() || !client.isOpen) throw new Error(SILENT);
      return work();
    });
  };
  const tallies = createRedisTallies({
    run: (script, options) => call(() => client.eval(script, options)),
    hashes: (names) => call(() => Promise.all(names.map((name) => client.hGetAll(name)))),
    members: (set, from, to, most = -1) =>
      call(() => client.zRangeByScore(set, from, `(${to}`, { LIMIT: { offset: 0, count: most } })),
  });
  const open = (name: string, limits: AreaLimits): Store => {
    const adapter = new KeyvRedis(client, {
      throwOnErrors: true,
      throwOnConnectError: true,
      useUnlink: true,
    });
    // Without a listener an emitter throws; the calls reject as well.
    adapter.on('error', () => {});
    const write: AreaTexts['setMany'] = async (given) => {
      await adapter.setMany(given.map((text) => ({ ...text, value: joined(text.value) })));
    };
    const area = createArea(`interlingua:${name}`, adapter, write, limits);
    texts.set(name, {
      getMany: (keys) => call(() => adapter.getMany<string>([...keys])),
      setMany: (given) => call(() => write(given)),
      deleteMany: async (keys) => void (await call(() => adapter.deleteMany([...keys]))),
    });
    return {
      get: (keys) => call(() => area.get(keys)),
      find: (keys) => call(() => area.find(keys)),
      set: (entries) => call(() => area.set(entries)),
      delete: (keys) => call(() => area.delete(keys)),
    };
  };
  /** An adapter listens to the client for ever: what is asked for again, with each new configuration, is the same area. */
  const areas = new Map<string, Store>();
  return {
    area(name, limits) {
      const key = JSON.stringify([name, limits]);
      const area = areas.get(key) ?? open(name, limits);
      areas.set(key, area);
      return area;
    },
    texts: (name) => texts.get(name),
    tallies: () => tallies,
    async close() {
      pulse.close();
      // A client that is destroyed while it connects leaves the connection open.
      await Promise.race([tried, delay(CLOSE_MS, undefined, { ref: false })]);
      if (client.isOpen) client.destroy();
    },
  };
}

const SILENT = 'the redis server does not answer';

/** How long, in milliseconds, after a connection was lost a silent server is asked again. */
const ASK_AGAIN_MS = 250;

/** Whether the server answers. */
interface Pulse {
  readonly stopped: boolean;
  /** A call got no answer: from now on nobody waits for one but a question of our own. */
  stop(): void;
  close(): void;
}

function createPulse(ask: () => Promise<unknown>, report: (message: string) => void): Pulse {
  let stopped = false;
  let closed = false;
  const listen = async (): Promise<void> => {
    while (stopped && !closed) {
      try {
        // Answered when the server goes on, or rejected with its connection.
        await ask();
        stopped = false;
      } catch {
        await delay(ASK_AGAIN_MS, undefined, { ref: false });
      }
    }
  };
  return {
    get stopped() {
      return stopped;
    },
    stop() {
      if (stopped) return;
      stopped = true;
      report(SILENT);
      void listen();
    },
    close() {
      closed = true;
    },
  };
}

function within<T>(ms: number, onLate: () => void, work: (isLate: () => boolean) => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      over = true;
      onLate();
      reject(new Error(SILENT));
    }, ms);
  });
  return Promise.race([work(() => over), late]).finally(() => clearTimeout(timer));
}
