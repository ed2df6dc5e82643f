/** The chatCompletions dialect for `createFetch` of interlingua/fetch/core. */
export {
  chatCompletionsCaller as fromChatCompletions,
  chatCompletionsService as toChatCompletions,
} from '../../../translators/index.js';
