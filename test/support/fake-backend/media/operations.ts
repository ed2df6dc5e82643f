import { jsonOf, type MediaAnswer, type MediaFake, startMediaFake, strangers } from './server.js';
import { FILM, fileAnswer } from './videos.js';

/** Where the one operation of a fake stands: what its poll tells beside its name. */
export interface OperationFake extends MediaFake {
  /** Bodies of the creations that were taken. */
  readonly made: Record<string, unknown>[];
  told: Record<string, unknown>;
}

export const OPERATION_KEY = 'the-key-of-the-operation-backend';
const MODEL = 'veo-3.1-generate-preview';
const NAME = `models/${MODEL}/operations/op-7`;
const CLOUD = `projects/p/locations/l/publishers/google/models/${MODEL}`;

/** What a finished operation tells, its file at `uri` (media.md 4.2). */
export function finished(uri: string): Record<string, unknown> {
  const generateVideoResponse = { generatedSamples: [{ video: { uri } }] };
  return { done: true, response: { generateVideoResponse } };
}

const PARAMETERS = [
  ...['sampleCount', 'durationSeconds', 'aspectRatio', 'resolution', 'negativePrompt', 'personGeneration'],
  'enhancePrompt',
];

function refuse(code: number, status: string, message: string): MediaAnswer {
  return { status: code, body: { error: { code, message, status } } };
}

/**
 * A strict service of long-running predictions with one model, in the developer variant; `elsewhere` is where the file of
 * `/v1beta/files/film` redirects to. In the cloud variant its operation has a name in a project, and is polled by its model.
 */
export async function startOperations(elsewhere?: string, cloud = false): Promise<OperationFake> {
  const made: Record<string, unknown>[] = [];
  const name = cloud ? `${CLOUD}/operations/op-7` : NAME;
  const fake = await startMediaFake((seen) => {
    if (seen.headers['x-goog-api-key'] !== OPERATION_KEY) {
      return refuse(403, 'PERMISSION_DENIED', 'Method does not allow unregistered callers');
    }
    const { pathname, searchParams } = new URL(seen.path, 'http://fake');
    if (pathname === `/v1beta/models/${MODEL}:predictLongRunning` && seen.method === 'POST')
      return create(jsonOf(seen));
    if (cloud && pathname === `/v1beta1/${CLOUD}:fetchPredictOperation` && seen.method === 'POST') {
      if (jsonOf(seen).operationName !== name) return refuse(404, 'NOT_FOUND', 'no such operation');
      return { status: 200, body: { name, ...operation.told } };
    }
    if (!cloud && pathname === `/v1beta/${name}` && seen.method === 'GET') {
      return { status: 200, body: { name, ...operation.told } };
    }
    if (pathname === '/v1beta/files/film:download' && searchParams.get('alt') === 'media') {
      if (elsewhere === undefined) return fileAnswer(FILM, seen.headers.range, 'video/mp4');
      return { status: 302, body: '', headers: { location: elsewhere } };
    }
    return refuse(404, 'NOT_FOUND', `nothing at ${seen.method} ${pathname}`);
  });

  function create(body: Record<string, unknown>): MediaAnswer {
    const invalid = (message: string): MediaAnswer => refuse(400, 'INVALID_ARGUMENT', message);
    const { instances, parameters = {} } = body;
    const [odd] = strangers(body, ['instances', 'parameters']);
    if (odd !== undefined) return invalid(`Unknown name "${odd}"`);
    if (!Array.isArray(instances) || instances.length !== 1) return invalid('instances');
    const [instance] = instances as Record<string, unknown>[];
    const [stranger] = strangers(instance ?? {}, ['prompt', 'image', 'lastFrame', 'referenceImages', 'video']);
    if (stranger !== undefined) return invalid(`Unknown name "${stranger}" at 'instances[0]'`);
    const image = (instance?.image ?? { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }) as Record<string, unknown>;
    if (strangers(image, ['bytesBase64Encoded', 'mimeType']).length > 0) return invalid('image');
    if (typeof image.bytesBase64Encoded !== 'string' || image.bytesBase64Encoded.includes(',')) return invalid('image');
    const given = parameters as Record<string, unknown>;
    const [unknown] = strangers(given, PARAMETERS);
    if (unknown !== undefined) return invalid(`${unknown} isn't supported by this model`);
    const { durationSeconds, aspectRatio, resolution } = given;
    if (durationSeconds !== undefined && ![4, 6, 8].includes(durationSeconds as number))
      return invalid('durationSeconds');
    if (aspectRatio !== undefined && !['16:9', '9:16'].includes(String(aspectRatio))) return invalid('aspectRatio');
    if (resolution !== undefined && !['720p', '1080p', '4k'].includes(String(resolution))) return invalid('resolution');
    made.push(body);
    return { status: 200, body: { name } };
  }

  const operation: OperationFake = Object.assign(fake, { made, told: {} });
  return operation;
}
