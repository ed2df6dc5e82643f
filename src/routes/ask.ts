import { dialects } from '../../translators/index.js';
import type { GenerationRequest } from '../exchange/index.js';
import type { ClientCall, JsonBody } from '../http/index.js';
import { askedIn } from '../protocol/index.js';
import type { RouteServices } from './services.js';

/** What is asked, for dialects whose body says which model and whether to stream. */
export function askOf(json: JsonBody): GenerationRequest {
  return { json, ...askedIn(json), framing: 'sse' };
}

/** The first model that is named in a body, wherever that is: nearly always in front. */
const MODEL = /"model"\s*:\s*"([ !#-[\]-~]*)"/;

/**
 * Guesses whether a body goes on as it came: where its model, `named` or in the body, leads to backends of the client's dialect, and
 * nothing in it need stay behind.
 */
export function passesOn(
  { targets }: RouteServices,
  { dialect }: ClientCall,
  named?: string,
): (latin1: string) => boolean {
  return (latin1) =>
    targets.areOf(named ?? MODEL.exec(latin1)?.[1] ?? '', dialect) && !dialects[dialect].foreignMark.test(latin1);
}
