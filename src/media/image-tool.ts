import {
  createImageFrames,
  createSseCutter,
  createToolStream,
  decodeToolImages,
  dialects,
  encodeToolImages,
  type ImageAnswer,
  type ImageFrame,
  joinAnswers,
  TranslationError,
} from '../../translators/index.js';
import type { LimitsConfig } from '../config/index.js';
import { type AnsweredCall, createClientStream, exchangeHeaders, type OwnPlan } from '../exchange/index.js';
import { Failure, MB, toCanonicalError, withoutSecrets } from '../ground/index.js';
import { noteLosses } from '../http/index.js';
import { checkAnswerType, INCOMPLETE } from '../protocol/index.js';
import { type Calls, createCalls, readAnswers } from './calls.js';
import {
  askOf,
  frameHeaders,
  loseMissing,
  refuse,
  sendAnswer,
  type TranslatedImages,
  unixNow,
  withoutLeak,
} from './image-calls.js';
import type { MediaAttempt } from './services.js';

/** The way through a text model that calls its service's own image tool: one call per picture (media.md 5.3). */
export function toolImages(attempt: MediaAttempt, images: TranslatedImages, imageModel: string | undefined): OwnPlan {
  const { ask, backend, target } = attempt;
  const { request, losses } = images;
  const path = dialects[backend.config.dialect].endpoint('create', { model: target.model, stream: ask.stream });
  const body = encodeToolImages(request, { model: target.model, imageModel, stream: ask.stream }, losses);
  refuse(attempt, losses);
  const sent = askOf(attempt, path, body);
  const calls = createCalls(
    attempt,
    Array.from({ length: request.settings.n ?? 1 }, () => sent),
  );
  return {
    kind: 'own',
    attempt,
    sent,
    losses,
    relaysErrors: false,
    send: calls.start,
    async deliver(first) {
      if (!ask.stream) {
        return sendAnswer(attempt, images, await readAnswers(attempt, calls, decodeToolImages), first);
      }
      return streamFrames(attempt, images, calls, first);
    },
  };
}

/** Writes the frames of all calls as they come. The end is good when at least one call brought its picture. */
async function streamFrames(
  attempt: MediaAttempt,
  { request, losses }: TranslatedImages,
  calls: Calls,
  first: AnsweredCall,
): Promise<void> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  noteLosses(call, losses.list);
  const clientStream = createClientStream(
    call,
    () => frameHeaders(exchangeHeaders(call, target, first.answer.headers, losses.list)),
    limits.writeIdleSeconds,
  );
  const sources: AnsweredCall[] = [];
  clientStream.source = {
    pause() {
      for (const { answer } of sources) answer.pause();
    },
    resume() {
      for (const { answer } of sources) answer.resume();
    },
  };
  const beat = setInterval(() => clientStream.beat(': \n\n'), limits.heartbeatSeconds * 1000);
  const frames = createImageFrames(request.operation, request.settings, unixNow);
  const spent: ImageAnswer[] = [];
  call.record.soFar = () => ({ model: target.model, usage: joinAnswers(spent).usage });
  const { values, failures } = await calls
    .each((answered) => {
      sources.push(answered);
      const write = (frame: ImageFrame): void => {
        spent.push({ images: [], usage: frame.usage });
        clientStream.write(withoutLeak(attempt, frames.frame(frame)));
      };
      return readFrames(answered, write, limits);
    })
    .finally(() => clearInterval(beat));
  if (values.length === 0) {
    const error = toCanonicalError(failures[0]);
    if (!clientStream.begun) throw new Failure(error);
    call.record.error = error.kind;
    clientStream.write(frames.error(withoutSecrets(error, gateway.redact)));
  } else {
    loseMissing(request, values.length, losses);
    noteLosses(call, losses.list);
  }
  clientStream.end();
}

/** Reads one call's stream up to its finished picture; rejects with why there is none. */
function readFrames(
  { answer, running }: AnsweredCall,
  write: (frame: ImageFrame) => void,
  { eventMb, jsonDepth }: LimitsConfig,
): Promise<void> {
  const stream = createToolStream(write, jsonDepth);
  const cutter = createSseCutter((_event, data) => stream.event(data), { maxBytes: eventMb * MB });
  return new Promise((resolve, reject) => {
    let over = false;
    const refuse = (thrown: unknown): void => {
      over = true;
      reject(thrown);
      running.abort();
    };
    const see = (chunk: Uint8Array | undefined): void => {
      if (over || stream.done) return;
      try {
        if (chunk === undefined) cutter.end();
        else cutter.push(chunk);
      } catch (cause) {
        refuse(cause instanceof Failure ? cause : unreadable(cause));
        return;
      }
      if (stream.failure !== undefined) refuse(stream.failure);
      else if (stream.done) resolve();
      else if (chunk === undefined) reject(new Failure(INCOMPLETE));
    };
    try {
      checkAnswerType(answer.headers, 'sse');
    } catch (thrown) {
      refuse(thrown);
      return;
    }
    answer.pipe({ data: see, end: () => see(undefined), fail: reject });
  });
}

function unreadable(cause: unknown): Failure {
  const message = cause instanceof TranslationError ? cause.message : 'the backend sent a stream that cannot be read';
  return new Failure({ kind: 'upstream', message }, { cause });
}
