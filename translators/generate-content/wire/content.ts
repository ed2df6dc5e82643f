import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

/** Any JSON object; its keys are never looked at here ([G §2.1.4]). */
export const struct = s.custom<JsonObject>(isObject, 'expected an object');
export const list = s.array(struct);
/** A list whose items are read one by one. */
export const items = s.custom<readonly unknown[]>(Array.isArray, 'expected a list');
export const words = s.array(s.string());

/** A whole number. */
export const whole = (...rules: readonly s.Rule[]) => s.number(s.whole('must be a whole number'), ...rules);
/** A word that decides what is asked, in either case: another is refused (translation.md 0.14). */
export const word = (...known: readonly string[]) =>
  s.string(
    s.rule(
      (given: string) => known.some((one) => one.toLowerCase() === given.toLowerCase()),
      `expected one of ${known.join(', ')}`,
    ),
  );

/** The data of a text part. */
export const text = s.string();

/** `Content` ([G §2.3]). */
export const content = s.object({ role: s.optional(s.string()), parts: s.optional(items) });

/** `inlineData`. */
export const blob = s.object({
  mimeType: s.optional(s.string()),
  data: s.string(),
  displayName: s.optional(s.string()),
});
/** `fileData`. */
export const fileData = s.object({
  fileUri: s.string(),
  mimeType: s.optional(s.string()),
  displayName: s.optional(s.string()),
});
/** Which part of a film is meant. */
export const videoMetadata = s.object({
  startOffset: s.optional(s.string()),
  endOffset: s.optional(s.string()),
  fps: s.optional(s.number()),
});
/** A call of a function of the client. */
export const functionCall = s.object({ name: s.string(), args: s.optional(struct), id: s.optional(s.string()) });
/** What the client says a call brought. */
export const functionResponse = s.object({
  name: s.optional(s.string()),
  response: s.optional(struct),
  id: s.optional(s.string()),
  parts: s.optional(list),
});
/** Code that the service runs. */
export const executableCode = s.object({
  language: s.optional(s.string()),
  code: s.optional(s.string()),
  id: s.optional(s.string()),
});
/** What its run brought. */
export const codeExecutionResult = s.object({
  outcome: s.optional(s.string()),
  output: s.optional(s.string()),
  id: s.optional(s.string()),
});
/** A call of a tool of the service. */
export const toolCall = s.object({
  id: s.optional(s.string()),
  toolType: s.optional(s.string()),
  args: s.optional(struct),
});
/** What that call brought. */
export const toolResponse = s.object({
  id: s.optional(s.string()),
  toolType: s.optional(s.string()),
  response: s.optional(struct),
});
/** What a part may have next to its data member ([G §2.4]). */
export const modifiers = s.object({ thought: s.optional(s.boolean()), thoughtSignature: s.optional(s.string()) });
