import fc from 'fast-check';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { DialectId } from '../../../translators/index.js';
import { known } from '../values.js';

const schema = { type: 'object', properties: {} };

/** Requests of a client that decide what it may be shown: with and without tools, thinking, documents. */
export function clientRequests(dialect: DialectId): fc.Arbitrary<JsonObject> {
  const flags = fc.record({ tools: fc.boolean(), thinks: fc.boolean(), documents: fc.nat({ max: 2 }) });
  return flags.map((chosen) => requestOf(dialect, chosen));
}

interface Flags {
  readonly tools: boolean;
  readonly thinks: boolean;
  readonly documents: number;
}

function requestOf(dialect: DialectId, { tools, thinks, documents }: Flags): JsonObject {
  switch (dialect) {
    case 'messages':
      return known({
        model: 'claude-sonnet-4-5',
        max_tokens: 4096,
        messages: [
          {
            role: 'user',
            content: [
              ...Array.from({ length: documents }, (_, index) => ({
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: `document ${index}` },
              })),
              { type: 'text', text: 'hi' },
            ],
          },
        ],
        tools: tools ? [{ name: 'look', input_schema: schema }] : undefined,
        thinking: thinks ? { type: 'enabled', budget_tokens: 1024 } : undefined,
      });
    case 'responses':
      return known({
        model: 'gpt-5',
        input: 'hi',
        metadata: { a: 'b' },
        tools: tools ? [{ type: 'function', name: 'look', parameters: schema, strict: false }] : undefined,
        reasoning: thinks ? { effort: 'low' } : undefined,
      });
    case 'generateContent':
      return known({
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: tools ? [{ functionDeclarations: [{ name: 'look' }] }] : undefined,
      });
  }
}
