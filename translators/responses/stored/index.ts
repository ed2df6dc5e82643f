/** What a host needs that keeps answers of the dialect: pure parts of stored conversations (docs/internals/decisions/0002). */
export * from './background.js';
export * from './compaction.js';
export * from './frames.js';
export * from './history.js';
export * from './items.js';
export * from './page.js';
export * from './records.js';
