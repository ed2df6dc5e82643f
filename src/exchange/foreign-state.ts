import type { CanonicalError, CanonicalRequest } from '../../translators/index.js';

/** Whether a backend refuses opaque state that it is taken to have issued: it rotated its keys, or the client changed it. */
export function refusesState(error: CanonicalError): boolean {
  return (
    error.kind === 'invalid_request' &&
    /signature|encrypted[ _]content|reasoning[ _](?:content|details)/i.test(`${error.path ?? ''} ${error.message}`)
  );
}

/** Whether a request holds opaque state of anybody. */
export function holdsState({ turns }: CanonicalRequest): boolean {
  return turns.some(({ parts }) => parts.some(({ carrier, state }) => carrier !== undefined || state !== undefined));
}
