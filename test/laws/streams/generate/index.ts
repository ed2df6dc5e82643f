import type fc from 'fast-check';
import type { DialectId } from '../../../../translators/index.js';
import type { WireStream } from './framing.js';
import { generateContentStream } from './generate-content.js';
import { messagesStream } from './messages.js';
import { responsesStream } from './responses.js';

/** Streams that a backend of each dialect may send, written from the wire sheets. */
export const streamsOf: Record<DialectId, fc.Arbitrary<WireStream>> = {
  messages: messagesStream,
  responses: responsesStream,
  generateContent: generateContentStream,
};
