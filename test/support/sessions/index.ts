import type { FakeDialectName } from '../fake-backend/index.js';
import { createChatCompletionsSession } from './chat-completions.js';
import { createGenerateContentSession } from './generate-content.js';
import { createMessagesSession } from './messages.js';
import { createResponsesSession } from './responses.js';
import type { Session, SessionOptions } from './session.js';

export { type DescribedError, describeError } from './errors.js';
export type { Session, SessionOptions, ToolSpec, TurnUsage } from './session.js';

const DRIVERS = {
  messages: createMessagesSession,
  responses: createResponsesSession,
  generateContent: createGenerateContentSession,
  chatCompletions: createChatCompletionsSession,
} satisfies Record<FakeDialectName, (url: string, options: SessionOptions) => Session>;

/**
 * A conversation through the official SDK of a dialect, pointed at `url`, without repeats after failures. The session
 * keeps the SDK's own native history.
 */
export function createSession(dialect: FakeDialectName, url: string, options: SessionOptions): Session {
  return DRIVERS[dialect](url, options);
}
