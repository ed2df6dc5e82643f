import type { CallPart, Part } from '../canonical/content.js';
import type { EventSink, StreamEvent } from '../canonical/events.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { CanonicalResponse } from '../canonical/response.js';
import { isNamed } from '../canonical/tools.js';
import type { TargetRules } from '../target/target.js';
import { isObject, parseJson } from '../wire/json.js';

/** The name of a call that some models make up to wrap several declared calls ([R §8.37]). */
const WRAPPER = 'parallel';

/** Whether answers to `request` may hold wrapped calls: its backend's models do that, and no tool has the name. */
export function mayWrapCalls(request: CanonicalRequest, rules: TargetRules): boolean {
  return (
    rules.wrapsCalls &&
    request.tools.length > 0 &&
    !request.tools.some((tool) => isNamed(tool) && tool.name === WRAPPER)
  );
}

/** An answer whose wrapped calls are the calls they wrap, with ids `<id>_<n>` (translation.md 5.1). */
export function unwrapCalls(response: CanonicalResponse, losses: Losses): CanonicalResponse {
  if (!response.parts.some(isWrapper)) return response;
  return { ...response, parts: response.parts.flatMap((part) => unwrapped(part, losses) ?? [part]) };
}

/** An event that concerns one part. */
type PartEvent = Extract<StreamEvent, { readonly ix: number }>;

/**
 * The same for streams: a stage in front of `next`. A wrapper is held until it is whole, and with it what began behind
 * it: only then is known how many parts are in between.
 */
export function createUnwrapper(next: EventSink, losses: Losses): EventSink {
  const expanded: { readonly ix: number; readonly extra: number }[] = [];
  let held: { readonly ix: number; readonly behind: PartEvent[] } | undefined;

  const placeOf = (ix: number): number =>
    expanded.reduce((place, wrapper) => (wrapper.ix < ix ? place + wrapper.extra : place), ix);

  const expand = (wrapper: Part, ix: number, behind: readonly PartEvent[]): void => {
    const parts = unwrapped(wrapper, losses) ?? [wrapper];
    parts.forEach((part, index) => {
      const place = placeOf(ix) + index;
      next({ type: 'part.start', ix: place, part: part.kind === 'call' ? { ...part, args: { text: '' } } : part });
      // What a call without arguments reads as is for the client's encoder to say: one that was cut has none.
      const said = part.kind === 'call' ? part.args.text : undefined;
      if (said !== undefined) next({ type: 'part.delta', ix: place, op: 'args', value: said });
      next({ type: 'part.end', ix: place, part });
    });
    expanded.push({ ix, extra: parts.length - 1 });
    behind.forEach(pass);
  };

  const pass = (event: PartEvent): void => {
    if (held !== undefined && event.ix > held.ix) {
      held.behind.push(event);
    } else if (held?.ix === event.ix) {
      if (event.type !== 'part.end') return;
      const { ix, behind } = held;
      held = undefined;
      expand(event.part, ix, behind);
    } else if (event.type === 'part.start' && isWrapper(event.part)) {
      held = { ix: event.ix, behind: [] };
    } else {
      next(expanded.length === 0 ? event : { ...event, ix: placeOf(event.ix) });
    }
  };

  return (event) => {
    if ('ix' in event) pass(event);
    else next(event);
  };
}

function isWrapper(part: Part): boolean {
  return part.kind === 'call' && part.name === WRAPPER && (part.namespace ?? part.freeform) === undefined;
}

/** undefined when the part wraps nothing. */
function unwrapped(part: Part, losses: Losses): CallPart[] | undefined {
  if (part.kind !== 'call' || !isWrapper(part)) return undefined;
  const parsed = parseJson(part.args.text ?? JSON.stringify(part.args.value ?? {}));
  const uses = parsed.ok && isObject(parsed.value) ? parsed.value.tool_uses : undefined;
  if (!Array.isArray(uses) || uses.length === 0) return undefined;
  const calls: CallPart[] = [];
  for (const use of uses) {
    if (!isObject(use) || typeof use.recipient_name !== 'string') return undefined;
    calls.push({
      ...part,
      callId: `${part.callId}_${calls.length + 1}`,
      name: use.recipient_name.replace(/^functions\./, ''),
      args: { text: JSON.stringify(use.parameters ?? {}) },
    });
  }
  losses.add(part, 'call.name', 'approximated', 'several calls were wrapped in one');
  return calls;
}
