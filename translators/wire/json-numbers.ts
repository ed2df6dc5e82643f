import { skipJsonString } from './json-scan.js';

/** Where a number may change at all: a negative zero, a fraction, an exponent, or digits that may say more than a double. */
const SUSPECT = /-0|\d\.\d|\d[eE][-+\d]|\d{16}/;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;

/**
 * What happens to the first number of a JSON text that is another one when the text is parsed and printed again
 * (translation.md 1); undefined where all keep their value. `1.0`, which is printed as `1`, keeps it; `-0`, which is
 * printed as `0`, does not. The text is valid JSON. Linear in it.
 */
export function changedNumber(text: string): string | undefined {
  if (!SUSPECT.test(text)) return undefined;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipJsonString(text, at + 1);
      if (at === -1) return undefined;
    } else if (code === MINUS || isDigit(code)) {
      const start = at;
      while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
      // Most numbers are small and whole.
      if (at > start && at - start <= EXACT && !isOfNumber(text.charCodeAt(at))) continue;
      while (at < text.length && isOfNumber(text.charCodeAt(at))) at += 1;
      const change = changeOf(text.slice(start, at));
      if (change !== undefined) return change;
    } else {
      at += 1;
    }
  }
  return undefined;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === MINUS || code === 0x2b || code === 0x2e || code === 0x65 || code === 0x45;
}

/** Decimals of up to 15 digits survive a double (C standard, DBL_DIG). */
const EXACT = 15;

function changeOf(token: string): string | undefined {
  if (!SUSPECT.test(token)) return undefined;
  const value = Number(token);
  if (value !== 0 && token.length <= EXACT && !/[eE]/.test(token)) return undefined;
  if (!Number.isFinite(value)) return 'a number changes: it is beyond the range of a double and becomes null';
  const source = normalised(token);
  const printed = normalised(String(value));
  if (
    source.negative === printed.negative &&
    source.digits === printed.digits &&
    source.exponent === printed.exponent
  ) {
    return undefined;
  }
  if (source.digits === '') return 'a number changes: -0 becomes 0';
  if (value === 0) return 'a number changes: it is too small for a double and becomes 0';
  if (source.exponent >= 0) return 'a number changes: an integer beyond 2^53 loses its last digits';
  return 'a number changes: a decimal loses the digits that a double does not hold';
}

/** A number without what has no bearing on its value: its digits, neither beginning nor ending with a zero, times a power of ten. */
interface Normalised {
  readonly negative: boolean;
  /** Empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

function normalised(token: string): Normalised {
  const negative = token.charCodeAt(0) === MINUS;
  const [mantissa = '', power = '0'] = (negative ? token.slice(1) : token).split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === ZERO) start += 1;
  if (start === digits.length) return { negative, digits: '', exponent: 0 };
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return {
    negative,
    digits: digits.slice(start, end),
    exponent: Number(power) - fraction.length + digits.length - end,
  };
}
