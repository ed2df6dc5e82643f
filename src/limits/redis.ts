import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { errorMessage, ignore } from '../ground/index.js';
import { redisPackage } from '../store/index.js';
import { createLedger, type Ledger } from './ledger.js';
import { createLink, type ReportShared } from './link.js';
import { type RunScript, sharedPlaces } from './shared-places.js';
import { memoryWindows, PREFIX, type WindowKind, type Windows } from './windows.js';

/** How long, in ms, a connection may take. */
const CONNECT_MS = 5000;

/** How long, in ms, a connection that is being made may hold up the end. */
const CLOSE_MS = 1000;

/** Longest wait, in ms, between two tries to connect again. */
const RECONNECT_MS = 1000;

/**
 * Keeps the counts in a Redis server, so that all processes that use it share one limit. Each count is one script there,
 * and two that happen at once are counted one after the other. While the server cannot be reached, this process counts
 * for itself: nobody is refused because of it, and nobody waits for it longer than a moment.
 */
export function createRedisLedger(url: string, report: ReportShared): Ledger {
  const client = redisPackage().createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), RECONNECT_MS),
    },
  });
  let closing = false;
  const link = createLink((reason) => {
    if (!closing) report(reason);
    if (reason === undefined) places.renew();
  });
  const tried = new Promise<void>((resolve) => {
    client.on('error', (error: unknown) => {
      link.lost(errorMessage(error));
      resolve();
    });
    client.on('ready', () => {
      resolve();
      // Slots are reported as soon as the server is there, and not with the next request.
      link.retry();
      link.ask(() => client.ping()).catch(ignore);
    });
    client.connect().catch(ignore);
  });
  const run: RunScript = (script, options) =>
    link.ask(async () => {
      await tried;
      return client.eval(script, options);
    });
  const places = sharedPlaces(run);
  return {
    ...createLedger(sharedWindows(run), places),
    async close() {
      closing = true;
      await places.close();
      // A client that is destroyed while it connects leaves the connection open.
      await Promise.race([tried, delay(CLOSE_MS, undefined, { ref: false })]);
      if (client.isOpen) client.destroy();
    },
  };
}

/** The windows at the server, by its clock; while it cannot be reached, those of this process. */
function sharedWindows(run: RunScript): Windows {
  const { RateLimiterRedis } = rateLimiters();
  const counter = (kind: WindowKind): RateLimiterRedis =>
    new RateLimiterRedis({
      // Who asks knows the limit; the counters themselves refuse nothing.
      points: Number.MAX_SAFE_INTEGER,
      // Seconds.
      duration: 60,
      keyPrefix: `${PREFIX}:${kind}`,
      storeClient: { eval: run },
      useRedisPackage: true,
    });
  const counters = { requests: counter('requests'), tokens: counter('tokens') };
  const instead = memoryWindows(() => performance.now());
  return {
    async add(kind, name, points) {
      try {
        const { consumedPoints, msBeforeNext } = await counters[kind].penalty(name, points);
        return { used: consumedPoints, resetMs: Math.max(0, msBeforeNext) };
      } catch {
        return instead.add(kind, name, points);
      }
    },
  };
}

/** Loaded where counts are shared: most gateways count for themselves. */
function rateLimiters(): typeof import('rate-limiter-flexible') {
  return createRequire(import.meta.url)('rate-limiter-flexible');
}
