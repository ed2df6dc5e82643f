import { type MigrateOptions, migrate as readAll } from './plain/index.js';

export { type BatchJob, createBatchTranslator, isOneBody, modelIn, type TranslatedLine } from './batch.js';
export {
  entriesOf,
  htmlOf,
  jsonOf,
  markdownOf,
  oneLine,
  type Progress,
  type Report,
  type Source,
  type Target,
  tableOf,
  targetAt,
} from './plain/index.js';
export { SourceError, sourceOf, streamSource } from './read.js';

/** What is to be looked at by a program of Node.js. */
export type ReadOptions = Omit<MigrateOptions, 'pause'>;

/** `migrate` of the plain room, which gives the loop of Node.js its turn. */
export const migrate = (options: ReadOptions): ReturnType<typeof readAll> =>
  readAll({ ...options, pause: () => new Promise((resolve) => setImmediate(resolve)) });
