import { decodeVideoOperation, decodeVideoTaskA, decodeVideoTaskB, type VideoTask } from '../../translators/index.js';
import { type Backend, type BackendAsk, collectBody } from '../backend/index.js';
import type { BackendConfig, Target } from '../config/index.js';
import { type AnsweredCall, callWithRetry, clientCredential, explainCall } from '../exchange/index.js';
import { Failure, MB } from '../ground/index.js';
import { answerHeaders, type ClientCall, tenantOf } from '../http/index.js';
import { anyErrors, backendHeaders, checkAnswerType, parseAnswer, readUpstreamError } from '../protocol/index.js';
import type { MediaServices } from './services.js';
import type { VideoRef } from './video-id.js';
import { isOperationName, pollOperation } from './video-operation.js';
import type { ReportedTask } from './video-view.js';

/** An error body of a backend is read up to this size in bytes. */
const ERROR_BYTES = 1024 * 1024;

/** A video that the caller made. */
export interface Place {
  readonly tenant: string;
  /** As the client knows it. */
  readonly id: string;
  readonly ref: VideoRef;
  readonly backend: Backend;
}

/** Where the video of an id is made. Rejects with 404 for what was not given to this caller, whatever the reason. */
export async function locate(gateway: MediaServices, call: ClientCall, id: string): Promise<Place> {
  const { config, media, backends } = gateway;
  const tenant = tenantOf(call, config);
  const ref = await media.videos.ids.open(tenant, id);
  const made = ref === undefined ? undefined : config.backends[ref.backend];
  if (ref === undefined || made === undefined || made.videos === 'none') throw unknownVideo();
  if (call.record.facts !== undefined) call.record.facts.backend = ref.backend;
  return { tenant, id, ref, backend: backends.get(ref.backend) };
}

export function unknownVideo(): Failure {
  return gone('there is no such video');
}

/** A 404: a 409 would be sent again by the official client on its own (media.md 4.5.2). */
export function gone(message: string): Failure {
  return new Failure({ kind: 'not_found', status: 404, message });
}

/** One call to a backend for a client, with the right credentials. */
export function callFor(
  gateway: MediaServices,
  call: ClientCall,
  backend: Backend,
  ask: BackendAsk,
): Promise<AnsweredCall> {
  const { target, sent } = callOf(call, backend, ask);
  return callWithRetry({ gateway, call, target }, sent);
}

/** Answers with the call that {@link callFor} would make. */
export function explainFor(gateway: MediaServices, call: ClientCall, backend: Backend, ask: BackendAsk): void {
  const { target, sent } = callOf(call, backend, ask);
  explainCall({ gateway, call, target, ask: { model: '' } }, { sent, losses: [], tokens: null });
}

function callOf(
  call: ClientCall,
  backend: Backend,
  ask: BackendAsk,
): { readonly target: Target; readonly sent: BackendAsk } {
  const { auth, dialect } = backend.config;
  const headers = { ...(auth === 'client' && clientCredential(call, dialect)), ...ask.headers };
  const target = { backend: backend.config, model: '', profile: undefined, said: {}, weight: undefined };
  return { target, sent: { ...ask, headers } };
}

/** The client's error for an answer that is no success. */
export async function refusalOf(
  gateway: MediaServices,
  { config }: Backend,
  { answer, running }: AnsweredCall,
): Promise<Failure> {
  const bytes = await collectBody(answer, ERROR_BYTES, running.abort);
  const read = readUpstreamError(config, anyErrors, answer.status, answer.headers, bytes);
  if (read.ours) {
    gateway.logger.error(
      { backend: config.name, status: answer.status },
      'the backend refused the credentials of the gateway',
    );
  }
  return new Failure(read.error);
}

/** The JSON object of a successful answer. Rejects with Failure for any other answer. */
export async function readBody(
  gateway: MediaServices,
  backend: Backend,
  answered: AnsweredCall,
): Promise<Record<string, unknown>> {
  const { answer, running } = answered;
  if (answer.status < 200 || answer.status > 299) throw await refusalOf(gateway, backend, answered);
  checkAnswerType(answer.headers, 'json');
  const { limits } = gateway.config;
  return parseAnswer(await collectBody(answer, limits.eventMb * MB, running.abort), limits);
}

/** The path of a task, or of something below it, in the backend's own format. The id is one segment whatever it holds. */
export function pathOf({ videos }: BackendConfig, id: string, below = ''): string {
  return `${videos === 'b' ? '/v1/video/generations' : '/v1/videos'}/${encodeURIComponent(id)}${below}`;
}

/** Ids that a path of the backend can hold. */
export function isUsableId({ videos }: BackendConfig, id: string): boolean {
  if (videos === 'operations') return Buffer.byteLength(id) <= 1000 && isOperationName(id);
  return id !== '' && Buffer.byteLength(id) <= 1000 && !/^\.{1,2}$/.test(id) && !/\p{Cc}|\p{Cs}/u.test(id);
}

/** A task in its backend's own format. `begun` = it is the answer to its creation. */
export function decodeTask(
  { videos }: BackendConfig,
  body: Readonly<Record<string, unknown>>,
  begun: boolean,
): VideoTask {
  if (videos === 'operations') return decodeVideoOperation(body, begun);
  return videos === 'b' ? decodeVideoTaskB(body) : decodeVideoTaskA(body);
}

/** Asks for the status of a video. */
export async function readTask(
  gateway: MediaServices,
  call: ClientCall,
  { backend, ref }: Place,
): Promise<ReportedTask> {
  const { config } = backend;
  const ask: BackendAsk =
    config.videos === 'operations' ? pollOperation(ref.id) : { method: 'GET', path: pathOf(config, ref.id) };
  const body = await readBody(gateway, backend, await callFor(gateway, call, backend, ask));
  const task = decodeTask(config, body, false);
  // An error that comes as a success says nothing about the video; it is not the video's status.
  if (task.id === '' ? (body.status ?? body.done) === undefined : task.id !== ref.id) {
    throw new Failure({ kind: 'upstream', message: 'the backend gave no information about this video' });
  }
  return { ref, task, body };
}

/** Headers of an answer that a backend gave. */
export function videoHeaders(call: ClientCall, { name, dialect }: BackendConfig, model = ''): Record<string, string> {
  return { ...answerHeaders(call), ...backendHeaders(name, dialect, model) };
}
