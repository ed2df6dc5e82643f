import { isObject } from '../wire/json.js';
import type { VideoError } from './video.js';

/** Codes of format B are numbers like HTTP statuses, those of format A words. The first word of a number is its own. */
const CODES: readonly (readonly [number, string])[] = [
  [400, 'invalid_parameter'],
  [400, 'content_policy_violation'],
  [400, 'moderation_blocked'],
  [401, 'invalid_api_key'],
  [403, 'insufficient_permissions'],
  [429, 'rate_limit_exceeded'],
  [500, 'internal_error'],
];

const UNKNOWN = 'internal_error';
const NO_REASON = 'the video could not be made';

/** Why a task failed, in either format or as a bare text. undefined for what tells of no failure. */
export function decodeVideoError(node: unknown): VideoError | undefined {
  if (typeof node === 'string' && node !== '') return { code: UNKNOWN, message: node };
  if (!isObject(node)) return undefined;
  const { code, message } = node;
  return { code: wordOf(code), message: typeof message === 'string' && message !== '' ? message : NO_REASON };
}

/** What is told of a failure that its service gives no reason for. */
export const UNTOLD: VideoError = { code: UNKNOWN, message: NO_REASON };

function wordOf(code: unknown): string {
  if (typeof code === 'string' && code !== '' && !/^\d+$/.test(code)) return code;
  const number = typeof code === 'number' || typeof code === 'string' ? Number(code) : Number.NaN;
  if (!Number.isSafeInteger(number) || code === '') return UNKNOWN;
  const known = CODES.find(([one]) => one === number);
  if (known !== undefined) return known[1];
  if (number < 100 || number > 599) return String(number);
  return number < 500 ? 'invalid_parameter' : UNKNOWN;
}

/** The same in the form of format B. */
export function encodeVideoErrorB({ code, message }: VideoError): { code: number; message: string } {
  if (/^\d{1,15}$/.test(code)) return { code: Number(code), message };
  return { code: CODES.find(([, word]) => word === code)?.[0] ?? 500, message };
}
