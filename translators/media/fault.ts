import { TranslationError } from '../canonical/errors.js';
import { pointer } from '../wire/pointer.js';

/** A fault of a request for media: `invalid_request` with the parameter's name and a code word of the image routes. */
export function faultOf(parameter: string, code: string, message: string): TranslationError {
  return faultAt(pointer(parameter), code, `${parameter}: ${message}`);
}

/** The same for a place given as a JSON Pointer. */
export function faultAt(path: string, code: string, message: string): TranslationError {
  return new TranslationError('invalid_request', message, { path, code });
}

/** The kinds of things a backend may not be able to do at all. */
export function unable(path: string, message: string): TranslationError {
  return new TranslationError('unsupported', message, { path });
}

/** A service made no picture because of what it would show. */
export function heldBack(message: string): TranslationError {
  return new TranslationError('content_policy', message, { code: 'content_policy_violation' });
}
