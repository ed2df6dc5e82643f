import type { CallPart, ResultPart } from '../../../translators/canonical/content.js';
import type { Turn } from '../../../translators/canonical/request.js';
import { parseJson } from '../../../translators/wire/json.js';
import { stable } from './json.js';

/** A call with the place of its result. Results without ids answer the first open call of their name, then the only one. */
export interface Pairs {
  /** In order of appearance. */
  readonly calls: readonly CallPart[];
  /** Calls whose id an earlier one has. */
  readonly again: ReadonlySet<CallPart>;
  readonly callOf: ReadonlyMap<ResultPart, CallPart>;
}

/**
 * Who answers whom in a conversation (translation.md 2.7 rules 5 and 10). An id that comes twice is two ids. A result
 * without id answers the first call of its name that has no answer, then the only call that has none; one with an id that
 * no call has answers the first of its name.
 */
export function pairsOf(turns: readonly Turn[]): Pairs {
  const calls: CallPart[] = [];
  const again = new Set<CallPart>();
  const callOf = new Map<ResultPart, CallPart>();
  const waiting = new Map<string, CallPart[]>();
  const last = new Map<string, CallPart>();
  const answered = new Set<CallPart>();
  const named = new Set(
    turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'result' ? [part.callId] : []))),
  );
  const called = new Set(
    turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'call' ? [part.callId] : []))),
  );
  turns.forEach(({ parts }) => {
    const earlier = [...calls];
    for (const part of parts) {
      if (part.kind === 'call') {
        calls.push(part);
        if (part.callId === '') continue;
        if (last.has(part.callId)) again.add(part);
        last.set(part.callId, part);
        waiting.set(part.callId, [...(waiting.get(part.callId) ?? []), part]);
      } else if (part.kind === 'result') {
        const bare = calls.filter((call) => call.callId === '' && !answered.has(call));
        const unnamed = earlier.filter((call) => call.callId !== '' && !named.has(call.callId) && !answered.has(call));
        const open = [...bare, ...unnamed];
        const sameName = open.find(({ name }) => name === part.name);
        const call =
          part.callId === ''
            ? (sameName ?? (open.length === 1 ? open[0] : undefined))
            : !called.has(part.callId)
              ? sameName
              : (waiting.get(part.callId)?.shift() ?? last.get(part.callId));
        if (call === undefined) continue;
        answered.add(call);
        callOf.set(part, call);
      }
    }
  });
  return { calls, again, callOf };
}

/** The arguments of a call: by value, or by text where the value of a number would not tell all. */
export function argumentsOf({ args, freeform }: CallPart): string {
  if (freeform !== undefined) return '';
  if (args.text === undefined) return stable(args.value ?? {});
  const parsed = parseJson(args.text.trim() === '' ? '{}' : args.text);
  if (!parsed.ok) return args.text;
  if (parsed.value === null) return '{}';
  return /\d{17,}/.test(args.text) ? args.text.replaceAll(/\s/g, '') : stable(parsed.value);
}
