import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds } from '../translators/index.js';
import { tableOf } from './support/dialects/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface Arrow {
  readonly from: string;
  readonly to: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Every import and re-export of a file; relative ones as paths from the root. */
function arrows(file: string): Arrow[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/^(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*'([^']+)'/gm);
  return [...found].map(([, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
  }));
}

const library = sources('translators').flatMap(arrows);
const gateway = sources('src').flatMap(arrows);
const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');
const show = (list: readonly Arrow[]): string[] => list.map((arrow) => `${arrow.from} -> ${arrow.to}`);
/**
 * The floors of the gateway from the ground up: a room imports from rooms of lower floors. The simulator is next to the backends,
 * which use it alone. `offload` is above the composition, since a thread is a gateway of its own with all routes.
 */
const FLOORS = [
  ['ground', 'simulator'],
  ['dialects'],
  ['presets', 'migrate'],
  ['protocol'],
  ['archive'],
  ['call'],
  ['guard'],
  ['web'],
  ['fetch', 'handler'],
  ['config'],
  ['import', 'store', 'workers'],
  ['http'],
  ['usage'],
  ['backend', 'limits', 'observe'],
  ['downloads', 'models'],
  ['exchange'],
  ['conversations', 'live', 'media', 'passthrough'],
  ['routes'],
  ['gateway'],
  ['offload'],
  ['app'],
  ['index'],
  ['launch', 'probe'],
  ['cli'],
];

/** The parts of rooms that browsers take: each has an entry of its own. */
const PLAIN = 'src/ground/plain/';
const PLAIN_REPORT = 'src/migrate/plain/';
const RULES = 'src/simulator/rules/';
/** The folder below `src`, or the name of a file there. */
const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.[jt]s$/, '');
const floorOf = (path: string): number => FLOORS.findIndex((rooms) => rooms.includes(roomOf(path)));

const IMPORTED = new Map(
  [
    ...readFileSync(join(root, 'translators/dialects.ts'), 'utf8').matchAll(
      /^import \{ (\w+) \} from '\.\/([\w-]+)\/index\.js';$/gm,
    ),
  ].map(([, id, folder]) => [id, `translators/${folder}`]),
);

/** The folder of each dialect, by the imports of the table of dialects. */
const FOLDERS = dialectIds.map((id): [DialectId, string] => [id, IMPORTED.get(id) ?? '']);

const DIALECT_FOLDERS = FOLDERS.map(([, folder]) => folder);

/** A part of a pattern for the id of any dialect. */
const ANY_ID = dialectIds.join('|');

describe('the arrows of the house', () => {
  test('the library imports nothing from the gateway, from Node or from an HTTP package', () => {
    const allowed = /^(translators\/|zod\/v4\/|zod\/v3$|zod-to-json-schema$|fflate\/browser$|@noble\/hashes\/)/;
    expect(show(library.filter(({ to }) => !allowed.test(to)))).toEqual([]);
  });

  test('dialect folders never import each other', () => {
    const crossing = library.filter(
      ({ from, to }) =>
        DIALECT_FOLDERS.includes(folderOf(from)) &&
        DIALECT_FOLDERS.includes(folderOf(to)) &&
        folderOf(from) !== folderOf(to),
    );
    expect(show(crossing)).toEqual([]);
  });

  test('only the tables of dialects know the dialect folders', () => {
    const outside = library.filter(
      ({ from, to }) => DIALECT_FOLDERS.includes(folderOf(to)) && !DIALECT_FOLDERS.includes(folderOf(from)),
    );
    // A host that keeps answers enters the room of stored ones by the public entry.
    const entry = { from: 'translators/index.ts', to: 'translators/responses/stored/index.js' };
    const tables = ['translators/dialects.ts', 'translators/halves.ts'];
    expect([...new Set(outside.map(({ from }) => from))].sort()).toEqual([...tables, entry.from]);
    expect(outside.filter(({ from }) => from === entry.from)).toEqual([entry]);
  });

  test('the canonical model imports nothing but itself', () => {
    const outward = library.filter(
      ({ from, to }) => folderOf(from) === 'translators/canonical' && folderOf(to) !== 'translators/canonical',
    );
    expect(show(outward)).toEqual([]);
  });

  test('the wire mechanics import at most the canonical model', () => {
    const allowed = ['translators/wire', 'translators/canonical', 'fflate/browser', '@noble/hashes', 'zod/v4'];
    const outward = library.filter(
      ({ from, to }) => folderOf(from) === 'translators/wire' && !allowed.includes(folderOf(to)),
    );
    expect(show(outward)).toEqual([]);
  });

  test('the drivers of answers import at most the model, the mechanics and passes that dialects share', () => {
    const allowed = ['answer', 'canonical', 'wire'].map((room) => `translators/${room}`);
    const outward = library.filter(
      ({ from, to }) => folderOf(from) === 'translators/answer' && !allowed.includes(folderOf(to)),
    );
    const shared = ['translators/adapt/index.js', 'translators/dialect.js'];
    expect([...new Set(outward.map(({ to }) => to))].sort()).toEqual(shared);
  });

  test('what writes an answer knows nothing of streams, so that whole answers are written by it too', () => {
    const writes = /\/(answer\/[a-z-]+|response\/encode|tools\/hosted\/encode)\.ts$/;
    expect(show(library.filter(({ from, to }) => writes.test(from) && to.includes('/stream/')))).toEqual([]);
  });

  test('a room of the library that has an entry is imported by it', () => {
    const rooms = sources('translators')
      .filter((file) => basename(file) === 'index.ts')
      .map(dirname);
    const inner = rooms.filter((room) => room !== 'translators');
    // Whoever takes half a dialect by its entry takes all of it.
    const whole = library.filter(({ from }) => from !== 'translators/halves.ts');
    const past = whole.filter(({ from, to }) =>
      inner.some((room) => to.startsWith(`${room}/`) && !from.startsWith(`${room}/`) && to !== `${room}/index.js`),
    );
    // Stored answers are no part of a dialect, and have an entry of their own.
    expect(show(past)).toEqual(['translators/index.ts -> translators/responses/stored/index.js']);
  });

  test('the rooms of the gateway import from floors below them, types included', () => {
    const upward = gateway.filter(({ from, to }) => {
      const [here, there] = [floorOf(from), floorOf(to)];
      return to.startsWith('src/') && roomOf(from) !== roomOf(to) && !(there < here);
    });
    expect(show(upward)).toEqual([]);
    expect(
      [...new Set(gateway.map(({ from }) => roomOf(from)))].filter((room) => !FLOORS.flat().includes(room)),
    ).toEqual([]);
  });

  test('the fetch for SDKs and what it is made of know no runtime', () => {
    const rooms = ['dialects', 'presets', 'protocol', 'archive', 'call', 'guard', 'web', 'fetch', 'handler'];
    const isPure = (path: string): boolean => path.startsWith(PLAIN) || rooms.includes(roomOf(path));
    const own = gateway.filter(({ from }) => isPure(from));
    const allowed = /^(?:translators\/index\.js$|@noble\/hashes\/|gpt-tokenizer\/)/;
    const foreign = own.filter(({ to }) => (to.startsWith('src/') ? !isPure(to) : !allowed.test(to)));
    expect(show(foreign)).toEqual([]);
  });

  test('what browsers take of the migration report knows no runtime', () => {
    const entries = ['translators/index.js', 'translators/advice.js', `${PLAIN}index.js`, `${RULES}index.js`];
    const own = sources(PLAIN_REPORT).flatMap(arrows);
    expect(show(own.filter(({ to }) => !to.startsWith(PLAIN_REPORT) && !entries.includes(to)))).toEqual([]);
  });

  test('a room of the gateway is imported by its entry', () => {
    const past = gateway.filter(
      ({ from, to }) =>
        to.split('/').length > 2 &&
        to.startsWith('src/') &&
        roomOf(from) !== roomOf(to) &&
        !/^src\/\w+\/index\.js$/.test(to) &&
        to !== `${PLAIN}index.js` &&
        !(from.startsWith(PLAIN_REPORT) && to === `${RULES}index.js`),
    );
    expect(show(past)).toEqual([]);
  });

  test('the gateway imports the library by its entry, and by that of the advice', () => {
    const entries = ['translators/index.js', 'translators/advice.js'];
    const inside = gateway.filter(({ to }) => to.startsWith('translators/') && !entries.includes(to));
    expect(show(inside)).toEqual([]);
  });

  test('the page imports the library by its entry, and knows of the gateway what imports no runtime, nor the gateway of it', () => {
    const entries = [
      'translators/index.js',
      'translators/advice.js',
      'src/dialects/index.js',
      'src/ground/plain/index.js',
      'src/migrate/plain/index.js',
      'src/live/plain/index.js',
      'src/presets/index.js',
      'src/protocol/index.js',
      'src/simulator/rules/index.js',
    ];
    const page = sources('page').flatMap(arrows);
    const packages = /^(?:preact|@preact|@codemirror|@lezer|shlex|fflate)(?:\/|$)/;
    const foreign = page.filter(({ to }) => !to.startsWith('page/') && !entries.includes(to) && !packages.test(to));
    expect(show(foreign)).toEqual([]);
    expect(show(gateway.filter(({ to }) => to.startsWith('page/')))).toEqual([]);
  });

  // Decision 0007: what a service refuses is written once, for the simulator and for the fakes.
  test('the rules of the services import nothing', () => {
    const rules = sources('src/simulator/rules').flatMap(arrows);
    expect(show(rules.filter(({ to }) => !to.startsWith('src/simulator/rules/')))).toEqual([]);
  });

  test('the fakes know nothing of what they test but the rules of the services', () => {
    const fakes = ['fake-backend', 'faulty-backend', 'services', 'wire']
      .flatMap((folder) => sources(`test/support/${folder}`))
      .filter((file) => !file.endsWith('.test.ts'));
    const known = fakes.flatMap(arrows).filter(({ to }) => /^(?:src|translators)\//.test(to));
    expect(show(known.filter(({ to }) => to !== 'src/simulator/rules/index.js'))).toEqual([]);
  });

  test('the model names no dialect and no vendor', () => {
    const words = /\b(anthropic|openai|gemini|claude|gpt|google)\b/i;
    const named = sources('translators/canonical').filter((file) => words.test(readFileSync(join(root, file), 'utf8')));
    expect(named).toEqual([]);
  });

  test('the model has no word of one wire but two features of losses that users know', () => {
    const words =
      /\b(searchEntryPoint|imageConfig|mediaResolution|generationConfig|groundingMetadata|safetySettings|input_text|text_config)\b/g;
    const found = sources('translators/canonical').flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(words) ?? [],
    );
    expect([...new Set(found)].sort()).toEqual(['mediaResolution', 'searchEntryPoint']);
  });

  test('rooms that dialects share name none of them', () => {
    const named = ['adapt', 'answer', 'canonical', 'exchange', 'media', 'schema', 'wire'].flatMap((room) =>
      sources(`translators/${room}`).filter((file) =>
        new RegExp(`'(${ANY_ID})'|\\b(${ANY_ID}):`).test(readFileSync(join(root, file), 'utf8')),
      ),
    );
    expect(named).toEqual([]);
  });

  test('no folder of a dialect names the id of another', () => {
    // Members of bodies and names of operations that are spelled like an id.
    const known = new Set(['messages']);
    const naming = FOLDERS.flatMap(([own, folder]) => {
      const others = dialectIds.filter((id) => id !== own && !known.has(id)).join('|');
      return sources(folder).filter((file) =>
        new RegExp(`'(?:${others})'`).test(readFileSync(join(root, file), 'utf8')),
      );
    });
    expect(naming).toEqual([]);
  });

  test('one table of the gateway lists the dialects', () => {
    const table = /(?<!Partial<)Record<\s*DialectId\b/;
    const listing = sources('src').filter((file) => table.test(readFileSync(join(root, file), 'utf8')));
    // What is asked of a server does not depend on what is believed of its dialect.
    const own = ['src/simulator/', 'src/probe/speech/'];
    expect(listing.filter((file) => !own.some((start) => file.startsWith(start)))).toEqual(['src/dialects/index.ts']);
  });

  test('nothing branches on the name of a dialect outside the table and the routes', () => {
    const branch = new RegExp(`(===|!==|case)\\s*'(${ANY_ID})'`);
    const allowed = ['translators/dialects.ts', 'src/routes/', ...DIALECT_FOLDERS.map((folder) => `${folder}/`)];
    const branching = [...sources('translators'), ...sources('src')].filter(
      (file) => !allowed.some((start) => file.startsWith(start)) && branch.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(branching).toEqual([]);
  });
});

/** The paths that every dialect folder has (docs/internals/decisions/0005-one-plan.md). */
const PLAN: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...[
      'index',
      'parts',
      'translation',
      'client',
      'backend',
      'caller',
      'service',
      'requests',
      'client-requests',
      'backend-requests',
    ],
    ...['rules', 'profile', 'nodes'],
  ],
  'wire/': ['index', 'content', 'tools'],
  'request/': ['members', 'decode', 'encode', 'settings', 'output', 'reasoning'],
  'response/': ['decode', 'encode', 'stop', 'usage'],
  'content/': ['decode', 'encode', 'fit', 'turns', 'media', 'citations', 'reasoning'],
  'tools/': ['decode', 'encode', 'choice', 'client', 'computer', 'calls'],
  'tools/hosted/': ['codec', 'families', 'encode'],
  'answer/': ['envelope', 'parts', 'rules', 'writer'],
  'stream/': ['decode', 'assembly', 'encode'],
  'schema/': ['encode', 'fields'],
  'edge/': [
    'endpoint',
    'errors',
    'refusals',
    'fields',
    'data',
    'limits',
    'models',
    'count',
    'relayed',
    'whole',
    'withhold',
  ],
};

const COMMON = Object.entries(PLAN).flatMap(([room, names]) => names.map((name) => `${room}${name}.ts`));

const BEYOND_PLAN = tableOf('beyondPlan');

describe('one plan for every dialect', () => {
  test.each(FOLDERS)('%s has every path of the plan, and names the others with a reason', (id, folder) => {
    const files = sources(folder).map((file) => relative(folder, file));
    expect(COMMON.filter((path) => !files.includes(path))).toEqual([]);
    const free = /^(tools\/hosted|schema|stored|servers|restored|answer)\/[a-z-]+\.ts$/;
    const others = files.filter((path) => !COMMON.includes(path) && !free.test(path));
    expect(others.sort()).toEqual(Object.keys(BEYOND_PLAN[id]).sort());
    expect(others.length).toBeLessThanOrEqual(8);
  });

  test('no file stands beside a folder of its name', () => {
    const files = [...sources('translators'), ...sources('src')];
    const folders = new Set(files.map(dirname));
    // The program that the package names.
    expect(files.filter((file) => folders.has(join(dirname(file), basename(file, '.ts'))))).toEqual(['src/cli.ts']);
  });

  test.each(['translators', 'src'])(
    'the files of %s do not import each other in a circle, types included',
    (folder) => {
      expect(circles(folder)).toEqual([]);
    },
  );
});

/** Files of a folder that reach themselves by their imports. */
function circles(folder: string): string[] {
  const imported = new Map(
    sources(folder).map((file) => [file, arrows(file).map(({ to }) => to.replace(/\.js$/, '.ts'))]),
  );
  const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
    (imported.get(from) ?? []).some((to) => to === goal || (!seen.has(to) && reaches(to, goal, seen.add(to))));
  return [...imported.keys()].filter((file) => reaches(file, file, new Set()));
}
