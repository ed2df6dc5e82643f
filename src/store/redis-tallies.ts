import { type KeptInterval, MOST_FREE, sumsIn, sumsText, type Tallies } from './tallies.js';

/** What is asked of the server; each rejects when it does not answer in time. */
export interface TallyServer {
  run(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
  /** The members of a sorted set with scores from one to below another, in the order of these; `most` = so many of them. */
  members(set: string, from: number, to: number, most?: number): Promise<readonly string[]>;
  hashes(names: readonly string[]): Promise<readonly Readonly<Record<string, string>>[]>;
}

const PREFIX = 'interlingua:usage';
const HOURS = `${PREFIX}:hours`;
const SUMS = `${PREFIX}:sums:`;
/** The member of a hash that counts its free rows; rows begin with a bracket. */
const FREE = 'free';
/** How long, in ms, the last batch of a writer is known: it is given again within seconds, or never. */
const WRITER_MS = 86_400_000;
/** So many hashes are read at once. */
const AT_ONCE = 100;
/** So many hours' owners are listed at once: what a reader gets in one answer does not grow with the period. */
const PAGE_HOURS = 24;

/**
 * Adds a batch that was not added yet. Keys: the writer's last batch, the set of hours, the beginning of the names of hashes. Arguments: for how
 * long, the number of the batch, then of each increment hour, owner, row, row instead, values. Sums are doubles: additions of what servers
 * count in 64 bits would fail halfway where they overflow. A new hour looks whether the oldest ones have expired.
 */
const ADD = `
local last = redis.call('GET', KEYS[1])
if last and tonumber(last) >= tonumber(ARGV[2]) then return 0 end
for index = 3, #ARGV, 5 do
  local member = ARGV[index] .. ':' .. ARGV[index + 1]
  local hash = KEYS[3] .. member
  local row = ARGV[index + 2]
  local instead = ARGV[index + 3]
  local old = redis.call('HGET', hash, row)
  if not old and instead ~= '' then
    if tonumber(redis.call('HGET', hash, '${FREE}') or '0') >= ${MOST_FREE} then
      row = instead
      old = redis.call('HGET', hash, row)
    else
      redis.call('HINCRBY', hash, '${FREE}', 1)
    end
  end
  local sums = {}
  for number in string.gmatch(old or '', '%S+') do sums[#sums + 1] = tonumber(number) or 0 end
  local place = 0
  for number in string.gmatch(ARGV[index + 4], '%S+') do
    place = place + 1
    sums[place] = (sums[place] or 0) + tonumber(number)
  end
  for at = 1, #sums do sums[at] = string.format('%.0f', sums[at]) end
  redis.call('HSET', hash, row, table.concat(sums, ' '))
  redis.call('PEXPIRE', hash, ARGV[1])
  if redis.call('ZADD', KEYS[2], ARGV[index], member) == 1 then
    for _, oldest in ipairs(redis.call('ZRANGE', KEYS[2], 0, 15)) do
      if redis.call('EXISTS', KEYS[3] .. oldest) == 0 then redis.call('ZREM', KEYS[2], oldest) end
    end
  end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ${WRITER_MS})
return 1`;

/** Sums in a server that machines share: a script adds a batch whole, and once. What expires does so by the clock of the server. */
export function createRedisTallies(server: TallyServer): Tallies {
  return {
    async add({ writer, number, increments }, keepMs) {
      const rows = increments.flatMap(({ interval: hour, owner, row, instead = '', values }) => [
        ...[String(hour), owner, row, instead, sumsText(values)],
      ]);
      await server.run(ADD, {
        keys: [`${PREFIX}:writer:${writer}`, HOURS, SUMS],
        arguments: [String(Math.round(keepMs)), String(number), ...rows],
      });
    },
    async *read({ from, to, owner }) {
      for (let start = from; ; ) {
        const [first] = await server.members(HOURS, start, to, 1);
        if (first === undefined) return;
        const hour = hourIn(first);
        start = Math.min(hour + PAGE_HOURS, to);
        // Whoever reads the own sums is not told the names of others, which may be many.
        const found = owner === undefined ? await server.members(HOURS, hour, start) : membersOf(owner, hour, start);
        for (let at = 0; at < found.length; at += AT_ONCE) {
          const some = found.slice(at, at + AT_ONCE);
          const hashes = await server.hashes(some.map((member) => SUMS + member));
          for (const [index, member] of some.entries()) {
            const rows = rowsIn(hashes[index] ?? {});
            if (rows.length > 0) yield { interval: hourIn(member), owner: ownerIn(member), rows };
          }
        }
      }
    },
  };
}

function hourIn(member: string): number {
  return Number.parseInt(member, 10);
}

/** The members that an owner may have. */
function membersOf(owner: string, from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `${from + index}:${owner}`);
}

function ownerIn(member: string): string {
  return member.slice(member.indexOf(':') + 1);
}

function rowsIn(hash: Readonly<Record<string, string>>): KeptInterval['rows'] {
  return Object.entries(hash).flatMap(([row, text]) => (row === FREE ? [] : [[row, sumsIn(text)] as const]));
}
