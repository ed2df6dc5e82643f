import { faultOf, unable } from '../../translators/index.js';
import { decodeDataUrl } from '../downloads/index.js';
import { createClientStream } from '../exchange/index.js';
import { Failure, MB } from '../ground/index.js';
import { type ClientCall, sendWhole } from '../http/index.js';
import { fileType } from '../protocol/index.js';
import { partOf, rangeHeaders } from './byte-range.js';
import type { MediaServices } from './services.js';
import { gone, locate, type Place, pathOf, readTask, refusalOf } from './video-backend.js';
import { type OpenFile, openFile } from './video-file.js';
import { fileHeaders, passedHeaders, typeOfFile } from './video-file-head.js';

type Variant = 'video' | 'thumbnail' | 'spritesheet';
const VARIANTS: readonly string[] = ['video', 'thumbnail', 'spritesheet'] satisfies Variant[];

/** What the client wants of a file. */
interface Wish {
  readonly place: Place;
  readonly variant: string;
  /** Only the head of the answer is wanted. */
  readonly head: boolean;
  readonly range: Readonly<Record<string, string>>;
}

/** The finished file, as it comes from its backend: with the backend's own key, in parts where a part is asked for. */
export async function sendVideo(gateway: MediaServices, call: ClientCall, id: string): Promise<void> {
  const variant = new URLSearchParams(call.query).get('variant') ?? 'video';
  if (!VARIANTS.includes(variant)) {
    throw faultOf('variant', 'invalid_value', `must be one of ${VARIANTS.join(', ')}`);
  }
  const place = await locate(gateway, call, id);
  const head = call.request.method === 'HEAD';
  const wish = { place, variant, head, range: head ? {} : rangeHeaders(call.request.headers) };
  return place.backend.config.videos === 'a' ? sendRouted(gateway, call, wish) : sendLinked(gateway, call, wish);
}

/** Answers that may mean that the file is not there yet, or no more. */
const ABSENT: ReadonlySet<number> = new Set([400, 404, 409, 410, 425]);

/** From a backend that has the route itself. It is asked for the video's status only when it gives no file. */
async function sendRouted(gateway: MediaServices, call: ClientCall, wish: Wish): Promise<void> {
  const { backend, ref } = wish.place;
  const query = wish.variant === 'video' ? '' : `?variant=${wish.variant}`;
  const path = `${pathOf(backend.config, ref.id, '/content')}${query}`;
  const file = await openFile(gateway, call, backend, path, headersOf(wish));
  const { status, headers } = file.answer;
  const good = status === 200 || status === 206;
  if (good ? typeOfFile(headers, wish.variant) !== undefined : !ABSENT.has(status)) {
    return deliver(gateway, call, wish, file);
  }
  // A picture of the video may be wanting while the video is there.
  const refusal = good ? undefined : await refusalFor(gateway, wish, file);
  file.abort();
  await requireFile(gateway, call, wish.place);
  if (refusal === undefined || refusal.error.kind === 'not_found') {
    throw refusal === undefined ? noFile() : gone('the file of this video is not there');
  }
  throw refusal;
}

function noFile(): Failure {
  return new Failure({ kind: 'upstream', message: 'the backend sent no file' });
}

/** From a backend that tells where the file is. */
async function sendLinked(gateway: MediaServices, call: ClientCall, wish: Wish): Promise<void> {
  const { place } = wish;
  if (wish.variant !== 'video') throw unable('/variant', 'variant: the backend of this video makes no pictures of it');
  const { url } = await requireFile(gateway, call, place);
  if (url === undefined) throw noFile();
  if (/^data:/i.test(url)) return sendInline(gateway, call, wish, url);
  return deliver(gateway, call, wish, await openFile(gateway, call, place.backend, url, headersOf(wish)));
}

/** Rejects with 404 unless there is a file (media.md 4.5.2, 4.5.3). */
async function requireFile(gateway: MediaServices, call: ClientCall, place: Place): Promise<{ readonly url?: string }> {
  const { task } = await readTask(gateway, call, place);
  if (task.status === 'failed') {
    throw gone(`the video could not be made: ${gateway.redact(task.error?.message ?? '').slice(0, 500)}`);
  }
  if (task.status !== 'completed') throw gone('the video is not ready yet');
  if (task.expiresAt !== undefined && task.expiresAt * 1000 <= Date.now()) throw gone('the video has expired');
  return task;
}

/** Of a file whose head alone is wanted, one byte is asked for: the head has the rest. */
function headersOf({ head, range }: Wish): Readonly<Record<string, string>> {
  return head ? { range: 'bytes=0-0' } : range;
}

function refusalFor(gateway: MediaServices, { place }: Wish, file: OpenFile): Promise<Failure> {
  return refusalOf(gateway, place.backend, {
    answer: file.answer,
    running: { answer: Promise.resolve(file.answer), abort: file.abort },
  });
}

async function deliver(gateway: MediaServices, call: ClientCall, wish: Wish, file: OpenFile): Promise<void> {
  const { status, headers } = file.answer;
  const type = typeOfFile(headers, wish.variant);
  if (status === 416) {
    file.abort();
    throw unsatisfiable(/^bytes \*\/\d{1,15}$/.exec(headers['content-range'] ?? '')?.[0]);
  }
  if (status !== 200 && status !== 206) throw await refusalFor(gateway, wish, file);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (type === undefined || encoding.toLowerCase() !== 'identity') {
    file.abort();
    throw noFile();
  }
  const shown = { ...fileHeaders(call, wish.place, type), ...passedHeaders(headers) };
  if (wish.head) return sendHead(call, file, shown);
  return stream(gateway, call, wish, file, shown);
}

function unsatisfiable(range: string | undefined): Failure {
  return new Failure(
    { kind: 'invalid_request', status: 416, message: 'the file has no such range' },
    { headers: range === undefined ? {} : { 'content-range': range } },
  );
}

function sendHead({ response }: ClientCall, file: OpenFile, shown: Record<string, string>): void {
  const { 'content-range': range, 'content-length': length, ...rest } = shown;
  file.abort();
  const whole = file.answer.status === 206 ? /\/(\d+)$/.exec(range ?? '')?.[1] : length;
  response.writeHead(200, {
    ...rest,
    ...(file.answer.status === 206 && { 'accept-ranges': 'bytes' }),
    ...(whole !== undefined && { 'content-length': whole }),
  });
  response.end();
}

const BRACE = 0x7b;

/** Moves the file with back pressure. One that ends early breaks the connection: it must not look like a whole one. */
function stream(
  gateway: MediaServices,
  call: ClientCall,
  { variant }: Wish,
  { answer, abort }: OpenFile,
  shown: Record<string, string>,
): Promise<void> {
  const { status } = answer;
  const expected = shown['content-length'];
  const clientStream = createClientStream(call, () => shown, gateway.config.limits.writeIdleSeconds, status);
  clientStream.source = answer;
  let moved = 0;
  let over = false;
  return new Promise((resolve, reject) => {
    const fail = (failure: Failure): void => {
      if (over) return;
      over = true;
      if (!clientStream.begun) {
        reject(failure);
        return;
      }
      call.record.error = failure.error.kind;
      clientStream.breakOff();
      resolve();
    };
    answer.pipe({
      data(chunk) {
        // An error in JSON, sent as if it were a film.
        if (moved === 0 && status === 200 && variant === 'video' && chunk[0] === BRACE) {
          fail(noFile());
          abort();
        }
        if (over) return;
        moved += chunk.byteLength;
        clientStream.write(chunk);
      },
      end() {
        if (over) return;
        if (expected !== undefined && moved !== Number(expected)) return fail(noFile());
        clientStream.open();
        clientStream.end();
        resolve();
      },
      fail,
    });
  });
}

/** A file that is inline in the answer. */
function sendInline(gateway: MediaServices, call: ClientCall, wish: Wish, url: string): void {
  const { eventMb } = gateway.config.limits;
  const { bytes, declared } = inlineFile(url, eventMb * MB);
  const type = fileType(bytes, declared) ?? 'video/mp4';
  const { range } = wish.range;
  const part = range === undefined ? undefined : partOf(range, bytes.length);
  if (range !== undefined && part === undefined) throw unsatisfiable(`bytes */${bytes.length}`);
  const { start, end } = part ?? { start: 0, end: bytes.length };
  sendWhole(call.response, part === undefined ? 200 : 206, bytes.subarray(start, end), {
    ...fileHeaders(call, wish.place, type),
    'accept-ranges': 'bytes',
    ...(part !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
  });
}

/** What cannot be read here is the backend's fault, and not one of the request. */
function inlineFile(url: string, limit: number): ReturnType<typeof decodeDataUrl> {
  try {
    return decodeDataUrl(url, limit, '');
  } catch (cause) {
    throw new Failure({ kind: 'upstream', message: 'the backend sent a file that cannot be read' }, { cause });
  }
}
