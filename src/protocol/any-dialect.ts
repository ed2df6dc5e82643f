import { type DialectId, dialects } from '../../translators/index.js';
import type { ErrorReader } from './upstream-error.js';

/** What reads the errors of any dialect's services. */
export const anyErrors = (dialect: DialectId): ErrorReader => dialects[dialect];
