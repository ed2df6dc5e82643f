import { readData } from '../../support/frames.js';

/** What the data file of these laws has. */
export const VALUES = readData('laws/honesty/honesty.yaml');
