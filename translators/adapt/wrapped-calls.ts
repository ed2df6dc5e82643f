import type { CallPart, Part } from '../canonical/content.js';
import type { EventSink } from '../canonical/events.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { CanonicalResponse } from '../canonical/response.js';
import { isObject, parseJson } from '../wire/json.js';
import { isNamed } from './names.js';
import type { TargetRules } from './rules.js';

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

/** An answer whose wrapped calls stand as the calls they are, with ids `<id>_<n>` (translation.md 5.1). */
export function unwrapCalls(response: CanonicalResponse, losses: Losses): CanonicalResponse {
  if (!response.parts.some(isWrapper)) return response;
  return { ...response, parts: response.parts.flatMap((part) => unwrapped(part, losses) ?? [part]) };
}

/** The same for streams: a stage in front of `next`. A wrapper is held until it is whole. */
export function createUnwrapper(next: EventSink, losses: Losses): EventSink {
  const held = new Set<number>();
  let shift = 0;
  const shifted: EventSink = (event) => next(shift > 0 && 'ix' in event ? { ...event, ix: event.ix + shift } : event);
  return (event) => {
    if (event.type === 'part.start' && isWrapper(event.part)) {
      held.add(event.ix);
    } else if (event.type === 'part.end' && held.has(event.ix)) {
      const parts = unwrapped(event.part, losses) ?? [event.part];
      parts.forEach((part, index) => {
        const ix = event.ix + shift + index;
        next({ type: 'part.start', ix, part: part.kind === 'call' ? { ...part, args: { text: '' } } : part });
        if (part.kind === 'call') next({ type: 'part.delta', ix, op: 'args', value: part.args.text ?? '{}' });
        next({ type: 'part.end', ix, part });
      });
      shift += parts.length - 1;
    } else if (!('ix' in event) || !held.has(event.ix)) {
      shifted(event);
    }
  };
}

function isWrapper(part: Part): boolean {
  return part.kind === 'call' && part.name === WRAPPER && part.namespace === undefined;
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
  losses.add(part.src?.ptr ?? '', 'call.name', 'approximated', 'the model wrapped several calls in one');
  return calls;
}
