import type { CanonicalError } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';

/** A refusal that a stream began with, or that came in its place: nothing was sent to the client, so that another call may mend it. */
export class StreamRefusal extends Failure {}

/** Why a host did not serve a request. */
export interface Refused {
  /** What it said of the request, where another request may mend that. */
  readonly mends?: CanonicalError;
  /** Another host may be tried. */
  readonly next: boolean;
}

/** The refusal that is reported, with its host `T` and the number of hosts that were passed over before. */
export interface FailedTarget<T, R> {
  readonly refusal: R;
  readonly target: T;
  readonly passed: number;
}

/**
 * What is done for a request on its way: `P` is planned for a host `T`, which answers `A`; that comes to a `D` for the client, or to a
 * refusal `R`.
 */
export interface CallSteps<T, P, A, D, R extends Refused> {
  /**
   * `index` of the host, how many before it were `passed`, and what would be reported of those. undefined = it cannot take the request, and
   * another is asked. Throws or rejects with the client's error.
   */
  plan(target: T, index: number, passed: number, failed?: FailedTarget<T, R>): P | undefined | Promise<P | undefined>;
  send(plan: P): Promise<A>;
  /** What a call without an answer comes to. Throws what ends the request. Absent = it always does. */
  unreached?(plan: P, thrown: unknown): R;
  status(answered: A): number;
  /**
   * Brings a success to the client. Rejects while nothing was sent yet with what to tell the client. `revised` = it answers another
   * request than the one that was planned first.
   */
  deliver(plan: P, answered: A, revised: boolean): Promise<D>;
  /** What is answered in the place of a refusal, where there is something. */
  instead(plan: P, answered: A): Promise<D> | undefined;
  /** Reads an answer that is no success. */
  refusal(plan: P, answered: A): Promise<R>;
  /** The same request without what its host refused; undefined where nothing is left to try. Absent = nothing is tried. */
  revise?(plan: P, error: CanonicalError): P | undefined | Promise<P | undefined>;
  /** Which of two refusals is reported. Absent = the later one. */
  worthReporting?(earlier: FailedTarget<T, R>, later: FailedTarget<T, R>): FailedTarget<T, R>;
  /** Told of each host that did not serve; `followed` = another one is tried. */
  passedOver?(plan: P, refusal: R, followed: boolean): void;
}

/** What a request came to; neither where no host could be asked. */
export type Outcome<T, D, R> = { readonly served: D } | { readonly failed: FailedTarget<T, R> | undefined };

/**
 * Has a request served: by the first host that does, or refuses in a way that the others would not mend; what a host refused is revised
 * and sent again as long as there is a revision. Rejects with the client's error.
 */
export async function serveFirst<T, P, A, D, R extends Refused>(
  targets: readonly T[],
  steps: CallSteps<T, P, A, D, R>,
): Promise<Outcome<T, D, R>> {
  let failed: FailedTarget<T, R> | undefined;
  let passed = 0;
  for (const [index, target] of targets.entries()) {
    const planned = steps.plan(target, index, passed, failed);
    const plan = planned instanceof Promise ? await planned : planned;
    if (plan === undefined) continue;
    const outcome = await servePlan(plan, steps);
    if ('served' in outcome) return outcome;
    const { refusal } = outcome;
    const later = { refusal, target, passed };
    failed = failed === undefined ? later : (steps.worthReporting?.(failed, later) ?? later);
    if (!refusal.next) break;
    const followed = index < targets.length - 1;
    if (followed) passed += 1;
    steps.passedOver?.(plan, refusal, followed);
  }
  return { failed };
}

/** Goes one way to its end. What is refused before anything was answered is given back and not thrown. */
async function servePlan<T, P, A, D, R extends Refused>(
  first: P,
  steps: CallSteps<T, P, A, D, R>,
): Promise<{ readonly served: D } | { readonly refusal: R }> {
  let plan = first;
  for (let revised = false; ; revised = true) {
    let answered: A;
    try {
      answered = await steps.send(plan);
    } catch (thrown) {
      if (steps.unreached === undefined) throw thrown;
      return { refusal: steps.unreached(plan, thrown) };
    }
    const status = steps.status(answered);
    if (status >= 200 && status < 300) {
      try {
        return { served: await steps.deliver(plan, answered, revised) };
      } catch (thrown) {
        const next = thrown instanceof StreamRefusal ? await steps.revise?.(plan, thrown.error) : undefined;
        if (next === undefined) throw thrown;
        plan = next;
        continue;
      }
    }
    const instead = steps.instead(plan, answered);
    if (instead !== undefined) return { served: await instead };
    const refusal = await steps.refusal(plan, answered);
    const next = refusal.mends && (await steps.revise?.(plan, refusal.mends));
    if (next === undefined) return { refusal };
    plan = next;
  }
}
