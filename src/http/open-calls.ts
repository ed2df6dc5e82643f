import type { ClientCall } from './client-call.js';

/** The calls that are open. */
export interface OpenCalls extends Iterable<ClientCall> {
  readonly size: number;
  /** Once for each call. */
  add(call: ClientCall): void;
  /** Whether it was open. */
  delete(call: ClientCall): boolean;
}

/**
 * No `Set`: one that lives long and whose members change with every request is rebuilt all the time, and in V8 each table that
 * it gives up points to the next. A table that was moved to the old generation thereby keeps the calls of all later ones alive
 * until the next full collection (docs/internals/decisions/0017-lists-of-what-is-open.md).
 */
export function createOpenCalls(): OpenCalls {
  const calls: ClientCall[] = [];
  return {
    get size() {
      return calls.length;
    },
    add(call) {
      call.openIndex = calls.length;
      calls.push(call);
    },
    delete(call) {
      const { openIndex } = call;
      if (openIndex === undefined) return false;
      call.openIndex = undefined;
      const last = calls.pop();
      if (last === undefined || last === call) return true;
      calls[openIndex] = last;
      last.openIndex = openIndex;
      return true;
    },
    [Symbol.iterator]: () => calls.slice()[Symbol.iterator](),
  };
}
