import { readData } from '../../support/frames.js';
import type { Source } from './compare.js';

/** Schemas as generators and servers write them, made up in their manner. */
export const REAL_WORLD: Readonly<Record<string, Source>> = readData('laws/schema/real-world.yaml');
