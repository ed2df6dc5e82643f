import { FEATURES } from './loss.js';

/** The names of all features. The list itself has a sentence for each, which no bundle needs for a check of names: the build writes what this comes to. */
export const FEATURE_NAMES: readonly string[] = Object.keys(FEATURES);
