import {
  type CallerDialect,
  type CanonicalRequest,
  createLosses,
  type JsonObject,
  type Loss,
  type StoredItems,
} from '../../translators/index.js';
import { isObject } from '../ground/plain/index.js';
import type { JsonText } from '../protocol/index.js';

/** What a client asks of a model. */
export interface GenerationRequest {
  readonly json: JsonText;
  /** The model as the client names it. */
  readonly model: string;
  readonly stream: boolean;
  /** How the client wants its stream cut. */
  readonly framing: 'sse' | 'array';
}

/** A client's request in the canonical model, with its body and what was lost. */
export interface Decoded {
  readonly request: CanonicalRequest;
  /** As answers repeat it. */
  readonly body: JsonObject;
  readonly losses: readonly Loss[];
}

/** What a request is decoded with beside itself. */
export interface DecodeOptions {
  /** The tokens of the request are wanted, and no answer. */
  readonly counting: boolean;
  /** Kept items by the id under which the body names them. */
  readonly state?: StoredItems;
}

/** Reads a client's request. Throws TranslationError for a body that is none of its dialect. */
export function decodeRequest(
  client: Pick<CallerDialect, 'count' | 'decodeRequest'>,
  { json: { value }, model, stream }: GenerationRequest,
  { counting, state }: DecodeOptions,
): Decoded {
  const losses = createLosses();
  const context = { losses, model, stream, counting, state };
  const request = counting ? client.count.decodeRequest(value, context) : client.decodeRequest(value, context);
  return { request, body: isObject(value) ? value : {}, losses: losses.list };
}
