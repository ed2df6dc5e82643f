import type { ClientCall } from '../web/index.js';
import type { HandlerKey } from './options.js';
import type { Recording } from './recording.js';
import type { HandlerSettings } from './settings.js';

/** One request of a client, with what it is answered by. */
export interface HandlerCall extends ClientCall {
  readonly handler: HandlerSettings;
  /** Who calls; absent where everybody may. */
  readonly key: HandlerKey | undefined;
  readonly recording: Recording;
}
