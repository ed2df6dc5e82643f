import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';
import { bindingOf } from './print.js';

type Host = 'dev' | 'cloud';

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

/**
 * Rules on contents and parts [G §4.1-4.6, §4.11, §4.14]. `body` is in camelCase; with `lenient` what some models take is
 * let through: results in turns of the role `function` [G §2.3], empty texts in turns of the model.
 */
export function checkContents(body: JsonObject, prefill: boolean, host: Host, lenient = false): Violation[] {
  const contents = objectsOf(body.contents);
  if (contents.length === 0) return [bullet('GenerateContentRequest.contents', 'contents is not specified')];
  const found = contents.flatMap((content, index) =>
    checkContent(content, `GenerateContentRequest.contents[${index}]`, host, lenient),
  );
  if (!prefill && contents.at(-1)?.role === 'model') {
    found.push({ message: 'Requests ending with a model turn are not supported for this model.' });
  }
  return found;
}

function bullet(path: string, reason: string): Violation {
  return { message: `* ${path}: ${reason}\n` };
}

function checkContent({ role, parts }: JsonObject, at: string, host: Host, lenient: boolean): Violation[] {
  if (role !== undefined && role !== 'user' && role !== 'model' && !(lenient && role === 'function')) {
    return [{ message: 'Please use a valid role: user, model.' }];
  }
  const list = objectsOf(parts);
  if (list.length === 0) return [bullet(`${at}.parts`, 'contents.parts must not be empty.')];
  const alone = list.length === 1 && role !== 'model' && host === 'dev';
  // The official client's chats send the empty text back that ends a stream of calls.
  const mayBeEmpty = alone || (lenient && role === 'model');
  return list.flatMap((part, index) => checkPart(part, `${at}.parts[${index}]`, mayBeEmpty));
}

function checkPart(part: JsonObject, at: string, mayBeEmpty: boolean): Violation[] {
  const data = DATA.filter((member) => part[member] !== undefined && part[member] !== null);
  if (data.length > 1) return [bullet(at, `oneof field 'data' is already set. Cannot set '${data[1]}'`)];
  // A part with nothing but videoMetadata was accepted in recordings [G §2.4].
  if (data.length === 0 && !isObject(part.videoMetadata)) {
    return [bullet(`${at}.data`, "required oneof field 'data' must have one initialized field")];
  }
  // As the only part of a user turn it was accepted in recordings [G §4.5].
  if (part.text === '' && part.thoughtSignature === undefined && !mayBeEmpty) {
    return [{ message: `Unable to submit request because it must have a non-empty text parameter (${at}).` }];
  }
  if (isObject(part.inlineData)) return checkBytes(part.inlineData, `${at}.inline_data`);
  if (isObject(part.fileData) && stringOf(part.fileData.fileUri) === '') {
    return [bullet(`${at}.file_data.file_uri`, 'must not be empty.')];
  }
  const response = part.functionResponse;
  if (isObject(response) && stringOf(response.name) === '') {
    return [bullet(`${at}.function_response.name`, 'Name cannot be empty.')];
  }
  return isObject(part.functionCall) && stringOf(part.functionCall.name) === ''
    ? [bullet(`${at}.function_call.name`, 'Name cannot be empty.')]
    : [];
}

const PICTURES = ['png', 'jpeg', 'jpg', 'webp', 'heic', 'heif'];

/** Bytes name their type, and pictures are of a kind that is read [G §4.27, §8]. */
function checkBytes({ mimeType, data }: JsonObject, at: string): Violation[] {
  const type = stringOf(mimeType).toLowerCase();
  if (type === '') return [bullet(`${at}.mime_type`, 'must not be empty.')];
  if (stringOf(data) === '') return [bullet(`${at}.data`, 'must not be empty.')];
  const [kind, form = ''] = type.replace(/;.*$/s, '').split('/');
  return kind === 'image' && !PICTURES.includes(form) ? [{ message: `Unsupported MIME type: ${type}` }] : [];
}

function partsWith(content: JsonObject | undefined, member: string): JsonObject[] {
  return objectsOf(content?.parts).flatMap((part) => (isObject(part[member]) ? [objectOf(part[member])] : []));
}

/**
 * Rules on the order of calls and responses [G §4.7-4.9] and on text behind responses [G §4.10]. With `lenient` calls
 * may stay without any answer, as recorded of older models.
 */
export function checkOrder(body: JsonObject, lenient = false): Violation[] {
  const contents = objectsOf(body.contents);
  return contents.flatMap((content, index): Violation[] => {
    const before = contents[index - 1];
    const calls = partsWith(content, 'functionCall');
    if (calls.length > 0 && (before === undefined || before.role === 'model')) {
      return [
        {
          message:
            'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        },
      ];
    }
    const responses = partsWith(content, 'functionResponse');
    const next = partsWith(contents[index + 1], 'functionResponse');
    const unanswered = next.length === 0 && (lenient || index === contents.length - 1);
    if (calls.length > 0 && !unanswered && next.length !== calls.length) return [UNEQUAL];
    if (responses.length === 0) return [];
    const asked = partsWith(before, 'functionCall');
    if (asked.length === 0) {
      return [{ message: 'Please ensure that function response turn comes immediately after a function call turn.' }];
    }
    if (asked.length !== responses.length) return [UNEQUAL];
    return checkIds(asked, responses);
  });
}

const UNEQUAL: Violation = {
  message:
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
};

function checkIds(calls: readonly JsonObject[], responses: readonly JsonObject[]): Violation[] {
  const ids = new Set(calls.map((call) => call.id).filter((id) => id !== undefined));
  const stray = responses.find((response) => response.id !== undefined && ids.size > 0 && !ids.has(response.id));
  return stray ? [{ message: `Function response id '${String(stray.id)}' does not match any function call id.` }] : [];
}

const DUMMIES = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'].flatMap((dummy) => [
  dummy,
  btoa(dummy),
]);

/**
 * Rules on thought signatures [G §4.12, §4.13].
 * @param demanded whether the first call of each step in the current turn needs one
 */
export function checkSignatures(body: JsonObject, state: StateKeeper, demanded: boolean): Violation[] {
  const contents = objectsOf(body.contents);
  const parts = contents.flatMap((content) => objectsOf(content.parts));
  for (const part of parts) {
    const signature = part.thoughtSignature;
    if (typeof signature !== 'string' || DUMMIES.includes(signature)) continue;
    const verdict = state.check(signature.replaceAll('-', '+').replaceAll('_', '/'), bindingOf(part));
    if (verdict === 'forged') return [{ message: 'Corrupted thought signature.' }];
    if (verdict === 'altered') return [{ message: 'Thought signature is not valid.' }];
  }
  if (!demanded) return [];
  const isQuestion = (content: JsonObject): boolean =>
    content.role !== 'model' && objectsOf(content.parts).some((part) => part.functionResponse === undefined);
  const current = contents.slice(contents.findLastIndex(isQuestion) + 1);
  return current.flatMap((content, index): Violation[] => {
    const first = objectsOf(content.parts).find((part) => isObject(part.functionCall));
    if (first === undefined || first.thoughtSignature !== undefined) return [];
    const name = stringOf(objectOf(first.functionCall).name);
    const position = contents.length - current.length + index + 1;
    return [
      {
        message: `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${position}.`,
      },
    ];
  });
}
