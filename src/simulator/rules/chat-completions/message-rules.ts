import { isFileData } from '../file-data.js';
import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import { missing } from '../responses/violations.js';
import { type Violation, when } from '../violation.js';

/** Rules between messages and inside one, beyond its shape [H §3.1, §3.2, §3.4]. */
export function checkMessages(messages: readonly JsonObject[]): Violation[] {
  return [
    ...messages.flatMap((message, index) => [
      ...checkContent(message, index),
      ...objectsOf(message.content).flatMap((part, place) => checkPart(part, `messages[${index}].content[${place}]`)),
    ]),
    ...checkPairs(messages),
  ];
}

/** Text is left out only beside a call, a refusal or audio. */
function checkContent(message: JsonObject, index: number): Violation[] {
  const { role, content, refusal, audio, function_call: legacy } = message;
  const given = [content, refusal, audio, legacy].some((value) => value !== undefined && value !== null);
  const broken = role === 'assistant' && !given && callsOf(message).length === 0;
  return when(broken, "Invalid value for 'content': expected a string, got null.", {
    param: `messages.[${index}].content`,
  });
}

const IMAGE_URL = /^(?:https?:\/\/|data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]*={0,2}$)/i;

function checkPart(part: JsonObject, at: string): Violation[] {
  const { url } = objectOf(part.image_url);
  const { file_id: id, file_data: data, filename } = objectOf(part.file);
  const code = 'invalid_value';
  return [
    ...when(
      typeof url === 'string' && !IMAGE_URL.test(url),
      `Invalid '${at}.image_url.url'. Expected a valid URL or a base64-encoded data URL, but got a value with an invalid format.`,
      { param: `${at}.image_url.url`, code },
    ),
    ...when(
      part.type === 'file' && (id === undefined) === (data === undefined),
      `Invalid '${at}.file': exactly one of file_id, file_data is required.`,
      { param: `${at}.file`, code },
    ),
    ...missing(data !== undefined && filename === undefined, `${at}.file.filename`),
    ...when(
      typeof data === 'string' && !isFileData(data),
      `Invalid file data: '${at}.file.file_data'. Expected a base64-encoded data URL with a valid file MIME type (e.g. 'data:application/pdf;base64,JVBERi0=').`,
      { param: `${at}.file.file_data`, code },
    ),
  ];
}

/** Calls of one message are answered directly behind it, and nothing else is an answer. */
function checkPairs(messages: readonly JsonObject[]): Violation[] {
  let open = new Set<string>();
  let asked = -1;
  const found: Violation[] = [];
  const close = (): void => {
    const ids = [...open].join(', ');
    const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;
    found.push(...when(open.size > 0, message, { param: `messages.[${asked}].role` }));
    open = new Set();
  };
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      const stray =
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      found.push(...when(!open.delete(stringOf(message.tool_call_id)), stray, { param: `messages.[${index}].role` }));
      return;
    }
    close();
    if (message.role !== 'assistant') return;
    asked = index;
    open = new Set(callsOf(message).map(({ id }) => stringOf(id)));
  });
  close();
  return found;
}

function callsOf({ tool_calls: calls }: JsonObject): JsonObject[] {
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}
