import type { GenerationRequest } from '../exchange/index.js';
import type { JsonBody } from '../http/index.js';
import { askedIn } from '../protocol/index.js';

/** What is asked, for dialects whose body says which model and whether to stream. */
export function askOf(json: JsonBody): GenerationRequest {
  return { json, ...askedIn(json), framing: 'sse' };
}
