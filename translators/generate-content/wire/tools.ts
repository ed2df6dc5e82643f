import * as z from 'zod/mini';
import { struct, word, words } from './content.js';

/** A function of the client; its other schemas stay as they are. */
export const functionDeclaration = z.object({
  name: z.string().check(z.maxLength(128, 'must have at most 128 characters')),
  description: z.optional(z.string()),
  parameters: z.optional(struct),
  parametersJsonSchema: z.optional(struct),
});
/** The tool choice. */
export const functionCallingConfig = z.object({
  mode: z.optional(word('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED')),
  allowedFunctionNames: z.optional(words),
});
/** A server of tools that the service calls. */
export const mcpServer = z.object({
  name: z.string(),
  streamableHttpTransport: z.optional(struct),
});
