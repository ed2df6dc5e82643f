import { MADE } from './routes.js';
import { jsonOf, type MediaAnswer, type MediaFake, startMediaFake, strangers } from './server.js';

const PARAMETERS = ['sampleCount', 'aspectRatio', 'seed', 'addWatermark', 'outputOptions', 'includeRaiReason'];

function refuse(code: number, message: string): MediaAnswer {
  return { status: code, body: { error: { code, message, status: code === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT' } } };
}

/** A strict predict service with one model. */
export function startPredict(model: string): Promise<MediaFake> {
  return startMediaFake((seen) => {
    if (seen.path !== `/v1beta/models/${model}:predict`) return refuse(404, `no model at ${seen.path}`);
    const body = jsonOf(seen);
    const [stranger] = strangers(body, ['instances', 'parameters']);
    if (stranger !== undefined) return refuse(400, `Unknown name "${stranger}"`);
    const parameters = body.parameters as Record<string, unknown>;
    const [odd] = strangers(parameters, PARAMETERS);
    if (odd !== undefined) return refuse(400, `Unknown name "${odd}" at 'parameters'`);
    const { sampleCount, aspectRatio, seed, addWatermark } = parameters;
    const n = Number(sampleCount);
    if (!(n >= 1 && n <= 4)) return refuse(400, `sampleCount ${sampleCount}`);
    if (aspectRatio !== undefined && !['1:1', '9:16', '16:9', '3:4', '4:3'].includes(String(aspectRatio))) {
      return refuse(400, `aspectRatio ${aspectRatio}`);
    }
    if (seed !== undefined && addWatermark !== false) return refuse(400, 'seed needs addWatermark false');
    const prediction = { bytesBase64Encoded: MADE, mimeType: 'image/png', prompt: 'a better prompt' };
    return { status: 200, body: { predictions: Array.from({ length: n }, () => prediction) } };
  });
}
