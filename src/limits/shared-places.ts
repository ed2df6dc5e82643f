import { ignore } from '../ground/index.js';
import { createTakenPlaces, type Places } from './places.js';
import { PREFIX } from './windows.js';

/** Runs a script at the server; rejects when it cannot be reached. */
export type RunScript = (
  script: string,
  options: { readonly keys: string[]; readonly arguments: string[] },
) => Promise<unknown>;

/** A place whose process is gone is free after so many ms; living ones say so more often. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

/** How many places, given back while the server was away, are remembered. Leases of the others pass by themselves. */
const MOST_FREED = 10_000;

const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** A sorted set for each key: places by the time at which their lease passes. Arguments: lease, limit, id. */
const TAKE = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`;

/** Also for places that the server does not know: taken while it was away, or lost with its memory. Arguments: lease, ids. */
const RENEW = `${NOW}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** Arguments: ids. */
const FREE = `for index = 1, #ARGV do redis.call('ZREM', KEYS[1], ARGV[index]) end`;

export interface SharedPlaces extends Places {
  /** Says which places this process holds, and which it gave back unheard. */
  renew(): void;
}

/** The places of all processes that use one server. While it cannot be reached, those of this process count alone. */
export function sharedPlaces(run: RunScript): SharedPlaces {
  const held = createTakenPlaces();
  const freed = createTakenPlaces();
  let unheard = 0;
  const send = (script: string, name: string, more: readonly string[]): Promise<unknown> =>
    run(script, { keys: [`${PREFIX}:places:${name}`], arguments: [...more] });
  const free = (name: string, ids: readonly string[]): Promise<unknown> =>
    send(FREE, name, ids).catch(() => {
      for (const id of ids) {
        if (unheard < MOST_FREED && freed.take(name, id, MOST_FREED)) unheard += 1;
      }
    });
  const renew = (): void => {
    const late = [...freed.entries()].map(([name, ids]) => [name, [...ids]] as const);
    unheard = 0;
    for (const [name, ids] of late) {
      for (const id of ids) freed.free(name, id);
      void free(name, ids);
    }
    for (const [name, ids] of held.entries()) send(RENEW, name, [String(LEASE_MS), ...ids]).catch(ignore);
  };
  const timer = setInterval(renew, RENEW_MS).unref();
  return {
    async take(name, id, limit) {
      try {
        if ((await send(TAKE, name, [String(LEASE_MS), String(limit), id])) !== 1) return false;
        return held.take(name, id, Number.POSITIVE_INFINITY);
      } catch {
        return held.take(name, id, limit);
      }
    },
    async free(name, id) {
      held.free(name, id);
      await free(name, [id]);
    },
    renew,
    async close() {
      clearInterval(timer);
      await Promise.all([...held.entries()].map(([name, ids]) => free(name, [...ids])));
    },
  };
}
