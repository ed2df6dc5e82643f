import { furtherKeys } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, Sampling } from '../../canonical/request.js';
import { isObject } from '../../wire/json.js';
import { check, checkObject, fieldNames, fieldPtr, lists, numbers, open, ownFields, put } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeOutput } from './output.js';
import { decodeReasoningSettings } from './reasoning.js';

const NUMBERS = [
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'maxOutputTokens',
  'candidateCount',
  'logprobs',
] as const;
/** Fields that the model has no place for; they stay in the bag. */
const OWN = [
  'enableEnhancedCivicAnswers',
  'audioTimestamp',
  'routingConfig',
  'modelSelectionConfig',
  'audioTranscriptionConfig',
  'translationConfig',
  'enableAffectiveDialog',
];
const CONFIG = fieldNames(
  ...NUMBERS,
  ...OWN,
  'stopSequences',
  'responseLogprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'responseFormat',
  'responseModalities',
  'thinkingConfig',
  'speechConfig',
  'imageConfig',
  'mediaResolution',
);
const IMAGE = fieldNames('aspectRatio', 'imageSize', 'imageOutputOptions', 'personGeneration', 'prominentPeople');

/** Features of fields that are no nodes of their own, by field. */
const FEATURES: Readonly<Record<string, string>> = {
  temperature: 'sampling.temperature',
  topP: 'sampling.topP',
  topK: 'sampling.topK',
  seed: 'sampling.seed',
  presencePenalty: 'sampling.presencePenalty',
  frequencyPenalty: 'sampling.frequencyPenalty',
  maxOutputTokens: 'maxOutput',
  candidateCount: 'candidates',
  stopSequences: 'stop',
  responseLogprobs: 'logprobs',
  responseModalities: 'modalities',
  imageConfig: 'image',
  speechConfig: 'speech',
  mediaResolution: 'mediaResolution',
};

/** The fields of a request that `generationConfig` fills, pointers by feature, and what no field holds. */
interface ReadConfig {
  readonly fields: Partial<CanonicalRequest>;
  readonly at: Record<string, string>;
  readonly bag?: JsonObject;
}

/** Reads `generationConfig` ([G §2.6]). */
export function decodeConfig(value: unknown, ptr: string): ReadConfig {
  const node = checkObject(value, ptr);
  const opened = open(node, CONFIG, ptr);
  const listed = lists(opened.known, ['stopSequences']);
  const known = numbers(listed.known, NUMBERS);
  const config = check(wire.generationConfig, known, ptr, opened.names);
  const at: Record<string, string> = {};
  for (const key in known) {
    const feature = FEATURES[key];
    if (feature !== undefined) at[feature] = fieldPtr(opened, key, ptr);
  }
  const { output, bag: outputBag } = decodeOutput(config, outputPtr(opened.known, ptr));
  const logprobs = decodeLogprobs(config);
  const sampling = decodeSampling(config);
  const fields: Partial<CanonicalRequest> = {
    ...(sampling !== undefined && { sampling }),
    ...(config.maxOutputTokens !== undefined && { maxOutput: config.maxOutputTokens }),
    ...(config.candidateCount !== undefined && { candidates: config.candidateCount }),
    ...(config.stopSequences !== undefined && { stop: config.stopSequences }),
    ...(logprobs !== undefined && { logprobs }),
    ...(config.responseModalities !== undefined && { modalities: config.responseModalities }),
    ...(config.imageConfig !== undefined && { image: decodeImage(config.imageConfig, at) }),
    ...(config.speechConfig !== undefined && { speech: config.speechConfig }),
    ...(config.mediaResolution !== undefined && { mediaResolution: config.mediaResolution }),
    ...(output !== undefined && { output }),
    ...(config.thinkingConfig !== undefined && {
      reasoning: decodeReasoningSettings(config.thinkingConfig, fieldPtr(opened, 'thinkingConfig', ptr)),
    }),
  };
  const bag = { ...opened.rest, ...ownFields(known, OWN), ...outputBag };
  const held = Object.keys(bag);
  return { fields, at, ...(held.length > 0 && { bag: furtherKeys(bag, ptr, held, opened.names) }) };
}

/** The pointer of the field that decides about the format. */
function outputPtr(known: JsonObject, ptr: string): string {
  const keys = ['responseFormat', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema', 'responseMimeType'];
  const key = keys.find((name) => known[name] !== undefined);
  return key === undefined ? ptr : `${ptr}/${key}`;
}

function decodeSampling(config: wire.GenerationConfig): Sampling | undefined {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty } = config;
  const sampling: Sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
  };
  return Object.keys(sampling).length === 0 ? undefined : sampling;
}

/** `responseLogprobs` turns them on; a count without it says nothing. */
function decodeLogprobs({ responseLogprobs, logprobs }: wire.GenerationConfig): CanonicalRequest['logprobs'] {
  if (responseLogprobs !== true) return undefined;
  return logprobs === undefined ? {} : { top: logprobs };
}

/** The pointers of its fields go by the feature `image/` and the name of the field. */
function decodeImage(value: JsonObject, at: Record<string, string>): JsonObject {
  const ptr = at.image ?? '';
  const opened = open(value, IMAGE, ptr);
  const { known, rest } = opened;
  for (const key in known) at[`image/${key}`] = fieldPtr(opened, key, ptr);
  if (rest === undefined) return known;
  const image = { ...known };
  for (const key of Object.keys(rest)) put(image, key, rest[key]);
  return image;
}

/** Encodes the fields of a request as `generationConfig` has them; formats and thinking have encoders of their own. */
export function encodeOwnConfig(request: CanonicalRequest): JsonObject {
  const bag = request.ext?.generateContent?.generationConfig;
  const { sampling, logprobs } = request;
  return {
    ...(isObject(bag) ? bag : {}),
    ...sampling,
    ...(request.maxOutput !== undefined && { maxOutputTokens: request.maxOutput }),
    ...(request.candidates !== undefined && { candidateCount: request.candidates }),
    ...(request.stop !== undefined && { stopSequences: request.stop }),
    ...(logprobs !== undefined && { responseLogprobs: true }),
    ...(logprobs?.top !== undefined && { logprobs: logprobs.top }),
    ...(request.modalities !== undefined && { responseModalities: request.modalities }),
    ...(request.image !== undefined && { imageConfig: { ...request.image } }),
    ...(request.speech !== undefined && { speechConfig: request.speech }),
    ...(request.mediaResolution !== undefined && { mediaResolution: request.mediaResolution }),
  };
}
