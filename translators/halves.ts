/** The halves of dialects as hosts take them. A file apart from the table of whole dialects, with which a bundle would hold all of these. */
export { chatCompletionsCaller } from './chat-completions/caller.js';
export { chatCompletionsService } from './chat-completions/service.js';
export { generateContentCaller } from './generate-content/caller.js';
export { generateContentService } from './generate-content/service.js';
export { messagesCaller } from './messages/caller.js';
export { messagesService } from './messages/service.js';
export { responsesCaller } from './responses/caller.js';
export { responsesService } from './responses/service.js';
