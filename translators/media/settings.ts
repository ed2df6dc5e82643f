import type { Feature } from '../canonical/loss.js';
import type { FieldType } from './field-types.js';

/** A parameter of the image routes. */
interface Setting {
  readonly type: Exclude<FieldType, 'number'>;
  /** What it is about; absent for those that are the gateway's own affair. */
  readonly feature?: Feature;
  /** Values that ask for what every backend does anyway. */
  readonly plain?: readonly unknown[];
}

/** The parameters of the image routes, under their names on the wire. */
const IMAGE_SETTINGS = {
  n: { type: 'integer' },
  size: { type: 'text', feature: 'image.size', plain: ['auto'] },
  quality: { type: 'text', feature: 'image.quality', plain: ['auto', 'standard'] },
  style: { type: 'text', feature: 'image.style' },
  response_format: { type: 'text' },
  background: { type: 'text', feature: 'image.background', plain: ['auto', 'opaque'] },
  output_format: { type: 'text', feature: 'image.format', plain: ['png'] },
  output_compression: { type: 'integer', feature: 'image.format', plain: [100] },
  moderation: { type: 'text', feature: 'safety', plain: ['auto'] },
  input_fidelity: { type: 'text', feature: 'image.fidelity' },
  stream: { type: 'boolean' },
  // Fewer interim pictures than asked for are legal (media.md 1.2.5).
  partial_images: { type: 'integer' },
  user: { type: 'text', feature: 'user' },
  seed: { type: 'integer', feature: 'sampling.seed' },
  input_image: { type: 'text', feature: 'part.media' },
  aspect_ratio: { type: 'text', feature: 'image.size', plain: ['match_input_image'] },
  safety_tolerance: { type: 'integer', feature: 'safety' },
  prompt_upsampling: { type: 'boolean', feature: 'image.prompt', plain: [false] },
} as const satisfies Readonly<Record<string, Setting>>;

type Values = { readonly text: string; readonly integer: number; readonly boolean: boolean };

/** The parameters of an image request. Absent = the client did not set it. */
export type ImageSettings = {
  readonly [Name in keyof typeof IMAGE_SETTINGS]?: Values[(typeof IMAGE_SETTINGS)[Name]['type']];
};

/** Every parameter with what is known of it. */
export const settingEntries = Object.entries(IMAGE_SETTINGS) as readonly (readonly [keyof ImageSettings, Setting])[];
