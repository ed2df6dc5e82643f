import type { Archive } from '../archive/index.js';
import type { ExchangeServices } from '../exchange/index.js';
import type { Redact } from '../ground/index.js';
import type { ExchangeWatch, Meter } from '../observe/index.js';
import type { Usage } from '../usage/index.js';
import type { BackgroundJobs } from './background-jobs.js';

/** What conversations need of the gateway. */
export interface ConversationServices extends ExchangeServices {
  /** Conversations; undefined when none are kept. */
  readonly archive: Archive | undefined;
  /** Answers that are made in the background. */
  readonly jobs: BackgroundJobs;
  readonly meter: Pick<Meter, 'passed' | 'called' | 'learned' | 'made'>;
  readonly usage: Pick<Usage, 'made'>;
  readonly live: Pick<ExchangeWatch, 'made'>;
  /** Removes from a text what must not be logged. */
  readonly hide: Redact;
  /** Something works with these parts from now on. */
  enter(): void;
  /** It does no more. */
  leave(): void;
}
