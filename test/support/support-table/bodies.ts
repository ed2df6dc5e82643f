/** The smallest requests of each dialect, and wrappers that put something into them. */

type Fields = Record<string, unknown>;

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = 'JVBERi0=';
export const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};

export const hi = { role: 'user', content: 'hi' };
const hiContent = { role: 'user', parts: [{ text: 'hi' }] };

/** Fields at the top of a request. */
export const m = (fields: Fields = {}): Fields => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 32_000,
  messages: [hi],
  ...fields,
});
export const r = (fields: Fields = {}): Fields => ({
  model: 'gpt-5',
  max_output_tokens: 32_000,
  input: [hi],
  ...fields,
});
export const g = (fields: Fields = {}): Fields => ({
  contents: [hiContent],
  generationConfig: { maxOutputTokens: 32_000 },
  ...fields,
});
export const gConfig = (fields: Fields): Fields => g({ generationConfig: { maxOutputTokens: 32_000, ...fields } });

export const h = (fields: Fields = {}): Fields => ({
  model: 'gpt-4.1',
  max_completion_tokens: 32_000,
  messages: [hi],
  ...fields,
});

/** A user turn of these blocks or parts. */
export const mUser = (...content: Fields[]): Fields => m({ messages: [{ role: 'user', content }] });
export const rUser = (...content: Fields[]): Fields => r({ input: [{ role: 'user', content }] });
export const gUser = (...parts: Fields[]): Fields => g({ contents: [{ role: 'user', parts }] });
export const hUser = (...content: Fields[]): Fields => h({ messages: [{ role: 'user', content }] });

export const TOOL = {
  messages: { name: 'f', description: 'd', input_schema: SCHEMA },
  responses: { type: 'function', name: 'f', description: 'd', parameters: SCHEMA, strict: false },
  generateContent: { name: 'f', description: 'd', parametersJsonSchema: SCHEMA },
  chatCompletions: { type: 'function', function: { name: 'f', description: 'd', parameters: SCHEMA } },
};
const functions = { functionDeclarations: [TOOL.generateContent] };

/** Tools beside the function `f`. */
export const mTools = (...tools: Fields[]): Fields => m({ tools: [TOOL.messages, ...tools] });
export const rTools = (...tools: Fields[]): Fields => r({ tools: [TOOL.responses, ...tools] });
export const gTools = (...tools: Fields[]): Fields => g({ tools: [functions, ...tools] });
export const hTools = (...tools: Fields[]): Fields => h({ tools: [TOOL.chatCompletions, ...tools] });

/** The function `f` and a choice. */
export const mChoice = (tool_choice: Fields): Fields => m({ tools: [TOOL.messages], tool_choice });
export const rChoice = (tool_choice: unknown): Fields => r({ tools: [TOOL.responses], tool_choice });
export const gChoice = (functionCallingConfig: Fields): Fields =>
  g({ tools: [functions], toolConfig: { functionCallingConfig } });
export const hChoice = (tool_choice: unknown): Fields => h({ tools: [TOOL.chatCompletions], tool_choice });

const mCall = { type: 'tool_use', id: 'c1', name: 'f', input: { a: 'x' } };
const rCall = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":"x"}' };
const gCall = { functionCall: { id: 'c1', name: 'f', args: { a: 'x' } } };
const hCall = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":"x"}' } };

/** A call of `f` and its result. */
export const mLoop = (result: Fields = { content: 'r' }): Fields =>
  m({
    tools: [TOOL.messages],
    messages: [
      hi,
      { role: 'assistant', content: [mCall] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...result }] },
    ],
  });
export const rLoop = (output: unknown = 'r'): Fields =>
  r({ tools: [TOOL.responses], input: [hi, rCall, { type: 'function_call_output', call_id: 'c1', output }] });
export const gLoop = (response: Fields = { output: 'r' }, more: Fields = {}): Fields =>
  g({
    tools: [functions],
    contents: [
      hiContent,
      { role: 'model', parts: [gCall] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response, ...more } }] },
    ],
  });
export const hLoop = (content: unknown = 'r', ...more: Fields[]): Fields =>
  h({
    tools: [TOOL.chatCompletions],
    messages: [
      hi,
      { role: 'assistant', content: null, tool_calls: [hCall] },
      { role: 'tool', tool_call_id: 'c1', content },
      ...more,
    ],
  });

/** A conversation whose assistant turn holds these blocks, items or parts. */
export const mAssistant = (...content: Fields[]): Fields =>
  m({ tools: [TOOL.messages], messages: [hi, { role: 'assistant', content }, hi] });
export const rAssistant = (...items: Fields[]): Fields => r({ tools: [TOOL.responses], input: [hi, ...items, hi] });
export const gAssistant = (...parts: Fields[]): Fields =>
  g({ tools: [functions], contents: [hiContent, { role: 'model', parts }, hiContent] });
export const hAssistant = (fields: Fields): Fields =>
  h({ tools: [TOOL.chatCompletions], messages: [hi, { role: 'assistant', ...fields }, hi] });
export { gCall, hCall, hiContent, mCall, rCall };
