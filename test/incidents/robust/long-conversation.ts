import type { DialectId } from '../../../translators/index.js';

/** A conversation of so many turns and about so many bytes of text, as a request of each dialect. */
export function longConversation(model: string, turns: number, bytes: number): Record<DialectId, object> {
  const text = 'Lorem "ipsum" dolör 🙂 sit amet,\n'.repeat(Math.ceil(bytes / turns / 36));
  const each = <T>(turn: (index: number) => T[]): T[] =>
    Array.from({ length: turns }, (_, index) => turn(index)).flat();
  return {
    messages: {
      model,
      max_tokens: 100,
      messages: each<object>((index) => {
        const id = `toolu_${index}`;
        switch (index % 4) {
          case 0:
            return [{ role: 'user', content: text }];
          case 1:
            return [
              {
                role: 'assistant',
                content: [
                  { type: 'text', text },
                  { type: 'tool_use', id, name: 'look', input: { path: `file ${index}`, depth: 3 } },
                ],
              },
            ];
          case 2:
            return [
              { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${index - 1}`, content: text }] },
            ];
          default:
            return [{ role: 'assistant', content: [{ type: 'text', text }] }];
        }
      }),
      tools: [{ name: 'look', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }],
    },
    responses: {
      model,
      input: each<object>((index) => {
        switch (index % 4) {
          case 0:
            return [{ role: 'user', content: text }];
          case 1:
            return [
              { role: 'assistant', content: [{ type: 'output_text', text }] },
              { type: 'function_call', call_id: `call_${index}`, name: 'look', arguments: `{"path":"file ${index}"}` },
            ];
          case 2:
            return [{ type: 'function_call_output', call_id: `call_${index - 1}`, output: text }];
          default:
            return [{ role: 'assistant', content: [{ type: 'output_text', text }] }];
        }
      }),
      tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false }],
    },
    generateContent: {
      contents: each<object>((index) => {
        switch (index % 4) {
          case 0:
            return [{ role: 'user', parts: [{ text }] }];
          case 1:
            return [
              { role: 'model', parts: [{ text }, { functionCall: { name: 'look', args: { path: `file ${index}` } } }] },
            ];
          case 2:
            return [{ role: 'user', parts: [{ functionResponse: { name: 'look', response: { result: text } } }] }];
          default:
            return [{ role: 'model', parts: [{ text }] }];
        }
      }),
      tools: [{ functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT', properties: {} } }] }],
    },
  };
}
