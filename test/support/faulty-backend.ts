export { CERTIFICATE } from './faulty-backend/certificate.js';
export { type Asked, type FaultyBackend, startFaultyBackend } from './faulty-backend/server.js';
export {
  framesOf,
  inChunks,
  LAST_CHUNK,
  messageHead,
  openingOf,
  rawAnswer,
  streamHead,
} from './faulty-backend/wire.js';
