import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import {
  type Answer,
  json,
  type Recorder,
  type Seen,
  type Sending,
  send,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';

/*
 * What callers share (SECURITY.md): one key does its worst, and the request of another reaches the backend byte for byte as it does
 * alone. No call of the first key is answered meanwhile, so that the second waits for none of them, however long they take.
 */

export const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };
export type Name = keyof typeof KEYS;

export const MB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'interlingua-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export interface Stage {
  readonly recorder: Recorder;
  /** What becomes of calls for the first key; by default nobody answers them. */
  onRed: (response: ServerResponse, seen: Seen) => void;
  send(name: Name, path: string, sending?: Sending): Promise<Answer>;
  /** One message, from whom the backend reads in it. */
  ask(name: Name, more?: object): Promise<Answer>;
  /** How many calls of the first key the backend has. */
  reds(): number;
}

export const bodyOf = (name: Name, more: object = {}) => ({
  model: 'm',
  max_tokens: 50,
  messages: [{ role: 'user', content: `a word of the ${name} team` }],
  ...more,
});

export const isRed = ({ body }: Seen): boolean => body.includes('red team');

export async function open(
  config: Partial<ConfigInput> = {},
  limits: object = {},
  backend: object = {},
): Promise<Stage> {
  const recorder = await startRecorder();
  closers.push(recorder.close);
  const file = join(folder, 'interlingua.json');
  const written: ConfigInput = {
    log: { level: 'silent' },
    backends: {
      one: { dialect: 'messages', baseUrl: recorder.url, retries: 0, ...backend },
      two: { dialect: 'messages', baseUrl: `${recorder.url}/second`, retries: 0 },
    },
    models: { m: [{ backend: 'one' }, { backend: 'two' }] },
    keys: Object.entries(KEYS).map(([name, key]) => ({ name, key })),
    limits: { drainSeconds: 0.1, ...limits },
    store: { type: 'memory' },
    ...config,
  };
  writeFileSync(file, JSON.stringify(written));
  const gateway = createGateway(loadConfig(file, {}));
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => gateway.close());
  const stage: Stage = {
    recorder,
    onRed: () => {},
    send: (name, path, { headers, ...sending } = {}) =>
      send(url, path, { ...sending, headers: { 'x-api-key': KEYS[name], ...headers } }),
    ask: (name, more) => stage.send(name, '/v1/messages', { body: bodyOf(name, more) }),
    reds: () => recorder.seen.filter(isRed).length,
  };
  recorder.reply = (response, seen) =>
    isRed(seen) ? stage.onRed(response, seen) : json(response, 200, WHOLE.messages('hi'));
  return stage;
}

/** What nobody awaits: it ends with the gateway. */
export function begin(count: number, work: () => Promise<Answer>): Promise<Answer | undefined>[] {
  return Array.from({ length: count }, () => work().catch(() => undefined));
}

export interface Row {
  readonly config?: Partial<ConfigInput>;
  readonly limits?: object;
  readonly backend?: object;
  /** What the first key does; resolves when it has done its worst. */
  readonly worst: (stage: Stage) => Promise<void>;
  /** What the second one asks. Default: one message. */
  readonly asks?: (stage: Stage) => Promise<Answer>;
}

/** What the backend received of the second key's request. */
function received({ recorder }: Stage): string {
  const last = recorder.seen.filter((seen) => seen.method === 'POST' && !isRed(seen)).at(-1);
  if (last === undefined) throw new Error('the backend received nothing');
  const { method, path, rawHeaders, body } = last;
  return [method, path, ...rawHeaders, body].join('\n');
}

/** Holds each row. */
export function testRows(rows: Readonly<Record<string, Row>>): void {
  describe.each(Object.entries(rows))(
    '%s',
    (_part, { config, limits, backend, worst, asks = (stage) => stage.ask('blue') }) => {
      test('one key changes no byte of what another sends, and lets it wait for none of its calls', async () => {
        const alone = await open(config, limits, backend);
        expect((await asks(alone)).status).toBe(200);
        const beside = await open(config, limits, backend);
        await worst(beside);
        const reds = beside.reds();
        expect((await asks(beside)).status).toBe(200);
        expect(beside.reds()).toBe(reds);
        const addressOf = (stage: Stage): string => new URL(stage.recorder.url).host;
        expect(received(beside).replaceAll(addressOf(beside), addressOf(alone)) === received(alone)).toBe(true);
      });
    },
  );
}
