import { type DialectId, dialectIds } from '../../translators/index.js';
import type { GatewayDialect } from './dialect.js';
import { generateContent } from './generate-content.js';
import { messages } from './messages.js';
import { responses } from './responses.js';

export {
  type GatewayDialect,
  IMAGES_FORMS,
  type ImagesForm,
  KEY_FORMS,
  type KeyForm,
  VIDEOS_FORMS,
  type VideosForm,
} from './dialect.js';

/** The one table of dialects in the gateway. */
const RECORDS: Readonly<Record<DialectId, GatewayDialect>> = {
  messages,
  responses,
  generateContent,
};

/** What the gateway knows of a dialect. */
export function gatewayDialect(id: DialectId): GatewayDialect {
  return RECORDS[id];
}

/** The same for all of them, in the order of the library. */
export const gatewayDialects: readonly (GatewayDialect & { readonly id: DialectId })[] = dialectIds.map((id) => ({
  ...RECORDS[id],
  id,
}));

/** The dialect of callers who show no other, and of the routes for media (media.md 7). */
export const DEFAULT_DIALECT: DialectId = 'responses';
