/** Writes lines of the log. */
export type { Logger } from 'pino';
