export { type Access, checkOperator, createAccess } from './access.js';
export { answerFailure } from './answer-failure.js';
export { type BodyServices, type JsonBody, type Passes, readJson, withJson } from './body.js';
export {
  type CallRecord,
  createFacts,
  createRecord,
  credible,
  cutText,
  type Facts,
  noteAnswer,
  noteElsewhere,
  noteFirstByte,
  noteFirstToken,
  noteInner,
  noteLastToken,
  noteLosses,
  noteNext,
  noteTried,
  noteUpstream,
  settleAnswer,
  type Tried,
  WORDS_CHARACTERS,
} from './call-record.js';
export {
  type Admission,
  type ClientCall,
  type Counted,
  endLater,
  noteEnd,
  openCall,
  type Running,
  runFor,
  type Waiting,
} from './client-call.js';
export { connectionsOfSystem, countRequest, isSurplus, limitConnections, noteAdmitted } from './connections.js';
export {
  type Called,
  type Content,
  createSaid,
  isText,
  LOGGED_BYTES,
  redactorFor,
  type Said,
  saidText,
  takeContent,
  watchCalled,
  watchContent,
} from './content.js';
export { allowOrigins } from './cors.js';
export { costHeaders } from './cost.js';
export { EVENT_STREAM } from './event-stream.js';
export { type FormPart, writeForm } from './form-body.js';
export { type FormLimits, formLimits } from './form-limits.js';
export { checkShare, createHeldPlaces, type HeldPlaces, shareOfKey, sharerOf } from './held-places.js';
export { type Form, type FormFile, isForm, readForm } from './multipart.js';
export { type Offloader, OffloadRequest, type Served } from './offload-request.js';
export { createOpenCalls } from './open-calls.js';
export { answerHeaders } from './own-headers.js';
export { createGathered, type Gathered, lengthOf } from './pieces.js';
export { createPressure, type Pressure } from './pressure.js';
export { sendFailure, sendJson, sendWhole } from './send.js';
export { type Address, createHttpServer, isLocal, reachedAt, startListening, stopListening } from './server.js';
export { LARGE, printInSlices, serveOthers } from './slices.js';
export type { GatewayState } from './state.js';
export { classOf } from './status-class.js';
export { mayAsk, ownerOfKey, tagOf, tenantOf } from './tenant.js';
export { createTurns, takeTurn } from './turns.js';
export { cutUnreadBody } from './unread-body.js';
export { hasForeignHost, refusePages } from './web-pages.js';
