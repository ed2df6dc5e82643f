import type { CallPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { PartialArgs } from '../tools/arguments.js';

/** A call that may still be updated, or turn out to be answered by the service. */
export interface OpenCall {
  part: CallPart;
  readonly node: JsonObject;
  readonly partial?: PartialArgs;
  answer?: { readonly node: JsonObject; readonly ptr: string };
}

/** The calls of one run, found by id and by name without walking them. */
export interface OpenCalls {
  readonly size: number;
  /** The last call whose arguments come in pieces. */
  readonly continued: OpenCall | undefined;
  add(call: OpenCall): void;
  byId(callId: string): OpenCall | undefined;
  /** The first call without an answer that has this id or, where the id is empty, this name. */
  unanswered(callId: string, name: string | undefined): OpenCall | undefined;
  /** All of them, in their order; none is open afterwards. */
  take(): readonly OpenCall[];
}

/** A run of calls that has not begun. */
export function createOpenCalls(): OpenCalls {
  let calls: OpenCall[] = [];
  let continued: OpenCall | undefined;
  const ids = new Map<string, OpenCall>();
  const names = new Map<string, { readonly calls: OpenCall[]; next: number }>();

  return {
    get size() {
      return calls.length;
    },
    get continued() {
      return continued;
    },
    add(call) {
      calls.push(call);
      if (call.partial !== undefined) continued = call;
      const { callId, name } = call.part;
      if (callId !== '' && !ids.has(callId)) ids.set(callId, call);
      const named = names.get(name);
      if (named === undefined) names.set(name, { calls: [call], next: 0 });
      else named.calls.push(call);
    },
    byId: (callId) => ids.get(callId),
    unanswered(callId, name) {
      if (callId !== '') {
        const call = ids.get(callId);
        return call?.answer === undefined ? call : undefined;
      }
      const named = name === undefined ? undefined : names.get(name);
      if (named === undefined) return undefined;
      while (named.calls[named.next]?.answer !== undefined) named.next += 1;
      return named.calls[named.next];
    },
    take() {
      const taken = calls;
      calls = [];
      continued = undefined;
      ids.clear();
      names.clear();
      return taken;
    },
  };
}
