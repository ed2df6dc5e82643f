import type { JsonObject } from '../canonical/node.js';
import { isObject } from './json.js';

/** What a body with a list `messages` shows of its dialect (translation.md 8, `detectDialect`). */
export type MessageMarks = {
  /** A message that bodies of no other dialect have; `first` = it begins the list. */
  message(message: JsonObject, first: boolean): boolean;
  /** Types of parts that messages of no other dialect have. */
  readonly parts: ReadonlySet<string>;
  /** Outermost keys that bodies of no other dialect have. */
  readonly keys: readonly string[];
  /** A tool as no other dialect declares it. */
  tool(tool: JsonObject): boolean;
  /** A choice of tools as no other dialect writes it. */
  choice(choice: unknown): boolean;
};

/** What the body is as a whole: a mark in a message says most, then one outside. */
export function markedBy(body: JsonObject, marks: MessageMarks): 'message' | 'key' | undefined {
  const list: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const inMessage = list.some(
    (message, index) =>
      isObject(message) && (marks.message(message, index === 0) || hasPart(message.content, marks.parts)),
  );
  if (inMessage) return 'message';
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const outside =
    marks.keys.some((key) => body[key] !== undefined) ||
    tools.some((tool) => isObject(tool) && marks.tool(tool)) ||
    marks.choice(body.tool_choice);
  return outside ? 'key' : undefined;
}

function hasPart(content: unknown, types: ReadonlySet<string>): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((part) => isObject(part) && typeof part.type === 'string' && types.has(part.type));
}
