export {
  type AnswerSteps,
  asStream,
  breaks,
  endOfBytes,
  NO_ENDPOINT,
  readCount,
  STREAM_TYPES,
  type Transport,
  wholeAnswer,
} from './answers.js';
export { asksToExplain, type ExplainedRefusal, explanation } from './explained.js';
export { type CallSteps, type FailedTarget, type Refused, StreamRefusal, serveFirst } from './loop.js';
export { type RelayContext, type RelayedCall, relayedCall } from './relay.js';
export { createRelayedStream, type RelayedEnd, type RelayGate } from './relayed-stream.js';
export { type Decoded, decodeRequest, type GenerationRequest } from './request.js';
export { lossesOf, openExchange, type TranslationContext, translatedAsk } from './translation.js';
