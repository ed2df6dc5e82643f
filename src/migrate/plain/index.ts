/** What of a migration report needs no Node.js: reading of entries, counting, and the forms of a report. Browsers take it from here. */
export { calledBy } from './called.js';
export { entriesOf } from './entries.js';
export { type Exchange, understand } from './exchange.js';
export { htmlOf } from './html.js';
export { markdownOf } from './markdown.js';
export { type MigrateOptions, migrate, migrateAll, type Progress, type Way } from './migrate.js';
export type { Report } from './report.js';
export { isGzip, type Reading, type Source } from './source.js';
export { tableOf } from './table.js';
export { type Target, targetAt } from './target.js';
export {
  beyondText,
  byText,
  firstText,
  grouped,
  homeTitle,
  jsonOf,
  meaningOf,
  modelText,
  oneLine,
  percent,
  placeText,
  summaryOf,
  targetsOf,
  targetText,
  timesText,
  unreadTitle,
  WAYS,
} from './words.js';
