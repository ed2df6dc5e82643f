import {
  type Edit,
  editMembers,
  type ImageFamily,
  isAbsentText,
  isImageField,
  mimeOf,
} from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';
import { clientCredential, modelToName, type OwnPlan } from '../exchange/index.js';
import { Failure, isObject } from '../ground/index.js';
import { type FormPart, type JsonBody, writeForm } from '../http/index.js';
import { type AskedForm, relayFrames, relayWhole } from './image-relay.js';
import type { FormRest, ImageInput } from './input.js';
import type { GivenPicture, HeldPicture, HeldRequest } from './pictures.js';
import type { MediaAttempt } from './services.js';

/** What the relay of one request needs to know. */
export interface ImageRelay extends AskedForm {
  readonly input: ImageInput;
  readonly request: HeldRequest;
  /** The rules of the family that the backend's own model belongs to. */
  readonly served: ImageFamily | undefined;
}

const PATHS = {
  generate: '/v1/images/generations',
  edit: '/v1/images/edits',
  vary: '/v1/images/variations',
} as const;

/** The way through a backend that has the image routes itself: what the client said goes on, with parts of the right type. */
export function relayImages(attempt: MediaAttempt, relay: ImageRelay): OwnPlan {
  const { backend, call } = attempt;
  const { input } = relay;
  const content =
    'json' in input.body ? jsonContent(attempt, relay, input.body.json) : formContent(attempt, relay, input.body);
  const key = call.request.headers['idempotency-key'];
  const sent: BackendAsk = {
    method: 'POST',
    path: PATHS[input.operation],
    body: content.body,
    headers: {
      ...content.headers,
      ...(typeof key === 'string' && { 'idempotency-key': key }),
      ...(backend.config.auth === 'client' && clientCredential(call, backend.config.dialect)),
    },
  };
  return {
    kind: 'own',
    attempt,
    sent,
    losses: { list: [] },
    relaysErrors: true,
    deliver: (answered) =>
      attempt.ask.stream ? relayFrames(attempt, relay.request, answered) : relayWhole(attempt, relay, answered),
  };
}

interface Content {
  readonly body: NonNullable<BackendAsk['body']>;
  readonly headers: Record<string, string>;
}

/** A family whose service gives its pictures in one form only refuses to be asked for any (hard case IMG-01). */
function keepsForm({ served }: ImageRelay): boolean {
  return served?.fixedForm !== true;
}

function jsonContent(attempt: MediaAttempt, relay: ImageRelay, { text, value }: JsonBody): Content {
  const model = modelToName(attempt, relay.input.fields);
  const edits: Record<string, Edit> = {};
  if (model !== undefined) edits.model = { json: JSON.stringify(model), add: true };
  // A service that knows no such field refuses it with any value.
  for (const name of relay.served?.refuses ?? []) {
    if (isObject(value) && value[name] === null) edits[name] = 'remove';
  }
  if (!keepsForm(relay)) edits.response_format = 'remove';
  if (relay.input.operation === 'edit' && isObject(value) && value.images === undefined) {
    edits.image = 'remove';
    edits.images = { json: JSON.stringify(asReferences(value.image)), add: true };
  }
  return { body: editMembers(text, edits), headers: { 'content-type': 'application/json' } };
}

/** The form of some clients, `image: URL` or `image: [URL]`, as the service has it. */
function asReferences(given: unknown): unknown[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map((item) => (typeof item === 'string' ? { image_url: item } : item));
}

/** Texts first, then files in their order, under the names that the service takes (media.md 3.2, 3.6). */
function formContent(attempt: MediaAttempt, relay: ImageRelay, { texts, others }: FormRest): Content {
  const { images, mask } = relay.request;
  const parts: FormPart[] = texts
    .filter(([name, text]) => name !== 'model' && !(isImageField(name) && isAbsentText(text)))
    .filter(([name]) => name !== 'response_format' || keepsForm(relay))
    .map(([name, text]) => ({ name, text }));
  const model = modelToName(attempt, relay.input.fields);
  if (model !== undefined) parts.push({ name: 'model', text: model });
  const name = images.length === 1 ? 'image' : 'image[]';
  images.forEach((picture, index) => {
    parts.push(partOf(name, picture, `image-${index + 1}`));
  });
  if (mask !== undefined) parts.push(partOf('mask', mask, 'mask'));
  for (const file of others) {
    const { chunks, bytes, declared: mime } = file;
    parts.push({ name: file.name, filename: file.filename, mime, chunks, bytes });
  }
  const { type, length, pieces } = writeForm(parts);
  return { body: pieces, headers: { 'content-type': type, 'content-length': String(length) } };
}

function partOf(name: string, picture: GivenPicture, fallback: string): FormPart {
  if (picture.from !== 'bytes')
    throw new Failure({ kind: 'unsupported', message: 'a form holds files', path: picture.path });
  const { chunks, facts }: HeldPicture = picture;
  const filename =
    picture.filename === '' ? `${fallback}.${facts.type === 'jpeg' ? 'jpg' : facts.type}` : picture.filename;
  return { name, filename, mime: mimeOf(facts.type), chunks, bytes: facts.bytes };
}
