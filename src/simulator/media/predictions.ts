import { invalid, noRoute, notFound, parseBody } from '../errors.js';
import { type Exchange, json, type SimulatorAnswer } from '../http.js';
import { objectOf, objectsOf } from '../rules/index.js';
import { drawPicture } from './picture.js';
import { addVideo, filmOf, taskOf, type VideoTasks } from './videos.js';

/**
 * Serves predictions: pictures at once with `:predict` (media.md 5.4), videos as operations with `:predictLongRunning`
 * (media.md 4.2). No encoder of the library writes their answers: no client gets them in this form.
 */
export function servePredictions(exchange: Exchange, tasks: VideoTasks): SimulatorAnswer {
  const { method, path, headers } = exchange;
  const [, place = '', model = '', verb] = /^\/(.*models\/([^/]+)):(\w+)$/.exec(path) ?? [];
  if (verb === undefined) {
    if (method !== 'GET') throw noRoute(exchange);
    return json(encodeOperation(exchange, path.slice(1), tasks), headers);
  }
  const body = parseBody(exchange.text);
  if (verb === 'fetchPredictOperation') {
    return json(encodeOperation(exchange, String(body.operationName), tasks), headers);
  }
  const prompt = objectsOf(body.instances)[0]?.prompt;
  const parameters = objectOf(body.parameters);
  if (typeof prompt !== 'string' || prompt === '') {
    throw invalid('prompt: is required', '/instances/0/prompt');
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

/** The status of an operation, with the film of a finished one. */
function encodeOperation({ now }: Exchange, name: string, tasks: VideoTasks): object {
  const video = tasks.get(name.slice(name.lastIndexOf('/') + 1));
  if (video === undefined) throw notFound(`Operation ${name} not found.`);
  const { status, progress = 0, error } = taskOf(video, now);
  if (status === 'failed') return { name, done: true, error: { code: 3, message: error?.message } };
  if (status !== 'completed') return { name, metadata: { progressPercent: progress } };
  const made = { encodedVideo: filmOf(video).toString('base64'), encoding: 'video/mp4' };
  return { name, done: true, response: { generateVideoResponse: { generatedSamples: [{ video: made }] } } };
}
