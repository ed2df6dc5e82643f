/** The responses dialect for `createFetch` of interlingua/fetch/core. */
export { responsesCaller as fromResponses, responsesService as toResponses } from '../../../translators/index.js';
