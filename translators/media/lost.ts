import type { Losses } from '../canonical/loss.js';
import { pointer } from '../wire/pointer.js';
import type { ImageRequest } from './image.js';
import { type ImageSettings, settingEntries } from './settings.js';

/** Reports the settings and extra fields that a backend gets nothing of. */
export function loseSettings(request: ImageRequest, carried: readonly (keyof ImageSettings)[], losses: Losses): void {
  const { settings, extras } = request;
  for (const [name, { feature, plain = [] }] of settingEntries) {
    const value = settings[name];
    if (value === undefined || feature === undefined || carried.includes(name) || plain.includes(value)) continue;
    losses.add(pointer(name), feature, 'dropped', 'the backend takes no such setting');
  }
  for (const name of extras) losses.add(pointer(name), `ext.${name}`, 'dropped', 'no family of image models knows it');
}
