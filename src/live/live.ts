import type { Config } from '../config/index.js';
import { type Redact, randomHex } from '../ground/index.js';
import type { ClientCall, Content, Facts } from '../http/index.js';
import { answerPrimary, isWorker } from '../workers/index.js';
import { type Bodies, bodiesOf, bytesOf, Entry, writeEntry } from './entry.js';
import { MOST_KEPT } from './plain/index.js';
import type { Readers } from './readers.js';
import { createRing } from './ring.js';
import { answerFor, type LiveSource, ofAllWorkers, SUBJECT } from './source.js';

/** The last exchanges, for operators (http.md#live). */
export interface Live extends Pick<Readers, 'follow'> {
  /** Goes on as this configuration says. Who follows has to come again, since it may say otherwise who may. */
  use(config: Config['live']): void;
  /** Whether exchanges are kept, and whether what is said in them is. */
  readonly on: boolean;
  readonly bodies: boolean;
  /** Takes an exchange that is over, with what was said where that was watched. */
  add(call: ClientCall, content: Content | undefined, hide: Redact): void;
  /** Takes an answer that was made in the background. */
  made(call: ClientCall): void;
  /** All that can be looked at, of all processes that share the port. */
  readonly source: LiveSource;
  close(): void;
}

/** The most bytes that are held, and with bodies. Several workers have an equal part of it each. */
const BYTES = 8 * 1024 * 1024;
const BODY_BYTES = 64 * 1024 * 1024;

/** Loaded with the first look, so that a start does not wait for them. */
const loadView = () => import('./view.js');
const loadReaders = () => import('./readers.js');

/** `clean` takes secrets out of texts when they are shown. `shares`: in a worker, its primary asks for what is here. */
export function createLive(workers: number, clean: Redact, shares: boolean): Live {
  let config: Config['live'] = false;
  const run = randomHex().slice(0, 8);
  const ringOf = (next: Config['live']) =>
    createRing<Entry>(MOST_KEPT, (next !== false && next.bodies ? BODY_BYTES : BYTES) / workers);
  let ring = ringOf(config);
  /** The numbers of a ring that was given up are not used again. */
  let base = 0;
  const own: LiveSource = {
    async after(n) {
      const { viewOf } = await loadView();
      return { run, exchanges: ring.after(n - base).map(([number, entry]) => viewOf(base + number, entry, clean)) };
    },
    async detail(n) {
      const { detailOf } = await loadView();
      const entry = ring.get(n - base);
      return entry && detailOf(n, entry, clean);
    },
  };
  const keep = (call: ClientCall, facts: Facts, bodies?: Bodies): void => {
    // An object for each exchange would be moved twice by the collector before it is given up (docs/internals/decisions/0042-live.md).
    const entry = ring.spare() ?? new Entry();
    writeEntry(entry, call, facts, bodies);
    ring.add(entry, bytesOf(entry));
  };
  const source = shares && isWorker ? ofAllWorkers : own;
  if (source !== own) answerPrimary(SUBJECT, (value) => answerFor(own, value));
  let readers: Readers | undefined;
  return {
    async follow(...given) {
      const { createReaders } = await loadReaders();
      readers ??= createReaders(source);
      return readers.follow(...given);
    },
    source,
    get on() {
      return config !== false;
    },
    get bodies() {
      return config !== false && config.bodies;
    },
    use(next) {
      readers?.end();
      const before = config;
      config = next;
      if (JSON.stringify(before) === JSON.stringify(next)) return;
      base += ring.last;
      ring = ringOf(next);
    },
    add(call, content, hide) {
      const { facts } = call.record;
      if (config === false || facts === undefined || call.request.method !== 'POST') return;
      const bodies = config.bodies && content !== undefined ? bodiesOf(call, content, hide) : undefined;
      keep(call, facts, bodies);
    },
    made(call) {
      const { facts } = call.record;
      if (config !== false && facts !== undefined) keep(call, facts);
    },
    close: () => readers?.end(),
  };
}
