import * as z from 'zod/mini';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

/** Any JSON object; its keys are never looked at here ([G §2.1.4]). */
export const struct = z.custom<JsonObject>(isObject, 'expected an object');
export const list = z.array(struct);
/** A list whose items are read one by one. */
export const items = z.custom<readonly unknown[]>(Array.isArray, 'expected a list');
export const words = z.array(z.string());

export const whole = z.number().check(z.int('must be a whole number'));
/** A word that decides what is asked, in either case: another is refused (translation.md 0.14). */
export const word = (...known: readonly string[]) =>
  z.string().check(
    z.refine((given) => known.some((one) => one.toLowerCase() === given.toLowerCase()), {
      error: `expected one of ${known.join(', ')}`,
    }),
  );

/** The data of a text part. */
export const text = z.string();

/** `Content` ([G §2.3]). */
export const content = z.object({ role: z.optional(z.string()), parts: z.optional(items) });

/** `inlineData`. */
export const blob = z.object({
  mimeType: z.optional(z.string()),
  data: z.string(),
  displayName: z.optional(z.string()),
});
/** `fileData`. */
export const fileData = z.object({
  fileUri: z.string(),
  mimeType: z.optional(z.string()),
  displayName: z.optional(z.string()),
});
/** Which part of a film is meant. */
export const videoMetadata = z.object({
  startOffset: z.optional(z.string()),
  endOffset: z.optional(z.string()),
  fps: z.optional(z.number()),
});
/** A call of a function of the client. */
export const functionCall = z.object({ name: z.string(), args: z.optional(struct), id: z.optional(z.string()) });
/** What the client says a call brought. */
export const functionResponse = z.object({
  name: z.optional(z.string()),
  response: z.optional(struct),
  id: z.optional(z.string()),
  parts: z.optional(list),
});
/** Code that the service runs. */
export const executableCode = z.object({
  language: z.optional(z.string()),
  code: z.optional(z.string()),
  id: z.optional(z.string()),
});
/** What its run brought. */
export const codeExecutionResult = z.object({
  outcome: z.optional(z.string()),
  output: z.optional(z.string()),
  id: z.optional(z.string()),
});
/** A call of a tool of the service. */
export const toolCall = z.object({
  id: z.optional(z.string()),
  toolType: z.optional(z.string()),
  args: z.optional(struct),
});
/** What that call brought. */
export const toolResponse = z.object({
  id: z.optional(z.string()),
  toolType: z.optional(z.string()),
  response: z.optional(struct),
});
/** What a part may have next to its data member ([G §2.4]). */
export const modifiers = z.object({ thought: z.optional(z.boolean()), thoughtSignature: z.optional(z.string()) });
