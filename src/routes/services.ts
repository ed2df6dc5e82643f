import type { ConversationServices } from '../conversations/index.js';
import type { Access, GatewayState } from '../http/index.js';
import type { Live } from '../live/index.js';
import type { MediaServices } from '../media/index.js';
import type { Catalog, ModelStates } from '../models/index.js';
import type { Meter } from '../observe/index.js';
import type { Usage } from '../usage/index.js';

/** What routes work with. */
export interface RouteServices extends ConversationServices, MediaServices {
  readonly access: Access;
  readonly catalog: Catalog;
  readonly live: Live;
  readonly media: MediaServices['media'];
  readonly meter: Meter;
  readonly states: ModelStates;
  readonly usage: Usage;
  readonly state: GatewayState;
}
