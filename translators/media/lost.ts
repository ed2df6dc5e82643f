import type { Feature, Losses } from '../canonical/loss.js';
import { pointer } from '../wire/pointer.js';
import type { ImageRequest, ImageSettings } from './image.js';

/** What a setting is about; undefined for those that are the gateway's own affair. */
const FEATURES_OF = {
  n: undefined,
  response_format: undefined,
  stream: undefined,
  // Fewer interim pictures than asked for are legal (media.md 1.2.5).
  partial_images: undefined,
  size: 'image.size',
  aspect_ratio: 'image.size',
  quality: 'image.quality',
  style: 'image.style',
  background: 'image.background',
  output_format: 'image.format',
  output_compression: 'image.format',
  moderation: 'safety',
  safety_tolerance: 'safety',
  input_fidelity: 'image.fidelity',
  user: 'user',
  seed: 'sampling.seed',
  input_image: 'part.media',
  prompt_upsampling: 'image.prompt',
} as const satisfies Record<keyof Required<ImageSettings>, Feature | undefined>;

/** Values that ask for what every backend does anyway. */
const PLAIN: Readonly<Record<string, readonly unknown[]>> = {
  size: ['auto'],
  aspect_ratio: ['match_input_image'],
  quality: ['auto', 'standard'],
  background: ['auto', 'opaque'],
  output_format: ['png'],
  output_compression: [100],
  moderation: ['auto'],
  prompt_upsampling: [false],
};

/** Reports the settings and extra fields that a backend gets nothing of. */
export function loseSettings(request: ImageRequest, carried: readonly (keyof ImageSettings)[], losses: Losses): void {
  const { settings, extras } = request;
  for (const name of Object.keys(FEATURES_OF) as (keyof ImageSettings)[]) {
    const value = settings[name];
    const feature = FEATURES_OF[name];
    if (value === undefined || feature === undefined || carried.includes(name)) continue;
    if (PLAIN[name]?.includes(value) === true) continue;
    losses.add(pointer(name), feature, 'dropped', 'the backend takes no such setting');
  }
  for (const name of extras) losses.add(pointer(name), `ext.${name}`, 'dropped', 'no family of image models knows it');
}
