import type { DialectId } from '../../translators/index.js';
import { chatCompletions } from './chat-completions.js';
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
  chatCompletions,
};

/** What the gateway knows of a dialect. */
export function gatewayDialect(id: DialectId): GatewayDialect {
  return RECORDS[id];
}

/** The same for all of them, in their order. A bundle for one dialect has this table, and not that of the library with all that it holds. */
export const gatewayDialects: readonly (GatewayDialect & { readonly id: DialectId })[] = (
  Object.keys(RECORDS) as DialectId[]
).map((id) => ({ ...RECORDS[id], id }));

/** Names of models that are known to make pictures or videos alone. */
const MEDIA_MODELS: ReadonlySet<string> = new Set(
  gatewayDialects.flatMap(({ simulatedMedia, service }) => [...simulatedMedia, ...Object.keys(service.neutral)]),
);

/** Those of some names that may be of models for conversations, in their order. */
export function conversing(names: readonly string[]): string[] {
  return names.filter((name) => !MEDIA_MODELS.has(name));
}

/** The dialect of callers who show no other, and of the routes for media (media.md 7). */
export const DEFAULT_DIALECT: DialectId = 'responses';
