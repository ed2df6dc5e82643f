import type { RestrictionKind } from '../../config/index.js';
import { type ClientCall, classOf } from '../../http/index.js';
import { askPrimary, isWorker } from '../../workers/index.js';
import type { Gauged, Observed } from '../observed.js';
import type { UnrecordedReason } from '../record/recorder.js';
import { countExchange, countMade } from './exchanges.js';
import { createInstruments } from './instruments.js';
import { mergedText, shareWithPrimary } from './process.js';

/** Why a target was passed over. */
export type PassReason = 'unreachable' | 'breaker' | 'queue' | 'credentials' | 'refused';

/** Text for a scrape, with its content type. */
export interface Scrape {
  readonly type: string;
  readonly text: string;
}

/** Counts what happens, in the format of Prometheus. */
export interface Meter {
  /** A target failed, and another was to be tried or reported. */
  passed(backend: string, reason: PassReason): void;
  /** A caller was over a limit of its key. */
  limited(key: string, limit: 'requests' | 'tokens' | 'concurrency'): void;
  /** A backend was called. `status` of its answer; undefined when there was none. */
  called(backend: string, status: number | undefined): void;
  /** A refusal revealed a restriction of a model of a backend, of this kind. */
  learned(backend: string, kind: RestrictionKind): void;
  /** An exchange is not in the record (`record`). */
  unrecorded(reason: UnrecordedReason): void;
  /** The configuration was to be read anew. */
  reloaded(ok: boolean): void;
  /** An exchange ended. */
  ended(gateway: Observed, call: ClientCall): void;
  /** An answer was made in the background; `status` as its dialect names it. */
  made(gateway: Observed, call: ClientCall, status: string): void;
  /** Measures the parts of this configuration from now on. */
  watch(gateway: Gauged): void;
  /** Everything counted, of all processes that share the port. */
  render(): Promise<Scrape>;
}

/** Counts for one gateway; what the process itself needs is counted from the first scrape on. `shares`: in a worker, its primary asks for it. */
export function createMeter(shares = true): Meter {
  let watched: Gauged | undefined;
  const instruments = createInstruments(() => watched);
  const { registry } = instruments;
  if (shares) shareWithPrimary(registry);
  return {
    passed: (backend, reason) => instruments.passedTargets.add([backend, reason]),
    limited: (key, limit) => instruments.limited.add([key, limit]),
    called: (backend, status) => instruments.backendCalls.add([backend, classOf(status)]),
    learned: (backend, kind) => instruments.restrictions.add([backend, kind]),
    unrecorded: (reason) => instruments.unrecorded.add([reason]),
    reloaded: (ok) => instruments.reloads.add([ok ? 'ok' : 'failed']),
    ended: (gateway, call) => countExchange(instruments, gateway, call),
    made: (gateway, call, status) => countMade(instruments, gateway, call, status),
    watch(gateway) {
      watched = gateway;
    },
    async render() {
      if (!isWorker) return { type: registry.contentType, text: await mergedText(registry) };
      return (await askPrimary('metrics', null)) as Scrape;
    },
  };
}
