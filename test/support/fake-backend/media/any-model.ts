import { checkImages, checkVideo, MediaFault, type MediaForm, type SentFile } from '../../services/media/rules.js';
import { videoErrorBody } from '../../services/responses/errors.js';
import { readWireForm } from './form.js';
import { MADE } from './routes.js';
import { jsonOf, type MediaAnswer, type MediaFake, type MediaSeen, refuse, startMediaFake } from './server.js';

const OPERATIONS = ['generations', 'edits', 'variations'] as const;

/** A strict service with the image routes and the creation of videos, for every model that the sheet names. */
export function startAnyMedia(): Promise<MediaFake> {
  return startMediaFake((seen) => {
    const operation = OPERATIONS.find((name) => seen.path === `/v1/images/${name}`);
    if (seen.method !== 'POST' || (operation === undefined && seen.path !== '/v1/videos')) {
      return refuse(404, `no route ${seen.path}`, null, null);
    }
    try {
      const form = formOf(seen);
      if (operation === undefined) return makeVideo(form);
      checkImages(form, operation);
      const data = Array.from({ length: Number(form.fields.n ?? 1) }, () => ({ b64_json: MADE }));
      return { status: 200, body: { created: 1_760_000_000, data } };
    } catch (error) {
      if (!(error instanceof MediaFault)) throw error;
      if (operation === undefined) return { status: 400, body: videoErrorBody(400, error.message) };
      return refuse(400, error.message, error.param, error.code);
    }
  });
}

function makeVideo(form: MediaForm): MediaAnswer {
  checkVideo(form, false);
  return { status: 200, body: { id: 'video_fake', object: 'video', status: 'queued', progress: 0 } };
}

function formOf(seen: MediaSeen): MediaForm {
  if (!(seen.headers['content-type'] ?? '').startsWith('multipart/')) {
    return { fields: jsonOf(seen), files: [], isForm: false };
  }
  const fields: Record<string, string> = {};
  const files: SentFile[] = [];
  for (const { name, filename, bytes } of readWireForm(seen.headers['content-type'], seen.raw)) {
    if (filename === undefined) fields[name] = bytes.toString();
    else files.push({ name, size: bytes.length, kind: kindOf(bytes) });
  }
  return { fields, files, isForm: true };
}

function kindOf(bytes: Buffer): SentFile['kind'] {
  if (bytes.subarray(0, 6).toString('latin1') === '\x89PNG\r\n') return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? 'webp' : undefined;
}
