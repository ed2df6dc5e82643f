import { canonicalText, isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import { type Violation, when } from '../violation.js';
import { fault } from './field-rules.js';
import type { Host } from './shapes.js';

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
  return [
    ...fault(contents.length === 0, 'contents', 'contents is not specified'),
    ...contents.flatMap((content, index) => checkContent(content, `contents[${index}]`, host, lenient)),
    ...when(
      !prefill && contents.at(-1)?.role === 'model',
      'Requests ending with a model turn are not supported for this model.',
    ),
  ];
}

function checkContent({ role, parts }: JsonObject, at: string, host: Host, lenient: boolean): Violation[] {
  const list = objectsOf(parts);
  const known = role === undefined || role === 'user' || role === 'model' || (lenient && role === 'function');
  const alone = list.length === 1 && role !== 'model' && host === 'dev';
  // The official client's chats send the empty text back that ends a stream of calls.
  const mayBeEmpty = alone || (lenient && role === 'model');
  return [
    ...when(!known, 'Please use a valid role: user, model.'),
    ...fault(list.length === 0, `${at}.parts`, 'contents.parts must not be empty.'),
    ...list.flatMap((part, index) => checkPart(part, `${at}.parts[${index}]`, mayBeEmpty)),
  ];
}

function checkPart(part: JsonObject, at: string, mayBeEmpty: boolean): Violation[] {
  const { inlineData, fileData, functionCall: call, functionResponse: response } = part;
  const data = DATA.filter((member) => part[member] !== undefined && part[member] !== null);
  // As the only part of a user turn the empty text was accepted in recordings [G §4.5].
  const empty = part.text === '' && part.thoughtSignature === undefined && !mayBeEmpty;
  const nameless = (one: unknown): boolean => isObject(one) && stringOf(one.name) === '';
  return [
    ...fault(data.length > 1, at, `oneof field 'data' is already set. Cannot set '${data[1]}'`),
    // A part with nothing but videoMetadata was accepted in recordings [G §2.4].
    ...fault(
      data.length === 0 && !isObject(part.videoMetadata),
      `${at}.data`,
      "required oneof field 'data' must have one initialized field",
    ),
    ...when(
      empty,
      `Unable to submit request because it must have a non-empty text parameter (GenerateContentRequest.${at}).`,
    ),
    ...(isObject(inlineData) ? checkBytes(inlineData, `${at}.inline_data`) : []),
    ...fault(isObject(fileData) && stringOf(fileData.fileUri) === '', `${at}.file_data.file_uri`, 'must not be empty.'),
    ...fault(nameless(response), `${at}.function_response.name`, 'Name cannot be empty.'),
    ...fault(nameless(call), `${at}.function_call.name`, 'Name cannot be empty.'),
  ];
}

const PICTURES = /^image\/(?:png|jpeg|jpg|webp|heic|heif)(?:;|$)/;

/** Bytes name their type, and pictures are of a kind that is read [G §4.27, §8]. */
function checkBytes({ mimeType, data }: JsonObject, at: string): Violation[] {
  const type = stringOf(mimeType).toLowerCase();
  return [
    ...fault(type === '', `${at}.mime_type`, 'must not be empty.'),
    ...fault(stringOf(data) === '', `${at}.data`, 'must not be empty.'),
    ...when(type.startsWith('image/') && !PICTURES.test(type), `Unsupported MIME type: ${type}`),
  ];
}

function partsWith(content: JsonObject | undefined, member: string): JsonObject[] {
  return objectsOf(objectsOf(content?.parts).map((part) => part[member]));
}

/**
 * Rules on the order of calls and responses [G §4.7-4.9] and on text behind responses [G §4.10]. With `lenient` calls
 * may stay without any answer, as recorded of older models.
 */
export function checkOrder(body: JsonObject, lenient = false): Violation[] {
  const contents = objectsOf(body.contents);
  return contents.flatMap((content, index) => {
    const before = contents[index - 1];
    const calls = partsWith(content, 'functionCall');
    const responses = partsWith(content, 'functionResponse');
    const asked = partsWith(before, 'functionCall');
    const next = partsWith(contents[index + 1], 'functionResponse');
    const awaited = next.length === 0 && (lenient || index === contents.length - 1);
    const unequal =
      (calls.length > 0 && !awaited && next.length !== calls.length) ||
      (responses.length > 0 && asked.length > 0 && asked.length !== responses.length);
    return [
      ...when(
        calls.length > 0 && (before === undefined || before.role === 'model'),
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      ),
      ...when(
        responses.length > 0 && asked.length === 0,
        'Please ensure that function response turn comes immediately after a function call turn.',
      ),
      ...when(
        unequal,
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      ),
      ...checkIds(asked, responses),
    ];
  });
}

function checkIds(calls: readonly JsonObject[], responses: readonly JsonObject[]): Violation[] {
  const ids = new Set(calls.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const stray = responses.find(({ id }) => id !== undefined && ids.size > 0 && !ids.has(id));
  return when(stray !== undefined, `Function response id '${stray?.id}' does not match any function call id.`);
}

/** What the signature on a part is tied to: the call itself, or text in general. */
export function bindingOf({ functionCall }: JsonObject): string {
  if (!isObject(functionCall)) return 'text';
  return `call ${canonicalText([functionCall.name, functionCall.args ?? {}])}`;
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
  return [
    ...contents.flatMap(({ parts }) => objectsOf(parts)).flatMap((part) => checkSignature(part, state)),
    ...(demanded ? checkDemanded(contents) : []),
  ];
}

function checkSignature(part: JsonObject, state: StateKeeper): Violation[] {
  const { thoughtSignature: signature } = part;
  if (typeof signature !== 'string' || DUMMIES.includes(signature)) return [];
  const verdict = state.check(signature.replaceAll('-', '+').replaceAll('_', '/'), bindingOf(part));
  return [
    ...when(verdict === 'forged', 'Corrupted thought signature.'),
    ...when(verdict === 'altered', 'Thought signature is not valid.'),
  ];
}

function checkDemanded(contents: readonly JsonObject[]): Violation[] {
  const question = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && objectsOf(parts).some((part) => part.functionResponse === undefined),
  );
  return contents.flatMap(({ parts }, index) => {
    const first = objectsOf(parts).find((part) => isObject(part.functionCall));
    const lacks = index > question && first !== undefined && first.thoughtSignature === undefined;
    const name = stringOf(objectOf(first?.functionCall).name);
    return when(
      lacks,
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${index + 1}.`,
    );
  });
}
