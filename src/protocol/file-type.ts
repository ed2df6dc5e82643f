import { sniffPicture } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';

/** Most files that one request may name by URL, where they are fetched for it, and how many of them are fetched at the same time. */
const MOST_FILES = 64;
export const FILES_AT_ONCE = 4;

/** Throws Failure (400) for more files than are fetched for one request. */
export function checkFileCount(files: readonly { readonly path: string }[]): void {
  if (files.length <= MOST_FILES) return;
  const message = `more than ${MOST_FILES} files are named by URL`;
  throw new Failure({ kind: 'invalid_request', message, path: files[MOST_FILES]?.path });
}

/** First bytes, as Latin-1, and their offset. Types of pictures are read elsewhere. */
const MARKS: readonly (readonly [number, RegExp, string])[] = [
  [0, /^%PDF-/, 'application/pdf'],
  [4, /^ftyp(?:M4A|M4B)/, 'audio/mp4'],
  [4, /^ftyp(?:qt)/, 'video/quicktime'],
  [4, /^ftyp/, 'video/mp4'],
  [1, /^E\xdf\xa3/, 'video/webm'],
  [0, /^RIFF[\s\S]{4}WAVE/, 'audio/wav'],
  [0, /^RIFF[\s\S]{4}AVI /, 'video/x-msvideo'],
  [0, /^OggS/, 'audio/ogg'],
  [0, /^fLaC/, 'audio/flac'],
  [0, /^FORM[\s\S]{4}AIF/, 'audio/aiff'],
  [0, /^ID3/, 'audio/mpeg'],
  [0, /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/, 'audio/mpeg'],
  [0, /^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
];

/** How much of a file its type is read from. */
const HEAD = 64;

/**
 * The media type of a file by its bytes. What a server says counts only for text, which has no mark: anything else that is
 * not known is undefined.
 */
export function fileType(bytes: Uint8Array, declared: string): string | undefined {
  const picture = sniffPicture(bytes);
  if (picture !== undefined) return picture;
  const head = String.fromCharCode(...bytes.subarray(0, HEAD));
  const mark = MARKS.find(([at, pattern]) => pattern.test(head.slice(at)));
  if (mark !== undefined) return mark[2];
  const [said = ''] = declared.toLowerCase().split(';');
  const textual = /^(?:text\/[\w.+-]+|application\/(?:json|xml|[\w.-]+\+(?:json|xml)))$/.test(said.trim());
  return textual && isUtf8(bytes) && !bytes.includes(0) ? said.trim() : undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
