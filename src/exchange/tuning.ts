import type { CanonicalError, DialectId, EncodedRequest, Feature } from '../../translators/index.js';
import { isObject } from '../json.js';

type JsonObject = EncodedRequest['body'];

/** A field that only tunes an answer: without it the answer is still an answer to the same question. */
interface TuningField {
  readonly place: readonly string[];
  readonly feature: Feature;
}

const FIELDS = {
  messages: [
    { place: ['temperature'], feature: 'sampling.temperature' },
    { place: ['top_p'], feature: 'sampling.topP' },
    { place: ['top_k'], feature: 'sampling.topK' },
  ],
  responses: [
    { place: ['temperature'], feature: 'sampling.temperature' },
    { place: ['top_p'], feature: 'sampling.topP' },
    { place: ['text', 'verbosity'], feature: 'verbosity' },
  ],
  generateContent: [
    { place: ['generationConfig', 'temperature'], feature: 'sampling.temperature' },
    { place: ['generationConfig', 'topP'], feature: 'sampling.topP' },
    { place: ['generationConfig', 'topK'], feature: 'sampling.topK' },
    { place: ['generationConfig', 'seed'], feature: 'sampling.seed' },
    { place: ['generationConfig', 'presencePenalty'], feature: 'sampling.presencePenalty' },
    { place: ['generationConfig', 'frequencyPenalty'], feature: 'sampling.frequencyPenalty' },
  ],
} as const satisfies Record<DialectId, readonly TuningField[]>;

/** The tuning field of a request that a refusal names, by its path or in its message (hard case GW-08). */
export function namedTuning(dialect: DialectId, body: JsonObject, error: CanonicalError): TuningField | undefined {
  if (error.kind !== 'invalid_request') return undefined;
  const words = new Set(`${error.path ?? ''} ${error.message}`.split(/[^A-Za-z_]+/).map(plain));
  return FIELDS[dialect].find(({ place }) => words.has(plain(place.at(-1) ?? '')) && holds(body, place));
}

/** The spelling in which `topK`, `top_k` and `TOP_K` are one word. */
function plain(word: string): string {
  return word.replaceAll('_', '').toLowerCase();
}

/** A request without one of its fields, and without the object around it when nothing is left in it. */
export function withoutField(request: EncodedRequest, { place }: Pick<TuningField, 'place'>): EncodedRequest {
  return { ...request, body: without(request.body, place) };
}

function without(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return object;
  const { [key]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return others;
  const inner = without(value, rest);
  return Object.keys(inner).length === 0 ? others : { ...object, [key]: inner };
}

function holds(object: JsonObject, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || object[key] === undefined) return false;
  const value = object[key];
  return rest.length === 0 || (isObject(value) && holds(value, rest));
}
