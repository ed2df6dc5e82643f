import {
  type CanonicalError,
  createImageFrames,
  createLosses,
  createSseCutter,
  decodeUsage,
  type ImageRequest,
  type ImageUsage,
  isFinishedFrame,
  type Loss,
} from '../../translators/index.js';
import { type AnswerHeaders, collectBody } from '../backend/index.js';
import {
  type AnsweredCall,
  type ClientStream,
  containsSecretOf,
  createClientStream,
  exchangeHeaders,
  leakOf,
  outputFilterFor,
  relayedType,
  relayGuardFor,
  withoutSecretsInErrors,
} from '../exchange/index.js';
import { Failure, isObject, MB, withoutSecrets } from '../ground/index.js';
import { noteAnswer, noteFirstByte, noteLosses, sendWhole } from '../http/index.js';
import { checkAnswerType, INCOMPLETE, parseAnswer } from '../protocol/index.js';
import { finishAnswer, type Wanted } from './finish.js';
import { sendFrames, unixNow } from './image-calls.js';
import { FIELDS, type Item, itemsOf } from './items.js';
import type { MediaAttempt } from './services.js';

/** The form in which a client gets its pictures. */
export interface AskedForm {
  /** undefined = any is right. */
  readonly wanted: Wanted | undefined;
  /** The client said so itself; else it is what answers of its model usually have. */
  readonly said: boolean;
}

/** Passes a whole answer on as it came, or with its pictures in the form that is wanted. */
export async function relayWhole(
  attempt: MediaAttempt,
  { wanted, said }: AskedForm,
  { answer, running }: AnsweredCall,
): Promise<void> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, 'json');
  const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
  const body = parseAnswer(bytes, limits);
  noteAnswer(call, { model: target.model, usage: decodeUsage(body.usage) });
  const items = itemsOf(body);
  const form = wanted ?? items.find(({ odd }) => odd !== undefined)?.odd;
  const fits =
    form === undefined || items.every(({ image, odd }) => odd === undefined && image[FIELDS[form]] !== undefined);
  const changed = fits ? undefined : await inForm(attempt, body, items, form).catch(unless(said));
  const headers = exchangeHeaders(call, target, answer.headers, []);
  const shown =
    changed === undefined ? withoutSecretsInErrors(bytes, gateway.redact) : Buffer.from(JSON.stringify(changed));
  if (containsSecretOf(target.backend, shown)) throw leakOf(attempt, headers);
  const usual = 'application/json';
  const type = changed === undefined ? relayedType(target.backend, answer.headers, usual) : usual;
  noteFirstByte(call);
  noteLosses(call, []);
  sendWhole(call.response, 200, shown, { ...headers, 'content-type': type });
}

/** What nobody asked for in words may stay as it came. */
function unless(said: boolean): (thrown: unknown) => undefined {
  return (thrown) => {
    if (said) throw thrown;
  };
}

/** The answer with its pictures in another form, and everything else as it came. */
async function inForm(
  attempt: MediaAttempt,
  body: Record<string, unknown>,
  items: readonly Item[],
  wanted: Wanted,
): Promise<object> {
  const { images } = await finishAnswer(attempt, { images: items.map(({ image }) => image) }, wanted);
  return {
    ...body,
    data: images.map(({ url, base64 }, index) => ({
      ...(url === undefined ? { b64_json: base64 } : { url }),
      ...items[index]?.others,
    })),
  };
}

/** Services that know no streams answer with the whole, which is paid: its pictures are frames as well. */
async function wholeAsFrames(attempt: MediaAttempt, request: ImageRequest, answered: AnsweredCall): Promise<void> {
  const { limits } = attempt.gateway.config;
  const body = parseAnswer(await collectBody(answered.answer, limits.eventMb * MB, answered.running.abort), limits);
  const made = { images: itemsOf(body).map(({ image }) => image), usage: decodeUsage(body.usage) };
  const answer = await finishAnswer(attempt, made, 'b64_json');
  sendFrames(attempt, { request, losses: createLosses() }, [answer], answered);
}

function isJson({ 'content-type': type = '' }: AnswerHeaders): boolean {
  return /^\s*application\/json\s*(?:;|$)/i.test(type);
}

/** Passes frames on as they come. Only a finished picture makes the end a good one (media.md 1.2.7). */
export function relayFrames(attempt: MediaAttempt, request: ImageRequest, answered: AnsweredCall): Promise<void> {
  const { answer, running } = answered;
  if (isJson(answer.headers)) return wholeAsFrames(attempt, request, answered);
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  const losses: readonly Loss[] = [];
  checkAnswerType(answer.headers, 'sse');
  noteLosses(call, losses);
  const clientStream = createClientStream(
    call,
    () => ({
      ...exchangeHeaders(call, target, answer.headers, losses),
      'content-type': relayedType(target.backend, answer.headers, 'text/event-stream'),
      'cache-control': 'no-cache',
    }),
    limits.writeIdleSeconds,
  );
  const watch = createWatch(limits.eventMb * MB);
  const guard = relayGuardFor(watch, gateway.redact);
  const filter = outputFilterFor(target.backend, watch, clientStream);
  call.record.soFar = () => ({ model: target.model, usage: watch.usage() });
  clientStream.source = answer;
  return new Promise((resolve, reject) => {
    let over = false;
    const finish = (failure: Failure | undefined): void => {
      if (over) return;
      over = true;
      if (failure === undefined && watch.whole) filter.write(guard.rest());
      filter.flush();
      const leak = filter.leaked ? leakOf(attempt) : undefined;
      const { error } = leak ?? failure ?? new Failure(INCOMPLETE);
      const between = leak === undefined ? watch.between : filter.between;
      if (failure === undefined && leak === undefined && watch.whole) clientStream.end();
      else if (clientStream.begun) breakFrames(attempt, request, clientStream, between, error);
      else reject(new Failure({ ...error, retry: false }));
      resolve();
    };
    answer.pipe({
      data(chunk) {
        const failure = watch.see(chunk);
        filter.write(guard.pass(chunk));
        if (failure === undefined && !filter.leaked) return;
        finish(failure);
        running.abort();
      },
      end: () => finish(watch.see(undefined)),
      fail: finish,
    });
  });
}

/** Says in a frame of its own that the stream broke off, where one can still be appended. */
function breakFrames(
  { call, gateway }: MediaAttempt,
  { operation, settings }: ImageRequest,
  clientStream: ClientStream,
  between: boolean,
  error: CanonicalError,
): void {
  call.record.error = error.kind;
  if (!between) {
    clientStream.breakOff();
    return;
  }
  const frames = createImageFrames(operation, settings, unixNow);
  clientStream.write(`\n\n${frames.error(withoutSecrets(error, gateway.redact))}`);
  clientStream.end();
}

/** Looks on while frames pass. */
interface Watch {
  /** Takes a piece, or the end; gives what is wrong with it. */
  see(chunk: Uint8Array | undefined): Failure | undefined;
  /** A finished picture was seen, or an error, which is a true end too. */
  readonly whole: boolean;
  /** A whole frame was seen. */
  readonly begun: boolean;
  /** What came so far ends between two frames. */
  readonly between: boolean;
  /** The counts of the last finished picture. */
  usage(): ImageUsage | undefined;
}

function createWatch(maxBytes: number): Watch {
  let last = false;
  let begun = false;
  let finished = '';
  const cutter = createSseCutter(
    (event, data) => {
      begun = true;
      if (isFinishedFrame(event, data)) finished = data;
      last ||= event === 'error' || /^\s*\{\s*"error"\s*:/.test(data) || finished !== '';
    },
    { maxBytes },
  );
  return {
    see(chunk) {
      try {
        if (chunk === undefined) cutter.end();
        else cutter.push(chunk);
        return undefined;
      } catch (cause) {
        return new Failure({ kind: 'upstream', message: 'the backend sent a stream that cannot be read' }, { cause });
      }
    },
    get whole() {
      return last;
    },
    get begun() {
      return begun;
    },
    get between() {
      return cutter.between;
    },
    usage: () => usageIn(finished),
  };
}

/** The counts in a finished frame; what is no JSON has none. */
function usageIn(frame: string): ImageUsage | undefined {
  try {
    const body: unknown = JSON.parse(frame);
    return isObject(body) ? decodeUsage(body.usage) : undefined;
  } catch {
    return undefined;
  }
}
