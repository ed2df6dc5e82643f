/** The generateContent dialect for `createFetch` of interlingua/fetch/core. */
export {
  generateContentCaller as fromGenerateContent,
  generateContentService as toGenerateContent,
} from '../../../translators/index.js';
