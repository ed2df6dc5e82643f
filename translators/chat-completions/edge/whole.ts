import type { JsonObject } from '../../canonical/node.js';
import { isObject, onOneLine } from '../../wire/json.js';

/**
 * The stream in the place of a whole answer [H §7.2]: its choices, their ends with the counts, which a chunk without choices would
 * bring to clients that did not ask for one, and the last line.
 */
export function wholeAsStream(answer: JsonObject): string {
  const { choices, usage, ...rest } = answer;
  const head = { ...rest, object: 'chat.completion.chunk' };
  const list = Array.isArray(choices) ? choices.filter(isObject) : [];
  const said = list.map(({ index, message, logprobs = null }) => ({
    index,
    delta: isObject(message) ? withNumbers(message) : {},
    logprobs,
    finish_reason: null,
  }));
  const ends = list.map(({ message: _message, logprobs: _logprobs, ...end }) => ({ ...end, delta: {} }));
  const last = { ...head, choices: ends, ...(usage !== undefined && { usage }) };
  return `${frame({ ...head, choices: said })}${frame(last)}data: [DONE]\n\n`;
}

function withNumbers(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call, index) => ({ index, ...(isObject(call) && call) })) };
}

function frame(chunk: JsonObject): string {
  return `data: ${onOneLine(JSON.stringify(chunk))}\n\n`;
}
