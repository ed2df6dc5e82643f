import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, OutputFormat } from '../canonical/request.js';
import { hash32 } from '../wire/hash.js';

/**
 * The name of an answer's schema where every schema has one; one that is not legal gets the form that tool names get
 * (translation.md 2.7).
 */
export function schemaName(output: OutputFormat, losses: Losses): string {
  const { name } = output;
  if (name === undefined || name === '') {
    losses.add(output, 'output.name', 'invented', 'every schema needs a name');
    return 'response';
  }
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  losses.add(output, 'output.name', 'approximated', 'the name was not legal');
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 55)}_${hash32(name, 8)}`;
}

/** A list of words to choose from, as a schema with an object at its root (translation.md 2.10). */
export function schemaOfWords({ enum: words = [] }: OutputFormat): JsonObject {
  return { type: 'object', properties: { value: { type: 'string', enum: words } }, required: ['value'] };
}

/**
 * Whether the user's first words speak of JSON: some services answer in it only when a message does [R §3.29]. Later ones
 * are not asked, because what leads the conversation must stay the same as it grows (translation.md 0.12).
 */
export function opensWithJson({ turns: [first] }: CanonicalRequest): boolean {
  return first?.role === 'user' && first.parts.some((part) => part.kind === 'text' && /json/i.test(part.text));
}

/** The words that ask for a form where nothing else can (translation.md 2.10, E2): any JSON object without a schema. */
export function schemaInWords(schema: JsonObject | undefined): string {
  if (schema === undefined) return 'Reply with one JSON object and nothing else.';
  return `Reply with one JSON value that validates against this schema and nothing else.\n${JSON.stringify(schema)}`;
}
