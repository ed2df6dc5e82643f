import {
  createImageFrames,
  decodeContentImages,
  decodePredict,
  dialects,
  encodeContentImages,
  encodePredict,
  type ImageAnswer,
  type ImageRequest,
  joinAnswers,
  type Losses,
  PREDICT_MOST,
  refuseLosses,
} from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';
import {
  type AnsweredCall,
  clientCredential,
  containsSecretOf,
  createClientStream,
  exchangeHeaders,
  leakOf,
  type OwnPlan,
} from '../exchange/index.js';
import { EVENT_STREAM, noteAnswer, noteFirstByte, noteLosses, sendWhole } from '../http/index.js';
import { createCalls, readAnswers } from './calls.js';
import { finishBody, type Wanted } from './finish.js';
import type { MediaAttempt } from './services.js';

/** A request that is translated into one or several calls of another protocol. */
export interface TranslatedImages {
  readonly request: ImageRequest;
  readonly wanted: Wanted;
  readonly losses: Losses;
}

/** The way through generateContent models that make pictures: one call per picture (media.md 5.2). */
export function contentImages(attempt: MediaAttempt, images: TranslatedImages): OwnPlan {
  const { request, losses } = images;
  const ask = askOf(attempt, createPath(attempt), encodeContentImages(request, losses));
  const asks = Array.from({ length: request.settings.n ?? 1 }, () => ask);
  return planCalls(attempt, images, asks, decodeContentImages);
}

/** The way through predict models: a few pictures per call (media.md 5.4). */
export function predictImages(attempt: MediaAttempt, images: TranslatedImages): OwnPlan {
  const { request, losses } = images;
  const path = createPath(attempt).replace(/:generateContent$/, ':predict');
  const counts = countsPerCall(request.settings.n ?? 1, PREDICT_MOST);
  const first = encodePredict(request, counts[0] ?? 1, losses);
  const asks = counts.map((n) => askOf(attempt, path, { ...first, parameters: withCount(first.parameters, n) }));
  return planCalls(attempt, images, asks, decodePredict);
}

function withCount(parameters: unknown, sampleCount: number): object {
  return { ...(typeof parameters === 'object' ? parameters : {}), sampleCount };
}

/** `n` in parts of at most `most`. */
function countsPerCall(n: number, most: number): number[] {
  return Array.from({ length: Math.ceil(n / most) }, (_, index) => Math.min(most, n - index * most));
}

function createPath({ backend, target }: MediaAttempt): string {
  return dialects[backend.config.dialect].endpoint('create', { model: target.model, stream: false });
}

/** The call that sends a body. */
export function askOf({ backend, call }: MediaAttempt, path: string, body: object): BackendAsk {
  return {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: backend.config.auth === 'client' ? clientCredential(call, backend.config.dialect) : undefined,
  };
}

/** Refuses what strict does not let go. Called before anything is sent. */
export function refuse({ policy, call }: MediaAttempt, losses: Losses): void {
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
}

function planCalls(
  attempt: MediaAttempt,
  images: TranslatedImages,
  asks: readonly BackendAsk[],
  read: (body: Record<string, unknown>) => ImageAnswer,
): OwnPlan {
  refuse(attempt, images.losses);
  const calls = createCalls(attempt, asks);
  const [sent] = asks;
  if (sent === undefined) throw new Error('a request must ask for at least one image');
  return {
    kind: 'own',
    attempt,
    sent,
    losses: images.losses,
    relaysErrors: false,
    send: calls.start,
    async deliver(first) {
      const answers = await readAnswers(attempt, calls, read);
      if (attempt.ask.stream) sendFrames(attempt, images, answers, first);
      else await sendAnswer(attempt, images, answers, first);
    },
  };
}

/** Sends several calls' pictures as one whole answer. */
export async function sendAnswer(
  attempt: MediaAttempt,
  { request, wanted, losses }: TranslatedImages,
  answers: readonly ImageAnswer[],
  { answer }: AnsweredCall,
): Promise<void> {
  const { call, target } = attempt;
  const joined = joinAnswers(answers);
  loseMissing(request, joined.images.length, losses);
  const body = await finishBody(attempt, joined, wanted);
  const headers = exchangeHeaders(call, target, answer.headers, losses.list);
  const printed = withoutLeak(attempt, JSON.stringify(body), headers);
  noteFirstByte(call);
  noteAnswer(call, { model: target.model, usage: joined.usage });
  noteLosses(call, losses.list);
  sendWhole(call.response, 200, printed, { 'content-type': 'application/json', ...headers });
}

/** A stream from a backend that has none: the finished pictures only, which is legal (media.md 1.2.5). */
export function sendFrames(
  attempt: MediaAttempt,
  { request, losses }: Pick<TranslatedImages, 'request' | 'losses'>,
  answers: readonly ImageAnswer[],
  { answer }: AnsweredCall,
): void {
  const { gateway, call, target } = attempt;
  const joined = joinAnswers(answers);
  loseMissing(request, joined.images.length, losses);
  noteAnswer(call, { model: target.model, usage: joined.usage });
  noteLosses(call, losses.list);
  const headers = exchangeHeaders(call, target, answer.headers, losses.list);
  const clientStream = createClientStream(call, () => frameHeaders(headers), gateway.config.limits.writeIdleSeconds);
  const frames = createImageFrames(request.operation, request.settings, unixNow);
  const printed = answers.flatMap(({ images, usage, manner }) =>
    images.map(({ base64 = '' }, index) => {
      // Tokens are counted per call: the last picture of a call carries them.
      const counted = index === images.length - 1 ? usage : undefined;
      return withoutLeak(attempt, frames.frame({ base64, usage: counted, manner }), headers);
    }),
  );
  for (const frame of printed) clientStream.write(frame);
  clientStream.end();
}

/**
 * Gives what may leave for a client; throws in place of what tells a secret of the backend. The text of the picture is searched
 * too, since it need be none: that takes about as long as to print it.
 */
export function withoutLeak(attempt: MediaAttempt, printed: string, headers?: Record<string, string>): string {
  if (containsSecretOf(attempt.target.backend, printed)) throw leakOf(attempt, headers);
  return printed;
}

/** Fewer pictures than were asked for are better than none (media.md 5.2), and a loss. */
export function loseMissing({ settings }: ImageRequest, made: number, losses: Losses): void {
  if (made < (settings.n ?? 1)) losses.add('/n', 'candidates', 'dropped', 'not every picture could be made');
}

/** The headers of a stream of frames. */
export function frameHeaders(headers: Record<string, string>): Record<string, string> {
  return {
    ...headers,
    ...EVENT_STREAM,
  };
}

/** Unix seconds. */
export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}
