import type { AnswerHeaders } from '../backend/index.js';
import type { ClientCall } from '../http/index.js';
import { type Place, videoHeaders } from './video-backend.js';

const FILE_TYPE = /^\s*((?:video|image)\/[a-z0-9.+-]{1,60})\s*(?:;|$)/i;
const UNTYPED = /^\s*(?:(?:(?:application|binary)\/octet-stream|application\/mp4)\s*)?(?:;|$)/i;

/** The type under which a file goes out; undefined for what is no file of a video (media.md 4.5.3). */
export function typeOfFile(headers: AnswerHeaders, variant: string): string | undefined {
  const said = headers['content-type'] ?? '';
  const type = FILE_TYPE.exec(said)?.[1]?.toLowerCase();
  if (type !== undefined) return type.includes('svg') ? undefined : type;
  if (!UNTYPED.test(said)) return undefined;
  return variant === 'video' ? 'video/mp4' : 'application/octet-stream';
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** The headers of a file of a video, whatever its backend sent. */
export function fileHeaders(call: ClientCall, place: Place, type: string): Record<string, string> {
  return {
    ...videoHeaders(call, place.backend.config),
    'content-type': type,
    'content-disposition': `attachment; filename="${place.id}.${EXTENSIONS[type] ?? 'bin'}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private',
  };
}

/** What a client may know of the backend's own headers, each in its exact form. */
const PASSED: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d{1,15}$/,
  'content-range': /^bytes \d{1,15}-\d{1,15}\/(?:\d{1,15}|\*)$/,
  'accept-ranges': /^bytes$/,
  etag: /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/,
  'last-modified': /^[A-Za-z]{3}, [\w :]{10,40}$/,
};

/** Of a backend's headers those that a client needs to read a file in parts. */
export function passedHeaders(headers: AnswerHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, form] of Object.entries(PASSED)) {
    const value = headers[name];
    if (value !== undefined && form.test(value)) kept[name] = value;
  }
  return kept;
}
