import { isObject } from '../../json.js';
import { noRoute, parseBody, Refusal } from '../errors.js';
import { type Exchange, json, type SimulatorAnswer } from '../http.js';
import { drawPicture } from './picture.js';
import { addVideo, filmOf, taskOf, type VideoTasks } from './videos.js';

/**
 * Serves predictions: pictures at once with `:predict` (media.md 5.4), videos as operations with `:predictLongRunning`
 * (media.md 4.2). No encoder of the library writes their answers: no client is told of them in this form.
 */
export function servePredictions(exchange: Exchange, tasks: VideoTasks): SimulatorAnswer {
  const { method, path, headers } = exchange;
  const [, place = '', model = '', verb] = /^\/(.*models\/([^/]+)):(\w+)$/.exec(path) ?? [];
  if (verb === undefined) {
    if (method !== 'GET') throw noRoute(exchange);
    return json(told(exchange, path.slice(1), tasks), headers);
  }
  const body = objectIn(parseBody(exchange.text));
  if (verb === 'fetchPredictOperation') {
    return json(told(exchange, String(body.operationName), tasks), headers);
  }
  const instance = objectIn(Array.isArray(body.instances) ? body.instances[0] : undefined);
  const parameters = objectIn(body.parameters);
  const { prompt } = instance;
  if (typeof prompt !== 'string' || prompt === '') {
    throw new Refusal({ kind: 'invalid_request', message: 'prompt: is required', path: '/instances/0/prompt' });
  }
  const ratio = typeof parameters.aspectRatio === 'string' ? parameters.aspectRatio : undefined;
  if (verb === 'predictLongRunning') {
    const seconds = String(parameters.durationSeconds ?? '8');
    const size = ratio === '9:16' ? '720x1280' : '1280x720';
    const { id } = addVideo(exchange, tasks, { model: decodeURIComponent(model), prompt, seconds, size });
    return json({ name: `${place}/operations/${id}` }, headers);
  }
  const count = Math.min(4, Number(parameters.sampleCount) || 1);
  const predictions = Array.from({ length: count }, (_one, index) => ({
    bytesBase64Encoded: drawPicture(prompt, ratio, index).toString('base64'),
    mimeType: 'image/png',
  }));
  return json({ predictions }, headers);
}

/** Where an operation stands. */
function told({ now }: Exchange, name: string, tasks: VideoTasks): object {
  const video = tasks.get(name.slice(name.lastIndexOf('/') + 1));
  if (video === undefined) throw new Refusal({ kind: 'not_found', message: `Operation ${name} not found.` });
  const { status, progress = 0, error } = taskOf(video, now);
  if (status === 'failed') return { name, done: true, error: { code: 3, message: error?.message } };
  if (status !== 'completed') return { name, metadata: { progressPercent: progress } };
  const made = { encodedVideo: filmOf(video).toString('base64'), encoding: 'video/mp4' };
  return { name, done: true, response: { generateVideoResponse: { generatedSamples: [{ video: made }] } } };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
