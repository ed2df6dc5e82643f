import { editMembers } from '../../translators/index.js';
import { Failure, isObject } from '../ground/plain/index.js';
import { checkModelName, modelId } from './model-name.js';
import { belowVersion, decodeSegment } from './paths.js';

const verb = (name: string): RegExp => belowVersion(`(.+):${name}`);

/** The paths of what is translated, each in every form that clients use (http.md#routes). */
export const PATHS = {
  messages: belowVersion('messages'),
  messagesCount: belowVersion(String.raw`messages\/count_tokens`),
  responses: belowVersion('responses'),
  responsesCount: belowVersion(String.raw`responses\/input_tokens`),
  chatCompletions: belowVersion(String.raw`chat\/completions`),
  /** Where the URL names the model [H §1.1]. */
  deployment: /^\/openai\/deployments\/([^/]+)\/chat\/completions\/?$/,
  generateContent: verb('generateContent'),
  streamGenerateContent: verb('streamGenerateContent'),
  countTokens: verb('countTokens'),
  models: belowVersion(String.raw`(?:publishers\/[^/]+\/)?models`),
  model: belowVersion(String.raw`((?:publishers\/[^/]+\/)?models\/.+?)`),
} as const;

/** A JSON body: its value, and the text it was read from. Both may be made when they are asked for: it is not to be spread. */
export interface JsonText {
  readonly text: string;
  readonly value: unknown;
  /** The bytes that the text is made of, and its length, where it is made when it is asked for. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly length?: number;
  /** Forgets all that can be made of the bytes again: for the time in which nobody is likely to ask. */
  release?(): void;
  /** What arrived, where the body is expected to go on as it is. */
  readonly arrived?: ArrivedBytes;
}

/** The bytes of a body of valid JSON, and what can be seen of it where it lies. */
export interface ArrivedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A character for each byte. What JSON is made of, and every word of ASCII, stands in it as in the text. */
  readonly latin1: string;
  /** The value of `latin1`: that of the body but for texts beyond ASCII. */
  readonly outline: unknown;
  /** The bytes of a text that was made of `latin1`. */
  bytesOf(latin1: string): Uint8Array<ArrayBuffer>;
}

/** The length of the text of a body, in characters; of one that is expected to go on as it is, in bytes. */
export function lengthOf(json: JsonText): number {
  return json.length ?? json.bytes?.length ?? json.text.length;
}

/** The value of a body, in which texts beyond ASCII may be anything. */
export function outlineOf(json: JsonText): unknown {
  return json.arrived === undefined ? json.value : json.arrived.outline;
}

/** Which model is meant, and whether a stream is wanted, where the body says so. Throws Failure for a body that does not. */
export function askedIn(json: JsonText): { readonly model: string; readonly stream: boolean } {
  const outline = outlineOf(json);
  const value = isObject(outline) && isBeyondAscii(outline.model) ? json.value : outline;
  if (!isObject(value)) throw new Failure({ kind: 'invalid_request', message: 'the body must be a JSON object' });
  const { model } = value;
  if (typeof model !== 'string') {
    throw new Failure({
      kind: 'invalid_request',
      message: model === undefined ? 'model: a model is required' : 'model: must be a string',
      path: '/model',
    });
  }
  return { model: checkModelName(model, '/model'), stream: value.stream === true };
}

function isBeyondAscii(word: unknown): boolean {
  return typeof word === 'string' && /[^ -~]/.test(word);
}

/** The model of the URL stands in the place of that of the body, which may name none. */
export function atDeployment(path: string, body: JsonText): JsonText {
  const segment = decodeSegment(PATHS.deployment.exec(path)?.[1] ?? '');
  if (segment === undefined) {
    throw new Failure({ kind: 'invalid_request', message: 'the deployment in the path is not valid percent-encoding' });
  }
  const model = checkModelName(segment, '/$url/model');
  const { value, text } = body;
  if (!isObject(value)) return body;
  const named = editMembers(text, { model: { json: JSON.stringify(model), add: true } });
  return { value: { ...value, model }, text: named };
}

/** The model in a path that names one before a verb. Throws Failure for what is no name. */
export function modelBefore(pattern: RegExp, path: string): string {
  const resource = decodeSegment(pattern.exec(path)?.[1] ?? '');
  if (resource === undefined) {
    throw new Failure({ kind: 'invalid_request', message: 'the model in the path is not valid percent-encoding' });
  }
  return checkModelName(modelId(resource), '/$url/model');
}

/** How a stream is to be cut whose query says so. */
export function framingIn(query: string): 'sse' | 'array' {
  return new URLSearchParams(query).get('alt') === 'sse' ? 'sse' : 'array';
}
