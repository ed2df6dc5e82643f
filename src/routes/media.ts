import { Failure } from '../ground/index.js';
import { answerHeaders, sendWhole } from '../http/index.js';
import { partOf, rangeHeaders } from '../media/index.js';
import type { Route } from './route.js';

const KEPT = /^\/media\/([0-9a-f]{32})\/?$/;

/** Stored images. The unguessable id is the capability; no API key is required. */
export const mediaRoutes: readonly Route[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/media/{id}',
    pattern: /^\/media\/[^/]+\/?$/,
    open: true,
    answer: async (gateway, call) => {
      const id = KEPT.exec(call.path)?.[1];
      const blob = id === undefined ? undefined : await gateway.media.blobs.get(id);
      if (blob === undefined) {
        throw new Failure({ kind: 'not_found', status: 404, message: 'there is no such file, or it has expired' });
      }
      const { mime, bytes, expires } = blob;
      const left = Math.max(0, Math.floor((expires - Date.now()) / 1000));
      // No validator was given out, so that a condition on one cannot hold.
      const { range, 'if-range': condition } = rangeHeaders(call.request.headers);
      const asked = condition === undefined ? range : undefined;
      const part = asked === undefined ? { start: 0, end: bytes.length } : partOf(asked, bytes.length);
      if (part === undefined) throw beyond(bytes.length);
      const { start, end } = part;
      sendWhole(call.response, asked === undefined ? 200 : 206, bytes.subarray(start, end), {
        ...answerHeaders(call),
        'accept-ranges': 'bytes',
        ...(asked !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
        'content-type': mime,
        'cache-control': `private, max-age=${left}, immutable`,
        'content-disposition': `${Object.hasOwn(EXTENSIONS, mime) ? 'inline' : 'attachment'}; filename="picture.${EXTENSIONS[mime] ?? 'bin'}"`,
        // What a model made is shown, never run.
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    },
  },
];

function beyond(size: number): Failure {
  return new Failure(
    { kind: 'invalid_request', status: 416, message: 'the file has no such range' },
    { headers: { 'content-range': `bytes */${size}` } },
  );
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};
