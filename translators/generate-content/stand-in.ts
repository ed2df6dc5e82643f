import { encodeBase64 } from '../wire/base64.js';

/** The documented stand-in for the signature of a call that this service did not make ([G §4] signature rule 5). */
export const STAND_IN = 'skip_thought_signature_validator';

/** Both documented ones, as they stand and in base64, in which the service takes them too. */
const STAND_INS: ReadonlySet<string> = new Set(
  [STAND_IN, 'context_engineering_is_the_way_to_go'].flatMap((word) => [
    word,
    encodeBase64(new TextEncoder().encode(word)),
  ]),
);

/** Whether a signature says only that the service issued none. */
export function isStandIn(signature: string): boolean {
  return STAND_INS.has(signature);
}
