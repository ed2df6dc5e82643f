import type { DialectId } from '../../../translators/index.js';
import { ASK, DIALECTS, STREAM } from '../../support/gateway/harness.js';
import { PAIRS } from '../../support/load/mix.js';
import type { Random } from '../../support/load/random.js';
import { GROWING_ANSWERS } from '../growth/answers.js';
import { times } from '../growth/grown.js';
import { GROWING_REQUESTS } from '../growth/requests.js';
import { GROWING_STREAMS } from '../growth/streams.js';
import { foreignState, LONG_PATHS, letters, nearlyFiles, squeezed, TURNS, withValues } from './bodies.js';
import { type Hostility, wordsFor } from './hostile-backend.js';
import { requestWithTools, SHAPES } from './schemas.js';

/** One request that is meant to hurt others; sent many times. */
export interface Attack {
  /** The finding of attacks.md. */
  readonly row: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without one it is a GET. */
  readonly body?: Buffer;
  /** The client goes away so many ms after it has sent all. */
  readonly leaveAfterMs?: number;
  /** Sent without the key. */
  readonly anybody?: true;
}

/** The models of the gateway that is attacked: those of ordinary backends, those of hostile ones, and one that keeps no state. */
export const modelTo = (dialect: DialectId): string => `to-${dialect}`;
export const modelOfEvil = (dialect: DialectId): string => `evil-${dialect}`;
export const FORGETFUL = 'forgetful';
/** Another backend, whose state is foreign to all. */
export const OTHER_DOMAIN = 'other.example';

const MB = 1024 * 1024;
/** Entries of a list in a request, of 20 to 100 kB; and of a large one, of 0.5 to 2 MB. */
const ENTRIES = 500;
const LARGE_ENTRIES = 8000;

function attack(row: number, { path, body }: { path: string; body: object | string }, more: object = {}): Attack {
  return { row, path, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), ...more };
}

/** A prompt of the dialect with these words. */
function saying(ask: { path: string; body: object }, words: string): { path: string; body: string } {
  return { path: ask.path, body: JSON.stringify(ask.body).replace('"Hello"', () => JSON.stringify(words)) };
}

/** Lists that grow; which ones, and between which dialects, is chance. */
function growing(random: Random, count: number, entries: number): Attack[] {
  const chosen = times(count, () => GROWING_REQUESTS[random.below(GROWING_REQUESTS.length)] ?? []).flat();
  return chosen.map(({ from, body }) => {
    const model = modelOfEvil(random.pick(DIALECTS));
    return attack(16, { path: ASK[from](model).path, body: { ...body(entries), model } });
  });
}

function hostile(random: Random, count: number): Attack[] {
  const evil = (
    row: number,
    client: DialectId,
    to: DialectId,
    form: typeof ASK | typeof STREAM,
    words: string,
  ): Attack => attack(row, saying(form[client](modelOfEvil(to)), words));
  const plain: readonly (readonly [number, Hostility])[] = [
    [11, 'bytes'],
    [20, 'deep'],
    [15, 'fail'],
  ];
  return [
    ...times(count, () => {
      const index = random.below(GROWING_ANSWERS.length);
      return evil(
        16,
        random.pick(DIALECTS),
        GROWING_ANSWERS[index]?.from ?? 'messages',
        ASK,
        wordsFor('answer', index),
      );
    }),
    ...times(count, () => {
      const index = random.below(GROWING_STREAMS.length);
      const to = GROWING_STREAMS[index]?.from ?? 'messages';
      return evil(16, random.pick(DIALECTS), to, STREAM, wordsFor('stream', index));
    }),
    ...plain.flatMap(([row, way]) => PAIRS.map(([client, to]) => evil(row, client, to, ASK, wordsFor(way)))),
    ...PAIRS.map(([client, to]) => evil(20, client, to, STREAM, wordsFor('comment'))),
    ...PAIRS.map(([client, to]) => ({ ...evil(15, client, to, ASK, wordsFor('hang')), leaveAfterMs: 2000 })),
    attack(15, {
      path: '/v1/responses',
      body: { model: modelOfEvil('messages'), input: wordsFor('hang'), background: true },
    }),
  ];
}

function schemas(): Attack[] {
  return Object.values(SHAPES).flatMap((shape) =>
    PAIRS.filter(([from, to]) => from !== to).map(([from, to], index) => {
      const [levels, width, tools] = index % 2 === 0 ? [30, 10, 1] : [11, 3, 40];
      const body = requestWithTools(
        from,
        times(tools, () => shape(levels, width)),
        index % 3 === 0,
      );
      const model = modelOfEvil(to);
      return attack(2, { path: ASK[from](model).path, body: { ...body, model } });
    }),
  );
}

const BROTLI = { 'content-encoding': 'br' };

/** So many messages of one speaker, one after the other. */
function neighbours(count: number): string {
  const user = '{"role":"user","content":"hi"}';
  return `{"model":"${modelOfEvil('responses')}","max_tokens":9,"messages":[${`${user},`.repeat(count - 1)}${user}]}`;
}

function compressed(): Attack[] {
  const junk = squeezed(withValues({ model: modelTo('messages') }, 'junk', 4 * MB));
  return [
    { row: 3, path: '/v1/messages', body: squeezed(neighbours(2000)), headers: BROTLI },
    { row: 7, path: '/v1/messages', body: junk, headers: BROTLI },
  ];
}

function values(): Attack[] {
  return DIALECTS.map((client) => {
    const { path, body } = ASK[client](modelTo('messages'));
    return attack(4, { path, body: withValues(body, TURNS[client], 4 * MB) });
  });
}

/** Texts that are counted, for the limit of the key, when the client leaves before the backend has told how many they were. */
function texts(): Attack[] {
  const leaving = (row: number, text: string): Attack => ({
    ...attack(row, saying(ASK.messages(modelOfEvil('responses')), `${wordsFor('hang')} ${text}`)),
    leaveAfterMs: 300,
  });
  return [leaving(6, nearlyFiles(4096)), leaving(19, letters(3.8 * MB)), leaving(19, letters(MB / 4))];
}

function modelNames(): Attack[] {
  const twice = '{"model":"forbidden","model":"to-messages","Model":"x","max_tokens":9,"messages":[]}';
  return [attack(13, { path: '/v1/messages', body: twice })];
}

function references(): Attack[] {
  const many = times(70_000, (index) => ({ type: 'item_reference', id: `msg_${index}` }));
  return [
    attack(12, { path: '/v1/responses', body: { model: modelTo('responses'), input: many } }),
    attack(8, { path: '/v1/responses', body: { model: FORGETFUL, input: foreignState(OTHER_DOMAIN, 1000) } }),
  ];
}

/** Bodies that one pass over them takes a fifth of a second and more: long lists, a picture of 20 MB, a history of as much. */
function large(random: Random): Attack[] {
  const data = 'iVBORw0KGgoAAAANSUhEUgAA'.padEnd(20_000_000, 'Ab3/');
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const turns = times(5000, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'x'.repeat(4000) }));
  const body = (messages: object[]) => ({ model: modelOfEvil('responses'), max_tokens: 9, messages });
  return [
    ...growing(random, 12, LARGE_ENTRIES),
    { row: 3, path: '/v1/messages', body: squeezed(neighbours(35_000)), headers: BROTLI },
    attack(18, { path: '/v1/messages', body: body([{ role: 'user', content: [picture] }]) }),
    attack(18, { path: '/v1/messages', body: body(turns) }),
  ];
}

/** What needs no key. */
function anybody(): Attack[] {
  const paths = Object.values(LONG_PATHS).flatMap((path) => [path, path.slice(0, 2048)]);
  const page = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' };
  return [
    ...paths.map((path) => ({ row: 1, path, anybody: true }) as const),
    { ...attack(9, ASK.messages(modelTo('messages')), { headers: page }), anybody: true },
    { row: 9, path: '/metrics', headers: { host: 'evil.example:80' }, anybody: true },
  ];
}

/** Attacks by kind, of which each comes as often as any other. Everything is made beforehand. */
export function prepareAttacks(random: Random, withLarge: boolean, many = 24): readonly (readonly Attack[])[] {
  return [
    anybody(),
    schemas(),
    growing(random, many, ENTRIES),
    hostile(random, many),
    compressed(),
    values(),
    texts(),
    modelNames(),
    references(),
    ...(withLarge ? [large(random)] : []),
  ];
}
