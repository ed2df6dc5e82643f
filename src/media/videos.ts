import { setTimeout as delay } from 'node:timers/promises';
import {
  checkVideoRequest,
  createLosses,
  faultOf,
  type Losses,
  operationMakes,
  type VideoFamily,
  type VideoRequest,
  videoFamily,
} from '../../translators/index.js';
import {
  type AnsweredCall,
  clientCredential,
  exchangeHeaders,
  type GenerationRequest,
  type OwnPlan,
  tryTargets,
} from '../exchange/index.js';
import { CallFailure, Failure } from '../ground/index.js';
import {
  type ClientCall,
  noteFirstByte,
  noteLosses,
  OffloadRequest,
  type Served,
  sendJson,
  tenantOf,
} from '../http/index.js';
import { checkModelName } from '../protocol/index.js';
import { costly } from './calls.js';
import { refuse, unixNow } from './image-calls.js';
import { withBytes } from './pictures.js';
import type { MediaAttempt, MediaServices } from './services.js';
import { encodedVideo, relayedVideo } from './video-ask.js';
import { decodeTask, isUsableId, readBody } from './video-backend.js';
import type { VideoRef } from './video-id.js';
import { readVideoInput, type VideoInput } from './video-input.js';
import { formatOf, showTask } from './video-view.js';

/**
 * Begins a video. A call whose outcome is not known is never made again: the video may be in the making, and paid
 * (media.md 4.4). Rejects with the client's error.
 */
export async function createVideo(gateway: MediaServices, call: ClientCall): Promise<Served> {
  const input = await readVideoInput(gateway, call, formatOf(call));
  if (input instanceof OffloadRequest) return input;
  // A video whose id cannot be given out would be lost.
  await gateway.media.videos.ids.ready();
  const ask: GenerationRequest = {
    json: input.json ?? { value: undefined, text: '' },
    model: checkModelName(input.fields.model, '/model'),
    stream: false,
    framing: 'sse',
  };
  try {
    return await tryTargets(gateway, call, ask, noConversation, (attempt) => planVideo(attempt, input));
  } catch (thrown) {
    throw isUndecided(thrown) ? costly(thrown) : thrown;
  }
}

function noConversation(): never {
  throw new Error('a video request is not a conversation');
}

/** A connection that was made, or a server in between that gave up: what the backend did is not known. */
export function isUndecided(thrown: unknown): boolean {
  if (thrown instanceof CallFailure) return thrown.connected;
  return thrown instanceof Failure && (thrown.error.kind === 'upstream' || thrown.error.kind === 'timeout');
}

/** The way of a request through one target. Rejects before any call when a rule is broken, or strict refuses. */
async function planVideo(attempt: MediaAttempt, input: VideoInput): Promise<OwnPlan> {
  const { backend, call } = attempt;
  const { videos } = backend.config;
  if (videos === 'none') throw faultOf('model', 'invalid_value', 'the backend of this model makes no videos');
  const family = familyOf(attempt);
  const own = videos === input.fields.format;
  const request = await requestFor(attempt, input, family !== undefined || !own || input.json === undefined);
  checkVideoRequest(request, family, attempt.gateway.media.files.large);
  const losses = createLosses();
  const sent =
    own && input.json !== undefined
      ? relayedVideo(attempt, input, input.json.text)
      : encodedVideo(attempt, request, input, losses);
  refuse(attempt, losses);
  const key = call.request.headers['idempotency-key'];
  return {
    kind: 'own',
    attempt,
    sent: {
      ...sent,
      headers: {
        ...sent.headers,
        ...(typeof key === 'string' && { 'idempotency-key': key }),
        ...(backend.config.auth === 'client' && clientCredential(call, backend.config.dialect)),
      },
    },
    losses,
    // Format A has its own three words for every error, whatever its service says.
    relaysErrors: false,
    deliver: (answered) =>
      deliverTask(attempt, request, losses, answered).catch((thrown: unknown) => {
        throw costly(thrown);
      }),
  };
}

function familyOf({ gateway, ask, target }: MediaAttempt): VideoFamily | undefined {
  const { familyOf: find } = gateway.media;
  const id = find(ask.model) ?? find(target.model);
  const family = id === undefined ? undefined : videoFamily(id);
  if (id !== undefined && family === undefined) {
    throw faultOf('model', 'invalid_value', 'this model makes no videos');
  }
  return family;
}

async function requestFor({ gateway }: MediaAttempt, input: VideoInput, inline: boolean): Promise<VideoRequest> {
  const { fetcher } = gateway.media;
  const { reference: given, fields } = input;
  const { reference: _named, ...rest } = fields;
  if (given === undefined) return rest;
  if (given.from === 'url' && !inline) {
    await fetcher.check(given.url, given.path);
    return { ...rest, reference: given };
  }
  return { ...rest, reference: await withBytes(given, fetcher) };
}

async function deliverTask(
  attempt: MediaAttempt,
  request: VideoRequest,
  losses: Losses,
  answered: AnsweredCall,
): Promise<void> {
  const { gateway, call, backend, target, ask } = attempt;
  const body = await readBody(gateway, backend, answered);
  const { seconds, size } = backend.config.videos === 'operations' ? operationMakes(request) : request.settings;
  const kept =
    // The other formats do not tell it again.
    backend.config.videos !== 'a'
      ? {
          kept: {
            model: ask.model,
            created: unixNow(),
            ...(seconds !== undefined && { seconds }),
            ...(size !== undefined && { size }),
          },
        }
      : {};
  const shown = await showNew(attempt, body, kept);
  noteFirstByte(call);
  noteLosses(call, losses.list);
  sendJson(call.response, 200, shown, exchangeHeaders(call, target, answered.answer.headers, losses.list));
}

/** A store that is slow does not keep the answer longer than this, in ms: the video is paid (media.md 4.4). */
const NOTE_MS = 1000;

/** A task that has just begun. Its owner is noted; that this failed does not take the video from its owner. */
export async function showNew(
  { gateway, call, backend }: Pick<MediaAttempt, 'gateway' | 'call' | 'backend'>,
  body: Record<string, unknown>,
  kept: Pick<VideoRef, 'kept'>,
): Promise<object> {
  const task = decodeTask(backend.config, body, true);
  if (!isUsableId(backend.config, task.id))
    throw new Failure({ kind: 'upstream', message: 'the backend gave the video no id' });
  const tenant = tenantOf(call, gateway.config);
  const ref: VideoRef = { backend: backend.config.name, id: task.id, ...kept };
  const noted = gateway.media.videos.owners.note(tenant, ref).catch((error: unknown) => {
    gateway.logger.error({ id: call.id, err: error }, 'the owner of a video could not be recorded');
  });
  await Promise.race([noted, delay(NOTE_MS, undefined, { ref: false })]);
  return showTask(gateway, call, tenant, backend.config, { ref, task, body });
}
