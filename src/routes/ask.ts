import { dialects } from '../../translators/index.js';
import type { GenerationRequest } from '../exchange/index.js';
import type { ClientCall, JsonBody, Passes } from '../http/index.js';
import { askedIn } from '../protocol/index.js';
import type { RouteServices } from './services.js';

/** What is asked, for dialects whose body says which model and whether to stream. */
export function askOf(json: JsonBody): GenerationRequest {
  return { json, ...askedIn(json), framing: 'sse' };
}

/** So many bytes of a body are its front. */
const FRONT = 512;

/** The first model that is named in a body, wherever that is: nearly always in front. */
const MODEL = /"model"\s*:\s*"([ !#-[\]-~]*)"/;

/**
 * Guesses whether a body goes on as it came: where its model, `named` or in the body, leads to backends of the client's dialect, and
 * nothing in it need stay behind.
 */
export function passesOn({ targets }: RouteServices, { dialect }: ClientCall, named?: string): Passes {
  return (bytes) => {
    const front = named ?? modelIn(bytes.toString('latin1', 0, FRONT));
    if (front !== undefined && !targets.areOf(front, dialect)) return undefined;
    const latin1 = bytes.toString('latin1');
    if (front === undefined && !targets.areOf(modelIn(latin1) ?? '', dialect)) return undefined;
    return dialects[dialect].foreignMark.test(latin1) ? undefined : latin1;
  };
}

function modelIn(latin1: string): string | undefined {
  return MODEL.exec(latin1)?.[1];
}
