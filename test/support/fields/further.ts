import type { DialectId, JsonObject } from '../../../translators/index.js';
import { beside, type Documented, SCHEMA } from './documented.js';

const hi = { role: 'user', content: 'hi' };
const mTop = (fields: JsonObject): JsonObject => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 20000,
  messages: [hi],
  ...fields,
});
const rTop = (fields: JsonObject): JsonObject => ({ model: 'gpt-5', max_output_tokens: 20000, input: [hi], ...fields });
const gTop = (fields: JsonObject): JsonObject => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { maxOutputTokens: 20000 },
  ...fields,
});
const mTool = { name: 'f', input_schema: SCHEMA };
const rTool = { type: 'function', name: 'f', parameters: SCHEMA, strict: false };
const gTool = { functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] };
const mcp = { type: 'mcp', server_label: 's', server_url: 'https://mcp.example', require_approval: 'never' };

const M_CHOICES: readonly JsonObject[] = [{ type: 'any' }, { type: 'tool', name: 'f' }, { type: 'none' }];
const R_CHOICES: readonly unknown[] = [
  'required',
  'none',
  { type: 'function', name: 'f' },
  { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
  { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
];
const WORDS = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'shell_call.results',
];
const HOSTED: readonly JsonObject[] = [
  { type: 'web_search' },
  { type: 'code_interpreter', container: { type: 'auto' } },
  mcp,
  rTool,
];

/** Fields with further values, and beside other ones: what a single value of each alone does not show. */
export const FURTHER: Record<DialectId, readonly Documented[]> = {
  messages: [
    ...M_CHOICES.map((choice) => ({
      name: `tool (choice ${String(choice.type)})`,
      request: (more: JsonObject) => mTop({ tools: [{ ...mTool, ...more }], tool_choice: choice }),
      fields: { strict: true, cache_control: { type: 'ephemeral' } },
    })),
    {
      name: 'thinking beside a forced call',
      request: (more: JsonObject) => mTop({ tools: [mTool], tool_choice: { type: 'any' }, ...more }),
      fields: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    },
    {
      name: 'computer tool without a size',
      request: (more: JsonObject) => mTop({ tools: [mTool, { type: 'computer_20250124', name: 'computer', ...more }] }),
      fields: { display_number: 1 },
    },
  ],
  responses: [
    ...R_CHOICES.map((choice) => ({
      name: `tool (choice ${JSON.stringify(choice)})`,
      request: (more: JsonObject) => rTop({ tools: [{ ...rTool, ...more }], tool_choice: choice }),
      fields: { strict: true },
    })),
    ...R_CHOICES.map((choice) => ({
      name: `request (choice ${JSON.stringify(choice)})`,
      request: (more: JsonObject) => rTop({ tools: [rTool], tool_choice: choice, ...more }),
      fields: { parallel_tool_calls: false, reasoning: { effort: 'low' } },
    })),
    ...WORDS.map((word) => ({ name: `request (${word})`, request: rTop, fields: { include: [word] } })),
    ...HOSTED.map((tool) => ({
      name: `request (${String(tool.type)})`,
      request: rTop,
      fields: { max_tool_calls: beside({ tools: [tool] }, 3) },
    })),
    {
      name: 'user_location',
      request: (more: JsonObject) =>
        rTop({ tools: [{ type: 'web_search', user_location: { type: 'approximate', city: 'Bern', ...more } }] }),
      fields: { country: 'Switzerland', region: 'BE', timezone: 'Europe/Zurich' },
    },
    {
      name: 'computer_use_preview tool without a size',
      request: (more: JsonObject) => rTop({ tools: [rTool, { type: 'computer_use_preview', ...more }] }),
      fields: { environment: 'linux' },
    },
    {
      name: 'refusal in a message',
      request: (more: JsonObject) =>
        rTop({ input: [hi, { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], ...more }, hi] }),
      fields: { phase: 'commentary' },
    },
  ],
  generateContent: [
    {
      name: 'thinkingConfig beside a forced call',
      request: (more: JsonObject) =>
        gTop({
          generationConfig: { maxOutputTokens: 20000, thinkingConfig: more },
          tools: [gTool],
          toolConfig: { functionCallingConfig: { mode: 'ANY' } },
        }),
      fields: { thinkingBudget: 8192, thinkingLevel: 'LOW', includeThoughts: true },
    },
    {
      name: 'request in snake_case',
      request: (more: JsonObject) => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }], ...more }),
      fields: {
        generation_config: { audio_timestamp: true },
        tool_config: { retrieval_config: { language_code: 'de' } },
        model_armor_config: { prompt_template_name: 'p' },
        safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
        service_tier: 'flex',
      },
    },
    {
      name: 'tool choice in snake_case',
      request: (more: JsonObject) =>
        gTop({ tools: [gTool], tool_config: { function_calling_config: { mode: 'ANY', ...more } } }),
      fields: { stream_function_call_arguments: true },
    },
    {
      name: 'function in snake_case',
      request: (more: JsonObject) => gTop({ tools: [{ function_declarations: [{ name: 'f', ...more }] }] }),
      fields: { response_json_schema: SCHEMA, parameters_json_schema: SCHEMA },
    },
    {
      name: 'part in snake_case',
      request: (more: JsonObject) => gTop({ contents: [{ role: 'user', parts: [{ text: 'hi', ...more }] }] }),
      fields: { part_metadata: { k: 'v' }, speech_metadata: { speaker: 's' } },
    },
  ],
};
