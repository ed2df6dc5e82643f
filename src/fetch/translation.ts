import type { EncodedRequest, Exchange, Losses } from '../../translators/index.js';
import type { Ask } from './ask.js';
import type { Call } from './call.js';
import type { Answered } from './send.js';

/** One exchange with a backend of another dialect. */
export interface Translation {
  readonly call: Call;
  readonly ask: Ask;
  readonly exchange: Exchange;
  readonly losses: Losses;
  /** Calls the backend. Rejects with the client's error unless it succeeds. */
  request(sent: EncodedRequest): Promise<Answered>;
  /** The answer is complete. */
  complete(): void;
}
