import { encodeImages, type ImageAnswer, type MadeImage } from '../../translators/index.js';
import { factsOf, mimeOfBase64 } from '../downloads/index.js';
import { Failure } from '../ground/index.js';
import { type ClientCall, runFor, tagOf } from '../http/index.js';
import type { MediaAttempt, MediaServices } from './services.js';

/** How a client wants its pictures. */
export type Wanted = 'url' | 'b64_json';

/**
 * An answer with every picture in the form that is wanted, whatever the backend gave. What has to be fetched for it is so
 * no longer than the client waits.
 */
export async function finishAnswer(
  { gateway, call }: MediaAttempt,
  answer: ImageAnswer,
  wanted: Wanted,
): Promise<ImageAnswer> {
  const controller = new AbortController();
  runFor(call, controller);
  const finish = async (image: MadeImage): Promise<MadeImage> => {
    if (wanted === 'url') return image.url === undefined ? keep(gateway, call, image) : { ...image, base64: undefined };
    if (image.base64 !== undefined) return { ...image, url: undefined };
    return { ...image, url: undefined, base64: await bring(gateway, image.url ?? '', controller.signal) };
  };
  return { ...answer, images: await Promise.all(answer.images.map(finish)) };
}

/** The body of a whole answer. */
export async function finishBody(attempt: MediaAttempt, answer: ImageAnswer, wanted: Wanted): Promise<object> {
  return encodeImages(await finishAnswer(attempt, answer, wanted), Math.floor(Date.now() / 1000));
}

/** Some backends put the picture itself where a link belongs; who follows links cannot use that (media.md 6.4). */
async function keep({ media, config }: MediaServices, call: ClientCall, image: MadeImage): Promise<MadeImage> {
  const base64 = image.base64 ?? '';
  const kept = media.blobs.keep(tagOf(call, config), { mime: mimeOfBase64(base64), base64 }, call.base);
  if (kept === undefined) throw paid('the picture is larger than may be kept; ask for b64_json');
  await kept.kept.catch((cause: unknown) => {
    throw paid('the picture could not be kept; ask for b64_json', cause);
  });
  return { ...image, url: kept.url, base64: undefined };
}

async function bring({ media }: MediaServices, url: string, signal: AbortSignal): Promise<string> {
  try {
    const { bytes } = await media.fetcher.fetchResult(url, signal);
    const base64 = bytes.toString('base64');
    if (factsOf(base64) !== undefined) return base64;
  } catch (cause) {
    throw new Failure(
      { kind: 'upstream', message: 'the image that the backend made could not be fetched', retry: false },
      { cause },
    );
  }
  throw new Failure({ kind: 'upstream', message: 'the file that the backend linked to is not an image', retry: false });
}

/** The picture exists and is paid: trying again would pay again. */
function paid(message: string, cause?: unknown): Failure {
  return new Failure({ kind: 'internal', message, retry: false }, { cause });
}
