import type { CanonicalError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import { formatSse } from '../wire/sse.js';
import { encodeUsage } from './answer.js';
import { encodeMediaError } from './errors.js';
import type { ImageOperation } from './families.js';
import type { ImageManner, ImageUsage } from './image.js';
import type { ImageSettings } from './settings.js';

/** One picture on its way to a client. */
export interface ImageFrame {
  readonly base64: string;
  /** Absent = the finished picture. */
  readonly index?: number;
  readonly usage?: ImageUsage;
  readonly manner?: ImageManner;
}

/** Writes the frames of a streamed image request (media.md 1.2). */
export interface ImageFrames {
  frame(frame: ImageFrame): string;
  error(error: CanonicalError): string;
}

/** Frames for a route and what was asked for; `now` in Unix seconds. */
export function createImageFrames(operation: ImageOperation, settings: ImageSettings, now: () => number): ImageFrames {
  const prefix = operation === 'generate' ? 'image_generation' : 'image_edit';
  return {
    frame({ base64, index, usage, manner = {} }) {
      const type = `${prefix}.${index === undefined ? 'completed' : 'partial_image'}`;
      const body: JsonObject = {
        type,
        b64_json: base64,
        ...(index !== undefined && { partial_image_index: index }),
        created_at: now(),
        size: manner.size ?? settings.size ?? 'auto',
        quality: manner.quality ?? settings.quality ?? 'auto',
        background: manner.background ?? settings.background ?? 'auto',
        output_format: manner.output_format ?? settings.output_format ?? 'png',
        ...(index === undefined && { usage: encodeUsage(usage ?? NOTHING) }),
      };
      return formatSse(type, JSON.stringify(body));
    },
    error(error) {
      const { body } = encodeMediaError('images', error, {});
      return formatSse('error', JSON.stringify({ type: 'error', ...body }));
    },
  };
}

/** The field is never absent in the schema of the frame. */
const NOTHING: ImageUsage = { input: 0, output: 0, total: 0, inputText: 0, inputImage: 0 };

/** Whether a frame of the routes' own streams is a finished picture. */
export function isFinishedFrame(event: string, data: string): boolean {
  return /^image_(?:generation|edit)\.completed$/.test(event) || FINISHED.test(data);
}

const FINISHED = /"type"\s*:\s*"image_(?:generation|edit)\.completed"/;
