import { isObject } from '../detect.js';
import type { JsonObject } from '../library.js';
import { BESIDE } from './google-wire.js';

/** Members of `config` that Google's SDKs send within `generationConfig`; what they do not know they leave out in silence. */
const SETTINGS: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'responseLogprobs',
  'logprobs',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'mediaResolution',
  'speechConfig',
  'thinkingConfig',
  'imageConfig',
]);

/** The arguments of Google's SDKs for a body. `rest` = what they have no argument for, as it stands in the body. */
export interface GoogleArguments {
  readonly contents: unknown;
  readonly config: JsonObject;
  readonly rest: JsonObject;
}

/** Sorts a body into the arguments of Google's SDKs. */
export function googleArguments(body: JsonObject): GoogleArguments {
  const { contents, generationConfig, ...others } = body;
  const settings = Object.entries(isObject(generationConfig) ? generationConfig : {});
  const members = Object.entries(others);
  const known = [...members.filter(([name]) => BESIDE.has(name)), ...settings.filter(([name]) => SETTINGS.has(name))];
  const unknownSettings = settings.filter(([name]) => !SETTINGS.has(name));
  return {
    contents,
    config: Object.fromEntries(known),
    rest: Object.fromEntries([
      ...members.filter(([name]) => !BESIDE.has(name)),
      ...(unknownSettings.length === 0 ? [] : [['generationConfig', Object.fromEntries(unknownSettings)]]),
    ]),
  };
}
