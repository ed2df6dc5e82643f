import { CircuitState, circuitBreaker, handleWhen } from 'cockatiel';
import type { BreakerConfig } from '../config/index.js';
import { createDeferred, ignore } from '../ground/index.js';

/**
 * What a call says about its backend: `neutral` is a call that we ended ourselves, a suspect one whose request may be to blame.
 */
export type Verdict = 'success' | 'failure' | 'neutral' | Suspect;

/** Some servers answer 500 to what a client did wrong: it counts only where requests of another shape failed so as well. */
export interface Suspect {
  readonly shape: string;
}

export type BreakerState = 'closed' | 'half-open' | 'open';

/** A call that may begin. */
export interface Attempt {
  /** The first verdict counts. */
  report(verdict: Verdict): void;
  /** Resolves when the breaker has taken note of the verdict; undefined = it has. To be read after the report. */
  noted(): Promise<void> | undefined;
}

/** The failures since the last call that succeeded. */
interface Row {
  succeeded(): void;
  /** Whether there are as many as open the breaker, with this one. */
  failed(verdict: 'failure' | Suspect): boolean;
  /** Whether suspects count: they are of more than one shape, with this one. */
  believes(suspect: Suspect): boolean;
}

function createRow(most: number): Row {
  let certain = 0;
  let suspects = 0;
  let shape: string | undefined;
  let many = false;
  const believes = (suspect: Suspect): boolean => {
    shape ??= suspect.shape;
    many ||= shape !== suspect.shape;
    return many;
  };
  return {
    succeeded() {
      certain = 0;
      suspects = 0;
      shape = undefined;
      many = false;
    },
    failed(verdict) {
      if (verdict === 'failure') certain += 1;
      else suspects += 1;
      const counts = verdict === 'failure' || believes(verdict);
      return counts && certain + (many ? suspects : 0) >= most;
    },
    believes,
  };
}

/**
 * Keeps calls away from a backend that failed so many times in a row, but for one trial after each pause. The policy of
 * cockatiel with five additions: nobody waits for the trial, one that takes long is followed by another,
 * a call that we ended says nothing, nor does one whose request may be to blame, the rest of the pause is known, and no
 * clock that is set makes it longer or shorter.
 */
export interface Breaker {
  readonly state: BreakerState;
  /** Milliseconds for which no call may begin; 0 = one may. */
  rest(): number;
  /** A call begins. Only when there is no `rest`. */
  begin(): Attempt;
}

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
} as const satisfies Record<CircuitState, BreakerState>;

/** How long, in ms, a client is asked to wait while the trial runs: nobody knows how long it takes. */
const TRIAL_MS = 1000;

/** A trial that takes longer than this, in ms, and longer than the pause, is followed by another. */
const PATIENCE_MS = 10_000;

const FAILED = new Error('the call failed');
/** A trial that we ended ourselves, or that takes long: the next call is the trial. */
const ABANDONED = new Error('the trial was abandoned');

/** `onChange` hears each new state; a failure that would open it does so only when it `mayOpen`. */
export function createBreaker(
  { failures, seconds }: BreakerConfig,
  onChange: (state: BreakerState) => void,
  mayOpen: () => boolean = () => true,
): Breaker {
  const pauseOf = (reason: object): number => ('error' in reason && reason.error === ABANDONED ? 0 : seconds * 1000);
  /** Counted at once and not by the policy, which takes some turns for it. */
  const row = createRow(failures);
  const policy = circuitBreaker(
    handleWhen((reason) => reason === FAILED || reason === ABANDONED),
    {
      breaker: { state: undefined, success: () => row.succeeded(), failure: () => true },
      // It measures pauses by the clock of the machine, which may be set: `rest` keeps them, and it lets any call try.
      halfOpenAfter: Number.NEGATIVE_INFINITY,
    },
  );
  let until = 0;
  let changes = 0;
  policy.onBreak((reason) => {
    until = performance.now() + pauseOf(reason);
  });
  policy.onStateChange((state) => {
    changes += 1;
    onChange(STATES[state]);
  });
  /** Hands a verdict to the policy, which takes its time. */
  const tell = (verdict: () => Promise<void>): Promise<void> => policy.execute(verdict).catch(ignore);
  /** A call of many: as long as the breaker is closed, the policy has to know no more than which failure opens it. */
  const begin = (): Attempt => {
    const began = changes;
    let reported = false;
    let noted: Promise<void> | undefined;
    return {
      noted: () => noted,
      report(word) {
        // What a call began to do before the last change of state says nothing about the state since.
        if (reported || word === 'neutral' || began !== changes) return;
        reported = true;
        if (word === 'success') row.succeeded();
        else if (row.failed(word) && mayOpen()) noted = tell(() => Promise.reject(FAILED));
      },
    };
  };
  const saysNothing = (word: Verdict): boolean =>
    word === 'neutral' || (typeof word === 'object' && !row.believes(word));
  const beginTrial = (): Attempt => {
    const verdict = createDeferred<void>();
    const noted = tell(() => verdict.promise);
    const began = changes;
    // Some answers take minutes: until there is one, a backend that works must not stay out for everybody.
    const patience = setTimeout(() => verdict.reject(ABANDONED), Math.max(PATIENCE_MS, seconds * 1000));
    return {
      noted: () => noted,
      report(word) {
        clearTimeout(patience);
        if (word === 'success' && began === changes) verdict.resolve();
        else if (saysNothing(word) || began !== changes) verdict.reject(ABANDONED);
        else verdict.reject(FAILED);
      },
    };
  };
  return {
    get state() {
      return STATES[policy.state];
    },
    rest() {
      switch (policy.state) {
        case CircuitState.Closed:
          return 0;
        // The policy itself would let calls wait for the trial.
        case CircuitState.HalfOpen:
          return TRIAL_MS;
        default:
          return Math.max(0, until - performance.now());
      }
    },
    begin: () => (policy.state === CircuitState.Closed ? begin() : beginTrial()),
  };
}
