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

/** A JSON body: its value, and the text it was read from. */
export interface JsonText {
  readonly text: string;
  readonly value: unknown;
}

/** Which model is meant, and whether a stream is wanted, where the body says so. Throws Failure for a body that does not. */
export function askedIn({ value }: JsonText): { readonly model: string; readonly stream: boolean } {
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

/** The model of the URL stands in the place of that of the body, which may name none. */
export function atDeployment<Body extends JsonText>(path: string, body: Body): Body {
  const segment = decodeSegment(PATHS.deployment.exec(path)?.[1] ?? '');
  if (segment === undefined) {
    throw new Failure({ kind: 'invalid_request', message: 'the deployment in the path is not valid percent-encoding' });
  }
  const model = checkModelName(segment, '/$url/model');
  const { value, text } = body;
  if (!isObject(value)) return body;
  const named = editMembers(text, { model: { json: JSON.stringify(model), add: true } });
  return { ...body, value: { ...value, model }, text: named };
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
