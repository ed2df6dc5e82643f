import {
  type Edit,
  editMembers,
  encodeVideoOperation,
  encodeVideoRequestA,
  encodeVideoRequestB,
  type Losses,
  mimeOf,
  type VideoRequest,
} from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';
import { modelToName } from '../exchange/index.js';
import { type FormPart, writeForm } from '../http/index.js';
import type { HeldPicture } from './pictures.js';
import type { MediaAttempt } from './services.js';
import type { VideoInput } from './video-input.js';
import { beginOperation } from './video-operation.js';

const CREATE = { a: '/v1/videos', b: '/v1/video/generations' } as const;

/** The client's own body, with another model name. Seconds are a text in format A whatever the client made of them. */
export function relayedVideo(attempt: MediaAttempt, { fields }: VideoInput, text: string): BackendAsk {
  const { format, settings } = fields;
  const model = modelToName(attempt, fields);
  const edits: Record<string, Edit> = {};
  if (model !== undefined) edits.model = { json: JSON.stringify(model), add: true };
  if (format === 'a' && settings.seconds !== undefined) edits.seconds = { json: JSON.stringify(settings.seconds) };
  const path = CREATE[format];
  return { method: 'POST', path, body: editMembers(text, edits) };
}

/** The request in the backend's format. Format A is sent as a form, which every service of it takes (media.md 1.5). */
export function encodedVideo(
  attempt: MediaAttempt,
  request: VideoRequest,
  { others }: VideoInput,
  losses: Losses,
): BackendAsk {
  if (attempt.backend.config.videos === 'operations') {
    for (const { name } of others) losses.add(`/${name}`, `ext.${name}`, 'dropped', 'the backend takes no files');
    return beginOperation(attempt.target.model, encodeVideoOperation(request, losses));
  }
  const model = modelToName(attempt, request);
  if (attempt.backend.config.videos === 'b') {
    for (const { name } of others) losses.add(`/${name}`, `ext.${name}`, 'dropped', 'the backend takes no files');
    const body = JSON.stringify(encodeVideoRequestB(request, model, losses));
    return { method: 'POST', path: CREATE.b, body };
  }
  const parts: FormPart[] = encodeVideoRequestA(request, model, losses).map(([name, text]) => ({ name, text }));
  if (isHeld(request.reference)) {
    const { chunks, facts } = request.reference;
    const filename = `reference.${facts.type === 'jpeg' ? 'jpg' : facts.type}`;
    parts.push({ name: 'input_reference', filename, mime: mimeOf(facts.type), chunks, bytes: facts.bytes });
  }
  for (const { name, filename, declared, chunks, bytes } of others) {
    parts.push({ name, filename, mime: declared, chunks, bytes });
  }
  const { type, length, pieces } = writeForm(parts);
  const headers = { 'content-type': type, 'content-length': String(length) };
  return { method: 'POST', path: CREATE.a, body: pieces, headers };
}

function isHeld(picture: VideoRequest['reference']): picture is HeldPicture {
  return picture?.from === 'bytes' && 'chunks' in picture;
}
