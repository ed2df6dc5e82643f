import { MADE } from './routes.js';
import { jsonOf, type MediaAnswer, type MediaFake, startMediaFake, strangers } from './server.js';

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];

function refuse(code: number, message: string): MediaAnswer {
  return { status: code, body: { error: { code, message, status: code === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT' } } };
}

/** What one call of an image model costs. */
const CONTENT_USAGE = {
  promptTokenCount: 12,
  candidatesTokenCount: 1290,
  thoughtsTokenCount: 10,
  totalTokenCount: 1312,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 8 },
    { modality: 'IMAGE', tokenCount: 4 },
  ],
  candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
};

/** A strict generateContent service with one model that makes pictures. */
export function startContentImages(model = 'gemini-image'): Promise<MediaFake> {
  return startMediaFake((seen) => {
    if (seen.path !== `/v1beta/models/${model}:generateContent`) return refuse(404, `no model at ${seen.path}`);
    const body = jsonOf(seen);
    const fault = faultIn(body);
    return fault === undefined ? answerOf() : refuse(400, fault);
  });
}

/** The answer of a model that made a picture, with what it said beside it. */
export function answerOf(text?: string): MediaAnswer {
  const image = { inlineData: { mimeType: 'image/png', data: MADE } };
  const thought = { thought: true, inlineData: { mimeType: 'image/png', data: 'dGhvdWdodA==' } };
  return {
    status: 200,
    body: {
      candidates: [
        {
          content: { role: 'model', parts: [thought, ...(text === undefined ? [] : [{ text }]), image] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: CONTENT_USAGE,
      modelVersion: 'gemini-image-001',
      responseId: 'r1',
    },
  };
}

function faultIn(body: Record<string, unknown>): string | undefined {
  const [stranger] = strangers(body, ['contents', 'generationConfig']);
  if (stranger !== undefined) return `Unknown name "${stranger}"`;
  const { contents, generationConfig: config = {} } = body;
  if (!Array.isArray(contents) || contents.length !== 1) return 'one content is expected';
  const { parts } = contents[0];
  if (!Array.isArray(parts) || typeof parts[0]?.text !== 'string' || parts[0].text === '') return 'no text';
  for (const part of parts.slice(1)) {
    const { mimeType, data } = part.inlineData ?? {};
    if (!/^image\/(png|jpeg|webp|gif)$/.test(mimeType)) return `Unsupported MIME type: ${mimeType}`;
    if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return 'Base64 decoding failed';
  }
  if (typeof config !== 'object' || config === null) return 'no config';
  const [odd] = strangers(config, ['responseModalities', 'imageConfig', 'seed']);
  if (odd !== undefined) return `Unknown name "${odd}" at 'generation_config'`;
  const { responseModalities, imageConfig = {} } = config as Record<string, unknown>;
  if (JSON.stringify(responseModalities) !== '["IMAGE"]') return 'the model makes pictures';
  if (typeof imageConfig !== 'object' || imageConfig === null) return 'no image config';
  const [setting] = strangers(imageConfig, ['aspectRatio', 'imageSize']);
  if (setting !== undefined) return `Unknown name "${setting}" at 'generation_config.image_config'`;
  const { aspectRatio, imageSize } = imageConfig as Record<string, unknown>;
  if (aspectRatio !== undefined && !RATIOS.includes(String(aspectRatio))) return `aspect ratio ${aspectRatio}`;
  if (imageSize !== undefined && !['1K', '2K', '4K'].includes(String(imageSize))) return `image size ${imageSize}`;
  return undefined;
}
