import fc from 'fast-check';
import type { DialectId } from '../../../../translators/index.js';
import type { Wire } from './values.js';

const OBJECT = { type: 'object', properties: { city: { type: 'string' } } };
const ANY_ROOT = { anyOf: [{ type: 'object' }, { type: 'array' }] };
const LIST = { type: 'array', items: { type: 'integer' } };

/**
 * Requests whose answer is rewritten on its way: names and free text come back, values are unwrapped, thinking is hidden
 * from clients that did not ask for it (translation.md 4.3.5). `undefined` = nothing is known of the request.
 */
export const requestsOf: Record<DialectId, fc.Arbitrary<Wire | undefined>> = {
  messages: fc.constantFrom<Wire | undefined>(
    undefined,
    { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], stream: true },
    {
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      tools: [
        { name: 'look', input_schema: OBJECT },
        { name: 'get_weather', input_schema: { ...OBJECT, oneOf: [OBJECT] } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      thinking: { type: 'enabled', budget_tokens: 2048 },
      output_config: { format: { type: 'json_schema', schema: LIST } },
    },
  ),
  responses: fc.constantFrom<Wire | undefined>(
    undefined,
    { model: 'm', input: 'Hi', stream: true },
    {
      model: 'm',
      input: 'Hi',
      stream: true,
      tools: [
        { type: 'function', name: 'look', parameters: OBJECT, strict: true },
        { type: 'function', name: 'get_weather', parameters: ANY_ROOT },
        { type: 'custom', name: 'write' },
        {
          type: 'namespace',
          name: 'crm',
          description: 'd',
          tools: [{ type: 'function', name: 'save', parameters: OBJECT }],
        },
      ],
      text: { format: { type: 'json_schema', name: 'l', schema: LIST, strict: true } },
    },
  ),
  generateContent: fc.constantFrom<Wire | undefined>(
    undefined,
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [
        {
          functionDeclarations: [
            { name: 'look', parametersJsonSchema: OBJECT },
            { name: 'get_weather', parametersJsonSchema: ANY_ROOT },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true } },
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: LIST },
    },
  ),
};

/** Requests that want their answer to end at strings, more of them than some backends take. */
export const stoppingRequests: Record<DialectId, Wire> = {
  messages: {
    model: 'm',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    tools: [{ name: 'look', input_schema: OBJECT }],
    stop_sequences: ['</s>', '[1]', 'quoted', '\u65e5\u672c', 'forty-two.', ' :'],
  },
  responses: { model: 'm', input: 'Hi', stream: true },
  generateContent: {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: { stopSequences: ['</s>', '[1]', 'quoted'] },
  },
};
