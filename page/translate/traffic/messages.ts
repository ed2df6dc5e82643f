import type { Progress, Report } from '../../../src/migrate/plain/index.js';
import type { Target } from '../targets/target.js';

/** What the worker is asked for: the reports of a file, or an end of the reading. */
export type Asked =
  | { readonly type: 'start'; readonly file: File; readonly targets: readonly Target[] }
  | { readonly type: 'stop' };

/** What the worker says. The reports of one target come together; each is of one dialect that was found in the file. */
export type Told =
  | ({ readonly type: 'progress' } & Progress)
  | { readonly type: 'reports'; readonly target: Target; readonly reports: readonly Report[] }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string };
