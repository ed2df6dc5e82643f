export { htmlOf } from './html.js';
export { markdownOf } from './markdown.js';
export { type MigrateOptions, migrate, type Progress } from './migrate.js';
export { type Source, SourceError, sourceOf } from './read.js';
export type { Report } from './report.js';
export { tableOf } from './table.js';
export type { Target } from './target.js';
export { jsonOf } from './words.js';
