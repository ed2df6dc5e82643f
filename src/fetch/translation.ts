import type { EncodedRequest, Exchange, Losses } from '../../translators/index.js';
import type { FetchRequest } from './request.js';
import type { Answered } from './send.js';
import type { Asked } from './transport.js';

/** One exchange with a backend of another dialect. */
export interface Translation extends Asked {
  readonly ask: FetchRequest;
  readonly exchange: Exchange;
  readonly losses: Losses;
  /** Calls the backend. Rejects with the client's error unless it succeeds. */
  request(sent: EncodedRequest): Promise<Answered>;
  /** The answer is complete. */
  complete(): void;
}
