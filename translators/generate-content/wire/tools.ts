import { z } from 'zod';
import { struct, word, words } from './content.js';

/** A function of the client; its other schemas stay as they are. */
export const functionDeclaration = z.object({
  name: z.string().max(128, 'must have at most 128 characters'),
  description: z.string().optional(),
  parameters: struct.optional(),
  parametersJsonSchema: struct.optional(),
});
/** The tool choice. */
export const functionCallingConfig = z.object({
  mode: word('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED').optional(),
  allowedFunctionNames: words.optional(),
});
/** A server of tools that the service calls. */
export const mcpServer = z.object({
  name: z.string(),
  streamableHttpTransport: struct.optional(),
});
