import * as s from '../../wire/schema.js';
import { struct, word, words } from './content.js';

/** A function of the client; its other schemas stay as they are. */
export const functionDeclaration = s.object({
  name: s.string(s.maxLength(128, 'must have at most 128 characters')),
  description: s.optional(s.string()),
  parameters: s.optional(struct),
  parametersJsonSchema: s.optional(struct),
});
/** The tool choice. */
export const functionCallingConfig = s.object({
  mode: s.optional(word('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED')),
  allowedFunctionNames: s.optional(words),
});
/** A server of tools that the service calls. */
export const mcpServer = s.object({
  name: s.string(),
  streamableHttpTransport: s.optional(struct),
});
