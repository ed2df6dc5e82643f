export { type ConversingAsk, runsHere, serveBackground } from './background.js';
export { type BackgroundJobs, createBackgroundJobs } from './background-jobs.js';
export { compactsHere, serveCompact, serveCompaction } from './compaction.js';
export { openConversation } from './conversation.js';
export { openArchive } from './open-archive.js';
export { cancel, listInput, remove, retrieve } from './retrieval.js';
export type { ConversationServices } from './services.js';
