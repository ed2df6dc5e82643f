/** The messages dialect for `createFetch` of interlingua/fetch/core. */
export { messagesCaller as fromMessages, messagesService as toMessages } from '../../../translators/index.js';
