import type { Attempt, ExchangeServices } from '../exchange/index.js';
import type { Media } from './parts.js';

/** What the routes for pictures and videos need of the gateway. */
export interface MediaServices extends ExchangeServices {
  readonly media: Media;
}

/** One try to have a request for pictures or a video served by a target. */
export type MediaAttempt = Attempt<MediaServices>;
