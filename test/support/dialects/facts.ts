import { readData } from '../frames.js';
import type { DialectFacts } from './record.js';

/** What the tests know of the dialect that has this folder. */
export function factsOf(folder: string): DialectFacts {
  return { ...readData(`support/dialects/${folder}.yaml`), folder };
}
