import type { Backends } from '../backend/index.js';
import type { Config, Targets } from '../config/index.js';
import type { Blobs, Fetcher } from '../downloads/index.js';
import type { ClientRedactor, Logger } from '../ground/index.js';
import type { BodyServices, GatewayState } from '../http/index.js';
import type { Catalog, Models } from '../models/index.js';
import type { Meter, Tracer } from '../observe/index.js';

/** What an exchange needs of the gateway. */
export interface ExchangeServices extends BodyServices {
  readonly config: Config;
  readonly state: BodyServices['state'] & Pick<GatewayState, 'insecure'>;
  readonly backends: Backends;
  readonly targets: Targets;
  readonly catalog: Pick<Catalog, 'known'>;
  readonly models: Models;
  readonly logger: Logger;
  readonly meter: Pick<Meter, 'passed' | 'called' | 'learned'>;
  readonly tracer: Pick<Tracer, 'called'>;
  readonly redact: ClientRedactor;
  readonly media: { readonly fetcher: Fetcher; readonly blobs: Blobs };
}
