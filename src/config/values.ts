import * as z from 'zod';
import { KEY_TEXT } from '../ground/index.js';

/** A number, or its digits as they come out of an environment variable. */
export function numeric(schema: z.ZodNumber) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    schema,
  );
}

/** Timers count milliseconds in 31 bits. */
const MAX_SECONDS = 2_147_483;

/** A time in seconds. */
export const seconds = numeric(z.number().positive().max(MAX_SECONDS));
/** A number that is not negative. */
export const amount = numeric(z.number().min(0).max(1_000_000));
/** A whole number from 0. */
export const whole = numeric(z.number().int().min(0));
/** A whole number from 1. */
export const count = numeric(z.number().int().positive().max(Number.MAX_SAFE_INTEGER));

/** A name. */
export const word = z.string().min(1).max(256);

/** A region or a service, as signatures name them. */
export const scope = z.string().regex(/^[a-z\d-]{1,64}$/, 'must be 1 to 64 lower-case letters, digits or `-`');

/** Keys that a file contains because a variable was unset when the file was made. */
const NO_SECRET = new Set(['undefined', 'null', 'none']);

/** A key of a service or of a caller. */
export const secret = z
  .string()
  .refine((value) => KEY_TEXT.test(value), 'must be printable ASCII without white space, and not empty')
  .refine((value) => !NO_SECRET.has(value.toLowerCase()), 'is a placeholder, not a key');

/** An address with http or https, without credentials. */
export const baseUrl = z.string().superRefine((value, context) => {
  const reason = faultOfUrl(value);
  if (reason !== undefined) context.addIssue({ code: 'custom', message: reason });
});

function faultOfUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return 'is not a URL; write one such as https://HOST';
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials: use apiKey or headers';
  return url.hash === '' ? undefined : 'must have no fragment';
}
