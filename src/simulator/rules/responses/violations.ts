import { type Violation, when } from '../violation.js';

/** A parameter that must be there is not. */
export function missing(broken: boolean, param: string): Violation[] {
  return when(broken, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

/** A word is none of those that are allowed. */
export function unsupported(broken: boolean, param: string, value: unknown, allowed: readonly string[]): Violation[] {
  const list = allowed.map((word) => `'${word}'`).join(', ');
  const message = `Invalid value: '${String(value)}'. Supported values are: ${list}.`;
  return when(broken, message, { param, code: 'invalid_value' });
}

/** The code of texts that are too long. */
export const TOO_LONG = 'string_above_max_length';

/** A text is longer than it may be. */
export function tooLong(param: string, text: string, most: number): Violation[] {
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${text.length} instead.`;
  return when(text.length > most, message, { param, code: TOO_LONG });
}
