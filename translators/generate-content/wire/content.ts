import { z } from 'zod';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

/** Any JSON object; its keys are never looked at here ([G §2.1.4]). */
export const struct = z.custom<JsonObject>(isObject, 'expected an object');
export const list = z.array(struct);
/** A list whose items are read one by one. */
export const items = z.custom<readonly unknown[]>(Array.isArray, 'expected a list');
export const words = z.array(z.string());

export const whole = z.number().int('must be a whole number');
/** A word that decides what is asked, in either case: another is refused (translation.md 0.14). */
export const word = (...known: readonly string[]) =>
  z.string().refine((given) => known.some((one) => one.toLowerCase() === given.toLowerCase()), {
    error: `expected one of ${known.join(', ')}`,
  });

/** The data of a text part. */
export const text = z.string();

/** `Content` ([G §2.3]). */
export const content = z.object({ role: z.string().optional(), parts: items.optional() });

/** `inlineData`. */
export const blob = z.object({ mimeType: z.string().optional(), data: z.string(), displayName: z.string().optional() });
/** `fileData`. */
export const fileData = z.object({
  fileUri: z.string(),
  mimeType: z.string().optional(),
  displayName: z.string().optional(),
});
/** Which part of a film is meant. */
export const videoMetadata = z.object({
  startOffset: z.string().optional(),
  endOffset: z.string().optional(),
  fps: z.number().optional(),
});
/** A call of a function of the client. */
export const functionCall = z.object({ name: z.string(), args: struct.optional(), id: z.string().optional() });
/** What the client says a call brought. */
export const functionResponse = z.object({
  name: z.string().optional(),
  response: struct.optional(),
  id: z.string().optional(),
  parts: list.optional(),
});
/** Code that the service runs. */
export const executableCode = z.object({
  language: z.string().optional(),
  code: z.string().optional(),
  id: z.string().optional(),
});
/** What its run brought. */
export const codeExecutionResult = z.object({
  outcome: z.string().optional(),
  output: z.string().optional(),
  id: z.string().optional(),
});
/** A call of a tool of the service. */
export const toolCall = z.object({
  id: z.string().optional(),
  toolType: z.string().optional(),
  args: struct.optional(),
});
/** What that call brought. */
export const toolResponse = z.object({
  id: z.string().optional(),
  toolType: z.string().optional(),
  response: struct.optional(),
});
/** What a part may have next to its data member ([G §2.4]). */
export const modifiers = z.object({ thought: z.boolean().optional(), thoughtSignature: z.string().optional() });
