import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { WithholdContext } from '../../dialect.js';
import { isWithheld } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { REASONING_KEYS, THOUGHT_FIELDS } from '../content/reasoning.js';
import { lostReasoning, STAND_IN } from '../content/state.js';
import { fitMembers, serverFlags, withResultsOfText } from '../servers/index.js';

/** What a body holds in which something may have to be withheld, or given where a server wants it back: servers differ in every member. */
export const foreignMark = /"messages"/;

/**
 * Takes state that other backends issued out of a body that goes to a backend of this dialect as it is, and the text that
 * was shown beside it. A server that takes no reasoning gets none, and one that demands some of every message gets an
 * empty one where it was lost (translation.md 4.5). Of the other members, those that the server would refuse are as it
 * takes them.
 */
export function withholdState(body: JsonObject, context: WithholdContext): JsonObject {
  if (!Array.isArray(body.messages)) return {};
  const { losses, target } = context;
  const flags = serverFlags(target);
  const members = fitMembers(body, target, flags, losses);
  // Strict servers have thoughts among the contents of a message.
  const replay = flags.strictBody ? 'never' : flags.reasoningReplay;
  const tools = Array.isArray(body.tools) && body.tools.length > 0;
  let changed = false;
  const messages = body.messages.map((message: unknown, index) => {
    if (!isObject(message) || message.role !== 'assistant') return message;
    const path = `/messages/${index}`;
    const said = flags.strictBody ? withoutSilence(message) : message;
    const known = flags.reasoningField === 'any' || replay === 'never' ? said : withOwnField(said, path, losses);
    let next = replay === 'never' ? withoutReasoning(known) : withoutForeign(known, context);
    if (next !== known) {
      const why =
        replay === 'never' ? 'the server does not accept reasoning in the history' : 'another backend issued it';
      losses.add(path, 'reasoning.state', 'dropped', why);
    }
    const called = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
    const signed = replay === 'signature' && called ? withSignature(next) : next;
    if (signed !== next) {
      next = signed;
      losses.add(path, 'reasoning.state', 'invented', 'the server demands a signature that the client did not return');
    }
    const demanded = (replay === 'must-with-tools' && tools) || (replay === 'must' && called);
    if (demanded && typeof next.reasoning_content !== 'string') {
      next = { ...next, reasoning_content: lostReasoning(flags) };
      losses.add(path, 'reasoning.state', 'invented', 'the server demands reasoning that the client did not return');
    }
    changed ||= next !== message;
    return next;
  });
  const plain = target.toolResultMedia ? messages : withResultsOfText(messages, losses);
  return changed || plain !== messages ? { ...members, messages: plain } : members;
}

/**
 * The same message without members that say nothing, such as the `refusal: null` that official clients repeat of an answer:
 * a server that refuses unknown members need not know them.
 */
function withoutSilence(message: JsonObject): JsonObject {
  const members = Object.entries(message);
  const speaking = members.filter(([key, value]) => key === 'content' || !(value === null || isEmptyList(value)));
  return speaking.length === members.length ? message : Object.fromEntries(speaking);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The same message where no reasoning is in it. */
function withoutReasoning(message: JsonObject): JsonObject {
  const others = Object.entries(message).filter(([key]) => !REASONING_KEYS.has(key));
  return others.length === Object.keys(message).length ? message : Object.fromEntries(others);
}

/** Reasoning under the one name that a server takes, which refuses the others [H §8.1]; the same message where it has no other. */
function withOwnField(message: JsonObject, path: string, losses: Losses): JsonObject {
  const bare = withoutReasoning(message);
  const { reasoning, ...others } = Object.fromEntries(Object.entries(message).filter(([key]) => !(key in bare)));
  if (Object.keys(others).length === 0) return message;
  const text = [reasoning, ...THOUGHT_FIELDS.map((key) => others[key])].find(
    (said) => typeof said === 'string' && said !== '',
  );
  losses.add(path, 'reasoning.state', text === undefined ? 'dropped' : 'moved', 'the server takes `reasoning` alone');
  return text === undefined ? bare : { ...bare, reasoning: text };
}

/** The same message where nothing in it is another backend's. */
function withoutForeign(message: JsonObject, context: WithholdContext): JsonObject {
  const isForeign = (text: unknown): boolean => isWithheld(text, context);
  const { reasoning_details: details, tool_calls: calls } = message;
  const kept = Array.isArray(details) ? details.filter((entry) => !isObject(entry) || !isForeign(entry.data)) : [];
  const lessDetails = Array.isArray(details) && kept.length < details.length;
  const signed = Array.isArray(calls) ? calls.map((call) => (isObject(call) ? unsigned(call, isForeign) : call)) : [];
  const lessSigned = Array.isArray(calls) && signed.some((call, index) => call !== calls[index]);
  if (!lessDetails && !lessSigned) return message;
  const next = withoutReasoning(message);
  return {
    ...next,
    ...(lessSigned && { tool_calls: signed }),
    ...(kept.length > 0 && { reasoning_details: kept }),
  };
}

/** The signature that stands for one that was lost [H §8.1]: on the first call of the message. */
function withSignature(message: JsonObject): JsonObject {
  const [first, ...others]: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  if (!isObject(first)) return message;
  if (first.extra_content !== undefined) return message;
  return { ...message, tool_calls: [{ ...first, extra_content: STAND_IN }, ...others] };
}

/** A call without the state of another backend in the place of a signature. */
function unsigned(call: JsonObject, isForeign: (text: unknown) => boolean): JsonObject {
  const { extra_content: extra, ...rest } = call;
  const google = isObject(extra) ? extra.google : undefined;
  if (!isObject(extra) || !isObject(google) || !isForeign(google.thought_signature)) return call;
  const { thought_signature: _foreign, ...others } = google;
  const { google: _signed, ...vendors } = extra;
  const left = { ...vendors, ...(Object.keys(others).length > 0 && { google: others }) };
  return { ...rest, ...(Object.keys(left).length > 0 && { extra_content: left }) };
}
