import { chatCompletions } from './chat-completions/index.js';
import type { Dialect } from './dialect.js';
import { generateContent } from './generate-content/index.js';
import { messages } from './messages/index.js';
import { responses } from './responses/index.js';
import { isObject } from './wire/json.js';

/** Every dialect there is. A new one is a folder and a line here. */
export const dialects = {
  messages,
  responses,
  generateContent,
  chatCompletions,
} as const satisfies Record<string, Dialect>;

/** The name of a dialect. */
export type DialectId = keyof typeof dialects;

export const dialectIds = Object.keys(dialects) as readonly DialectId[];

/** Whether a word is the id of a dialect. */
export function isDialectId(word: unknown): word is DialectId {
  return typeof word === 'string' && Object.hasOwn(dialects, word);
}

/** Where bodies of the dialect that a request came from have the bytes of media. */
export function mediaPathOf({ source }: { readonly source: string }): Dialect['mediaPath'] | undefined {
  return isDialectId(source) ? dialects[source].mediaPath : undefined;
}

/**
 * The dialect a request body is most likely written in, from the keys only one dialect has; undefined when none fits.
 * Where a body has the keys of several, the later dialect is taken: its keys are the rarer words. Dialects that share their
 * keys tell their bodies apart by what else these hold (chat-translation.md 8).
 */
export function detectDialect(body: unknown): DialectId | undefined {
  if (!isObject(body)) return undefined;
  const able = dialectIds.filter((id) => dialects[id].bodyKeys.some((key) => key in body));
  const likeness = (id: DialectId): number => dialects[id].likeness?.(body) ?? Number.POSITIVE_INFINITY;
  return able.reduce<DialectId | undefined>(
    (found, id) => (found === undefined || likeness(id) >= likeness(found) ? id : found),
    undefined,
  );
}
