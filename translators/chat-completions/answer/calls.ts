import { type PartHandler, remainder, type Writing } from '../../answer/writer.js';
import type { CallPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { encodeOwnCallState } from '../content/state.js';
import { bagOf } from '../nodes.js';
import { hold, type MessageAnswer } from './message.js';

/** How calls become entries of `tool_calls`, or the one `function_call`. */
export const call: PartHandler<MessageAnswer, CallPart> = {
  state: hold,
  delta(state, writing, { op, value }) {
    if (value !== '' && (op === 'args' || op === 'freeform')) writeArguments(state, writing, writing.head, value);
  },
  end: finishCall,
};

function writeArguments(state: MessageAnswer, writing: Writing, call: CallPart, value: string): void {
  if (!writing.opened) openCall(state, writing, call);
  writing.written.add(value);
  if (!isLeftOut(state)) state.sink.addArguments(value);
}

/** Whether the call that is open is one too many. */
function isLeftOut({ legacy, calls }: MessageAnswer): boolean {
  return legacy && calls > 1;
}

function openCall(state: MessageAnswer, writing: Writing, call: CallPart): void {
  writing.opened = true;
  state.calls += 1;
  if (isLeftOut(state)) {
    state.losses.add(call, 'toolChoice.parallel', 'dropped', 'the client supports one call only');
    return;
  }
  const id = state.own ? call.callId : state.ids.next(call, writing.ix);
  const carrier = state.own ? undefined : state.carriers.forCall(id);
  const extra = state.own ? { ...encodeOwnCallState(call), ...bagOf(call) } : carrierOf(carrier?.extra);
  const custom = call.freeform !== undefined;
  const name = state.own ? call.name : callName(call, state.losses);
  state.sink.openCall({ id, name, custom, extra, legacy: state.legacy });
  if (carrier !== undefined) state.sink.put({ reasoning_details: [carrier.entry] });
}

function carrierOf(extra: JsonObject | undefined): JsonObject {
  return extra === undefined ? {} : { extra_content: extra };
}

/** Writes what its end adds to a call. */
function finishCall(state: MessageAnswer, writing: Writing, part: CallPart): void {
  if (!writing.opened) {
    hold(state, writing, part.state);
    openCall(state, writing, part);
  }
  const text = argumentText(part);
  const rest = remainder(text, writing.written.read());
  if (!isLeftOut(state)) state.sink.addArguments(rest);
  if (!state.own) {
    if (!isLeftOut(state)) state.written.push({ part, text, place: state.calls });
    // The client has no built-in tools: whatever the service called, it is told of a function.
    if (part.family !== undefined)
      state.losses.add(part, 'call.family', 'approximated', `${part.family} call: sent as a function call`);
  }
  if (writing.held || part.state === undefined) return;
  // State that shows behind its call goes with it all the same.
  hold(state, writing, part.state);
  const late = state.own ? undefined : state.carriers.forCall(state.ids.last);
  if (late !== undefined) state.sink.put({ reasoning_details: [late.entry] });
}

/** The arguments of a call as text: an empty object where there are none, unless the call was cut. */
function argumentText({ freeform, args, truncated }: CallPart): string {
  if (freeform !== undefined) return freeform;
  const isEmpty = args.text === undefined && Object.keys(args.value ?? {}).length === 0;
  return isEmpty && truncated === true ? '' : (args.text ?? JSON.stringify(args.value ?? {}));
}

/** The name of a call; tools here have no namespaces (translation.md 2.7 rule 1). */
function callName(call: CallPart, losses: Losses): string {
  const { name, namespace } = call;
  if (namespace === undefined) return name;
  losses.add(call, 'call.name', 'moved', 'the namespace is moved into the name');
  return `${namespace}__${name}`;
}
