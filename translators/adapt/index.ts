export {
  type ClientToolRules,
  COMPUTER,
  type RenderedCall,
  rawAction,
  readRawAction,
  type WriteOptions,
} from '../target/client-tool-rules.js';
export { argumentsOf, parseArguments, rawArguments } from './arguments.js';
export {
  documentAsText,
  fitResultContent,
  resultAsText,
  searchResultAsText,
  textFor,
} from './as-text.js';
export {
  type ClientToolAnswers,
  createClientToolAnswers,
  DEFAULT_DISPLAY,
  declaredDisplay,
  substituteFor,
} from './client-tools/index.js';
export { budgetOf, EFFORTS, effortOf, isEffort, nearestEffort } from './effort.js';
export { FINAL_ANSWER, mayAnswerByCall } from './final-answer.js';
export {
  createFit,
  dropPart,
  dropWith,
  fitCall,
  fitOpaqueResult,
  inlineFetched,
  keepPart,
  listFitted,
  omitMedia,
  refusePart,
} from './fit.js';
export { showsForFree } from './free-thoughts.js';
export * from './host/index.js';
export { pictureOf } from './hosted.js';
export { reportHostedCall, reportHostedResult, untoldKeys } from './hosted-answers.js';
export { legalCallId, mintAnswerCallId, mintTailedCallId } from './ids.js';
export { asksForMore } from './include.js';
export { closedToLogprobs, decodeLogprobs, encodeLogprobs, reportLogprobs, topSent } from './logprobs.js';
export { dropAnswered, dropExtras, dropForeign, dropTool, furtherKeys, INSIDE, keepRest } from './losses.js';
export { createNames } from './names.js';
export { isStandIn, noteText } from './notes.js';
export { laterBeginnings } from './oldest-turns.js';
export {
  breakpointOf,
  cacheOptionsOf,
  cacheSenders,
  idOf,
  readCacheOptions,
  readRetention,
  reportLives,
  reportLostMarks,
  retentionOf,
  sameTier,
} from './one-vendor.js';
export { createOpenCalls } from './open-calls.js';
export { opensWithJson, schemaInWords, schemaName, schemaOfWords } from './output.js';
export { pictureDetail } from './picture-detail.js';
export { pictureLink } from './picture-link.js';
export { adaptRequest } from './request.js';
export { type Requirements, requirements } from './requirements.js';
export { createRestorer, type Restorer } from './restore.js';

export { searchPlace } from './search-place.js';
export { callWords, fingerprint, packState, restoreOwnState } from './state.js';
export { createStopCut, cutResponse } from './stop.js';
export { packSummary, renderSummary, unpackSummary } from './summary.js';
export { createToolIndex, createToolRefs, type ToolRefs } from './tool-refs.js';
export { adaptNamed } from './tools.js';
export { createThoughtFilter, type ThoughtFilter } from './unwanted-thoughts.js';
export { createUnwrapper, mayWrapCalls, unwrapCalls } from './wrapped-calls.js';
