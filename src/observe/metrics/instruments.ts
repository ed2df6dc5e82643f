import { Gauge, Registry } from 'prom-client';
import type { BackendStatus, Gauged } from '../observed.js';
import { createSpread, createTally } from './tally.js';

/** Everything that is counted. */
export type Instruments = ReturnType<typeof createInstruments>;

/** Bounds in seconds: from what a gateway alone takes to the longest answers. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const TOKENS_PER_SECOND = [1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 350, 500, 1000, 2000];

const EXCHANGE = ['client', 'dialect', 'backend', 'model'] as const;

/** Whose labels: a breaker that is closed, one that tries again, one that is open. */
const BREAKER = { closed: 0, 'half-open': 1, open: 2 } as const;

/** Registers all metrics. `current` gives the parts whose status is read when somebody asks. */
export function createInstruments(current: () => Gauged | undefined) {
  const registry = new Registry();
  const registers = [registry];
  const name = (text: string): string => `interlingua_${text}`;
  const counter = <const Names extends readonly string[]>(called: string, help: string, labelNames: Names) =>
    createTally({ name: name(called), help, labelNames, registry });
  const histogram = (called: string, help: string, bounds: readonly number[]) =>
    createSpread({ name: name(called), help, labelNames: EXCHANGE, registry }, bounds);
  const gauge = (called: string, help: string, read: (gateway: Gauged) => number): Gauge =>
    new Gauge({
      name: name(called),
      help,
      registers,
      collect() {
        const gateway = current();
        if (gateway !== undefined) this.set(read(gateway));
      },
    });
  /** One value per backend; the highest of all processes where a sum would mean nothing. */
  const perBackend = (
    called: string,
    help: string,
    aggregator: 'sum' | 'max',
    read: (status: BackendStatus) => number,
  ): Gauge<'backend'> =>
    new Gauge({
      name: name(called),
      help,
      labelNames: ['backend'],
      aggregator,
      registers,
      collect() {
        this.reset();
        for (const [backend, status] of statuses(current())) this.set({ backend }, read(status));
      },
    });

  gauge('open_exchanges', 'Exchanges that are open.', ({ state }) => state.open.size);
  gauge('background_answers_open', 'Answers that are being made in the background.', ({ jobs }) => jobs.size);
  perBackend('backend_running_calls', 'Calls that run at a backend.', 'sum', ({ running }) => running);
  perBackend('backend_waiting_calls', 'Calls that wait for a place at a backend.', 'sum', ({ waiting }) => waiting);
  perBackend(
    'backend_breaker_state',
    'Whether a backend is taken out for its failures: 0 = no, 1 = it is tried again, 2 = yes.',
    'max',
    ({ breaker }) => BREAKER[breaker],
  );
  const instruments = {
    registry,
    exchanges: counter('exchanges_total', 'Requests for models that ended.', [...EXCHANGE, 'key', 'status', 'outcome']),
    duration: histogram('exchange_duration_seconds', 'From a request to the end of its answer.', SECONDS),
    firstByte: histogram('first_byte_seconds', 'From a request to the first byte of its answer.', SECONDS),
    firstToken: histogram(
      'first_token_seconds',
      'From a request to the first text, reasoning or call of its answer.',
      SECONDS,
    ),
    rate: histogram(
      'tokens_per_second',
      'Tokens of streamed answers in the time from their first token to their end.',
      TOKENS_PER_SECOND,
    ),
    tokens: counter('tokens_total', 'Tokens that backends counted.', ['backend', 'model', 'key', 'direction']),
    cost: counter('cost_total', 'What answers cost at the prices that are known of their models, in USD.', [
      'key',
      'model',
    ]),
    losses: counter('losses_total', 'What did not cross unchanged.', ['feature', 'kind']),
    passedTargets: counter('passed_targets_total', 'Targets that failed.', ['backend', 'reason']),
    unrecorded: counter('record_dropped_total', 'Exchanges that are not in the record.', ['reason']),
    limited: counter('limited_total', 'Requests over a limit of their key.', ['key', 'limit']),
    backendCalls: counter('backend_calls_total', 'Calls to backends by the class of their answer.', [
      'backend',
      'status',
    ]),
    restrictions: counter(
      'learned_restrictions_total',
      'Restrictions of models that refusals revealed, each for one key.',
      ['backend', 'kind'],
    ),
    backgroundAnswers: counter('background_answers_total', 'Answers that were made in the background.', [
      'backend',
      'model',
      'status',
    ]),
    reloads: counter('reloads_total', 'Times the configuration was read anew.', ['result']),
  };
  return instruments;
}

function statuses(gateway: Gauged | undefined): [string, BackendStatus][] {
  if (gateway === undefined) return [];
  return [...gateway.backends.held].map(([backend, held]) => [backend, held.backend.status()]);
}
