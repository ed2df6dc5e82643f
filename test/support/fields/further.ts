import type { JsonObject } from '../../../translators/index.js';
import { lawTableOf } from '../../laws/dialects/index.js';
import { SCHEMA } from './documented.js';

export const hi = { role: 'user', content: 'hi' };
export const mTop = (fields: JsonObject): JsonObject => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 20000,
  messages: [hi],
  ...fields,
});
export const rTop = (fields: JsonObject): JsonObject => ({
  model: 'gpt-5',
  max_output_tokens: 20000,
  input: [hi],
  ...fields,
});
export const gTop = (fields: JsonObject): JsonObject => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { maxOutputTokens: 20000 },
  ...fields,
});
export const mTool = { name: 'f', input_schema: SCHEMA };
export const rTool = { type: 'function', name: 'f', parameters: SCHEMA, strict: false };
export const gTool = { functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] };
const mcp = { type: 'mcp', server_label: 's', server_url: 'https://mcp.example', require_approval: 'never' };

export const M_CHOICES: readonly JsonObject[] = [{ type: 'any' }, { type: 'tool', name: 'f' }, { type: 'none' }];
export const R_CHOICES: readonly unknown[] = [
  'required',
  'none',
  { type: 'function', name: 'f' },
  { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
  { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
];
export const WORDS = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'shell_call.results',
];
export const HOSTED: readonly JsonObject[] = [
  { type: 'web_search' },
  { type: 'code_interpreter', container: { type: 'auto' } },
  mcp,
  rTool,
];

export const FURTHER = lawTableOf('furtherFields');
