import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Why a collection cannot grow for ever: whose it is, or what bounds it. */
const OF_THE_SOURCE = 'has what one file of 16 MB names, for as long as a command runs';
const OF_A_REQUEST = 'goes with the request, whose size is limited';
const STAYS_EMPTY = 'stays empty';
const OF_A_TRANSACTION = 'goes with the transaction';
const OF_THE_CONFIGURATION = 'has one entry for each name of the configuration';

/** Every collection of the gateway that begins empty, as `file variable`, and what bounds it (hardening.md row 53). */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/backend/backends.ts held': OF_THE_CONFIGURATION,
  'src/backend/cooling.ts until': 'keeps the newest thousand names',
  'src/backend/restrictions.ts own': `${OF_THE_CONFIGURATION}, and in it the newest thousand names`,
  'src/backend/restrictions.ts most': `${OF_THE_CONFIGURATION}, and in it the newest thousand names`,
  'src/backend/restrictions.ts met': 'keeps the newest thousand names',
  'src/backend/restrictions.ts shared': 'keeps the newest thousand names',
  'src/backend/restrictions.ts restrictions': OF_A_REQUEST,
  'src/backend/breaker-group.ts blamed': OF_THE_CONFIGURATION,
  'src/backend/breaker-group.ts own': OF_THE_CONFIGURATION,
  'src/handler/backends.ts domains': OF_THE_CONFIGURATION,
  'src/handler/models.ts found': OF_A_REQUEST,
  'src/models/discovery.ts kept': OF_THE_CONFIGURATION,
  'src/models/discovery.ts had': `${OF_THE_CONFIGURATION}, and in it ten thousand models at most`,
  'src/models/discovery.ts running': `${OF_THE_CONFIGURATION}, and in it what one answer of the backend holds`,
  'src/models/discovery.ts told': `${OF_THE_CONFIGURATION}, and in it ten thousand models at most`,
  'src/models/genai-prices.ts byRoot': `${OF_THE_CONFIGURATION}, and in it names of the package alone`,
  'src/models/genai-prices.ts found': 'has the names of the package',
  'src/models/genai-prices.ts steps': OF_A_REQUEST,
  'src/models/states.ts found': OF_A_REQUEST,
  'src/models/states.ts learned': OF_A_REQUEST,
  'src/models/window-routes.ts found': OF_A_REQUEST,
  'src/config/resolve.ts digests': OF_THE_CONFIGURATION,
  'src/config/resolve.ts names': OF_THE_CONFIGURATION,
  'src/config/yaml.ts anchors': OF_THE_CONFIGURATION,
  'src/config/yaml.ts seen': OF_THE_CONFIGURATION,
  'src/archive/archive.ts found': OF_A_REQUEST,
  'src/conversations/conversation.ts forgetful': OF_A_REQUEST,
  'src/conversations/lookup.ts itemOwners': OF_A_REQUEST,
  'src/conversations/lookup.ts items': OF_A_REQUEST,
  'src/conversations/job-run.ts listeners': 'has one entry for each open exchange, and loses it with that',
  'src/conversations/background-jobs.ts jobs':
    'has at most `limits.exchanges` entries, and loses each when it is finished',
  'src/http/web-pages.ts hosts': 'is emptied when it is full, and takes no long URL',
  'src/launch/figures.ts backends': OF_THE_CONFIGURATION,
  'src/launch/figures.ts losses': 'has one entry for each feature and kind of loss',
  'src/import/claude-code-router.ts names': OF_THE_SOURCE,
  'src/import/claude-code-router.ts sizes': OF_THE_SOURCE,
  'src/import/draft.ts models': OF_THE_SOURCE,
  'src/import/draft.ts variables': OF_THE_SOURCE,
  'src/import/draft.ts secrets': OF_THE_SOURCE,
  'src/import/fields.ts read': OF_THE_SOURCE,
  'src/import/fields.ts maps': OF_THE_SOURCE,
  'src/import/litellm.ts rules': OF_THE_SOURCE,
  'src/import/portkey.ts named': OF_THE_SOURCE,
  'src/gateway/services.ts inflated': 'has one entry for each key with bodies in flight',
  'src/http/held-places.ts places': OF_THE_CONFIGURATION,
  'src/limits/places.ts held': `${OF_THE_CONFIGURATION}, and in it at most \`concurrency\` ids`,
  'src/limits/windows.ts minutes': 'has two entries for each key that has limits, and loses each after its minute',
  'src/limits/primary.ts held': 'has one entry for each worker, and loses it with that',
  'src/ground/fair-rows.ts rows':
    'has at most `queue` calls, and large bodies for a minute at most within their budget',
  'src/ground/fair-rows.ts turns': OF_THE_CONFIGURATION,
  'src/ground/addresses.ts hosts': OF_THE_CONFIGURATION,
  'src/live/gather.ts cursors': 'has one entry for each worker, and loses it with that',
  'src/live/gather.ts next': 'has one entry for each worker',
  'src/live/view.ts found': OF_A_REQUEST,
  'src/migrate/plain/migrate.ts tallies': 'has one entry for each pair of dialects',
  'src/migrate/plain/tally.ts features': 'tells a thousand keys apart next to the features',
  'src/migrate/plain/tally.ts models': 'tells a thousand names apart',
  'src/migrate/plain/tally.ts seen': OF_A_REQUEST,
  'src/downloads/blobs.ts coming': 'loses each entry when it is written, or could not be',
  'src/exchange/inlining.ts found': OF_A_REQUEST,
  'src/exchange/inlining.ts seen': OF_A_REQUEST,
  'src/exchange/quoted.ts alone': OF_A_REQUEST,
  'src/exchange/quoted.ts own': OF_A_REQUEST,
  'src/exchange/quoted.ts wire': OF_A_REQUEST,
  'src/guard/answer-texts.ts short': OF_A_REQUEST,
  'src/guard/answer-texts.ts tails': OF_A_REQUEST,
  'src/offload/host.ts calls': OF_A_REQUEST,
  'src/probe/run.ts findings': 'has one entry for each row of a table',
  'src/probe/run.ts taken': 'holds some of the rows of a table',
  'src/probe/run.ts without': 'holds some of three names of members',
  'src/probe/sender.ts transports': 'has one entry for each origin of one server',
  'src/migrate/plain/reasons.ts known': 'has at most a hundred entries',
  'src/migrate/plain/reasons.ts names': 'belongs to one refusal',
  'src/protocol/vocabulary.ts NONE': STAYS_EMPTY,
  'src/offload/pool.ts threads': 'has at most four entries',
  'src/offload/budget.ts held': 'has one entry for each key with large bodies in flight',
  'src/offload/thread-backends.ts all': OF_THE_CONFIGURATION,
  'src/offload/thread-backends.ts calls': OF_A_REQUEST,
  'src/offload/thread-backends.ts held': STAYS_EMPTY,
  'src/offload/thread-gateway.ts inflated': STAYS_EMPTY,
  'src/offload/thread-link.ts waiting': 'loses each entry with its answer',
  'src/protocol/own-headers.ts groups': OF_A_REQUEST,
  'src/protocol/named-models.ts names': OF_A_REQUEST,
  'src/store/holdings.ts keys': 'has one entry for each one of its owner in the area, whose size is limited',
  'src/store/holdings.ts owners': 'has one entry for each owner of something in the area, whose size is limited',
  'src/store/lmdb-evict.ts rows': OF_A_TRANSACTION,
  'src/store/lmdb-sums.ts held': OF_A_TRANSACTION,
  'src/store/lmdb.ts areas': 'has one entry for each area of the gateway',
  'src/store/lmdb.ts bounds': 'has one entry for each area of the gateway',
  'src/store/memory.ts areas': 'has one entry for each area of the gateway',
  'src/store/memory.ts kept': 'drops the oldest above the size of its area',
  'src/store/memory-tallies.ts intervals':
    'loses each hour of a key once `usage.keepDays` have passed since it was added to',
  'src/store/memory-tallies.ts rows': 'has a hundred rows beside those whose names the configuration has',
  'src/store/memory-tallies.ts writers': 'keeps the newest thousand',
  'src/ground/cells.ts next':
    'has labels of the configuration in metrics, and in usage 2000 places, above which it is emptied',
  'src/usage/pending.ts hours':
    'has 5000 rows beside those whose names the configuration has, in each hour without a store',
  'src/usage/pending.ts found': 'is a part of these hours',
  'src/usage/report.ts groups': OF_A_REQUEST,
  'src/store/redis.ts texts': 'has one entry for each area of the gateway',
  'src/store/redis.ts areas': 'has one entry for each area of the gateway, and each size that a reload gave it',
  'src/workers/messages.ts rounds': 'loses each entry with its answer, at the latest after a second',
  'src/workers/messages.ts waiting': 'loses each entry with its answer, at the latest after its patience',
  'src/workers/pool.ts live': 'has one entry for each worker',
};

/** Collections of modules of the library: they would outlive every request. */
const OF_MODULES: Readonly<Record<string, string>> = {
  'translators/api/request-translators.ts DOMAINS': 'has one entry for each dialect',
  'translators/adapt/restore.ts NO_RULES': STAYS_EMPTY,
  'translators/adapt/tools.ts NO_NAMES': STAYS_EMPTY,
  'translators/schema/types.ts VACUOUS': 'has one entry for each set of the seven types of JSON',
  'translators/chat-completions/content/reasoning.ts calls': STAYS_EMPTY,
  'translators/messages/request/decode.ts NO_NAMES': STAYS_EMPTY,
};

/** Lists of the library that are fields of objects: these may be made when a module is loaded. */
const OF_OBJECTS: Readonly<Record<string, string>> = {
  'translators/wire/keys.ts order': 'has names of the schema alone, and as many as that has',
  'translators/wire/text-buffer.ts large': OF_A_REQUEST,
  'translators/wire/text-buffer.ts small': OF_A_REQUEST,
};

/** Modules of the library that remember something for as long as an object lives, and whose objects these are. */
const REMEMBERED: Readonly<Record<string, string>> = {
  'translators/target/resolve.ts': 'rules of dialects, which live as long as the modules that they stand in',
  'translators/wire/check.ts': 'tests of schemas, which live as long as the modules that they stand in',
};

/** Modules of the library that hold a variable, and what it is. */
const VARIABLES: Readonly<Record<string, string>> = {
  'translators/schema/budget.ts': 'holds a number while one request is encoded',
  'translators/wire/json-bytes.ts': 'holds 64 kB of room to write in',
};

/** Files whose lasting collections are no part that callers share, and why. */
const NOT_SHARED: Readonly<Record<string, string>> = {
  'backend/backends.ts': 'holds the backends themselves',
  'config/resolve.ts': 'is filled by the configuration',
  'config/yaml.ts': 'is filled by the configuration',
  'ground/addresses.ts': 'is filled by the configuration',
  'handler/backends.ts': 'is filled by the configuration',
  'gateway/services.ts': 'is where http/inflated.ts keeps its counts',
  'conversations/job-run.ts': 'belongs to one answer',
  'launch/figures.ts': 'belongs to one user of one machine',
  'import/claude-code-router.ts': 'serves no callers',
  'import/draft.ts': 'serves no callers',
  'import/fields.ts': 'serves no callers',
  'import/litellm.ts': 'serves no callers',
  'import/portkey.ts': 'serves no callers',
  'limits/primary.ts': 'is the same as limits/places.ts, by worker',
  'migrate/plain/migrate.ts': 'serves no callers',
  'migrate/plain/reasons.ts': 'serves no callers',
  'migrate/plain/tally.ts': 'serves no callers',
  'probe/run.ts': 'serves no callers',
  'probe/sender.ts': 'serves no callers',
  'offload/thread-backends.ts': 'belongs to one request',
  'offload/thread-link.ts': 'has one entry for each question of a request',
  'workers/messages.ts': 'has one entry for each question of a request',
  'workers/pool.ts': 'holds the workers themselves',
};

interface Found {
  /** The file, and the name of what holds the collection. */
  readonly where: string;
  /** Not within any function. */
  readonly module: boolean;
}

/** `const a = new Map()`, `a ??= new Set()`, `{ a: new Map<K, V>() }`, and at the top of a module `const a: T[] = []`. */
const EMPTY = /(?<name>[\w.]+)(?:: [^=\n]+)? (?:\?\?)?= new (?:Map|Set)(?:<.*>)?\(\s*\)/;
const MEMBER = /(?<name>\w+): new (?:Map|Set)(?:<[^()]*>)?\(\s*\)/g;
const LIST = /^(?:export )?(?:const|let) (?<name>\w+)(?:: (?<type>.*))? = (?:\[\]|\{\}|Object\.create\(null\));$/;

/** In a class `private a: T[] = []`. */
const FIELD =
  /^ {2}(?:(?:private|readonly|static) )+(?<name>\w+)(?:: .*)? = (?:\[\]|\{\}|new (?:Map|Set)(?:<.*>)?\(\));$/gm;

function collectionsIn(file: string): Found[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line): Found[] => {
      const module = /^\S/.test(line);
      const empty = EMPTY.exec(line)?.groups?.name;
      const members = [...line.matchAll(MEMBER)].map(({ groups }) => groups?.name);
      const list = LIST.exec(line)?.groups;
      const grows = list !== undefined && !/^readonly |^Readonly|Fields$/.test(list.type ?? '');
      return [empty, ...members, grows ? list.name : undefined].flatMap((name) =>
        name === undefined ? [] : [{ where: `${file} ${name}`, module }],
      );
    });
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
}

describe('hardening.md row 53: nothing grows for as long as the process lives', () => {
  const gateway = filesOf('src').filter((file) => !/^src\/(?:simulator|cli)\//.test(file));

  test('every collection of the gateway that begins empty has a bound', () => {
    const found = new Set(gateway.flatMap(collectionsIn).map(({ where }) => where));
    expect([...found].filter((where) => BOUNDED[where] === undefined)).toEqual([]);
    expect(Object.keys(BOUNDED).filter((where) => !found.has(where))).toEqual([]);
  });

  test('the library keeps nothing between two calls', () => {
    const lasting = filesOf('translators')
      .flatMap(collectionsIn)
      .filter(({ module }) => module);
    expect(lasting.map(({ where }) => where).sort()).toEqual(Object.keys(OF_MODULES).sort());
  });

  test('lists of its objects have a bound', () => {
    const fields = filesOf('translators').flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(FIELD)].map(({ groups }) => `${file} ${groups?.name}`),
    );
    expect(fields.sort()).toEqual(Object.keys(OF_OBJECTS).sort());
  });

  test('collections of the library hang on objects that go away', () => {
    const weak = filesOf('translators').filter((file) =>
      /^(?:export )?const \w+ = new Weak(?:Map|Set)/m.test(readFileSync(join(root, file), 'utf8')),
    );
    const strong = filesOf('translators').filter((file) =>
      /^(?:export )?let /m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(weak).toEqual(Object.keys(REMEMBERED));
    expect(strong).toEqual(Object.keys(VARIABLES));
  });
});

/** The rows of what callers share: the files of each part, and its tests. */
function rowsOfShared(): readonly {
  readonly part: string;
  readonly files: readonly string[];
  readonly test: string;
}[] {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const [, section = ''] = /## What callers share\n(.*?)\n## /s.exec(page) ?? [];
  return section
    .split('\n')
    .filter((line) => /^\| [A-Z]/.test(line) && !line.startsWith('| Part |'))
    .map((line) => {
      const cells = line.split(' | ');
      const [part = ''] = cells;
      const files = [...part.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      return { part, files, test: /`(test\/[^`]+)`/.exec(cells.at(-1) ?? '')?.[1] ?? '' };
    });
}

describe('what callers share has a row in SECURITY.md', () => {
  const rows = rowsOfShared();
  const named = rows.flatMap(({ files }) => files);

  test('each row has its six cells, files that are there, and a test', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(named.filter((file) => !existsSync(join(root, 'src', file)))).toEqual([]);
    expect(rows.filter(({ test: file }) => file === '' || !existsSync(join(root, file)))).toEqual([]);
  });

  test('every collection that outlives its request belongs to a row, or is no part that callers share', () => {
    const passing = [OF_A_REQUEST, STAYS_EMPTY, OF_A_TRANSACTION];
    const lasting = Object.entries(BOUNDED)
      .filter(([, bound]) => !passing.includes(bound))
      .map(([where]) => where.replace(/^src\/| .*$/g, ''));
    const isNamed = (file: string): boolean =>
      named.some((one) => (one.endsWith('/') ? file.startsWith(one) : file === one));
    expect([...new Set(lasting)].filter((file) => !isNamed(file) && NOT_SHARED[file] === undefined)).toEqual([]);
    expect(Object.keys(NOT_SHARED).filter((file) => isNamed(file) || !lasting.includes(file))).toEqual([]);
  });
});
