import { type DialectId, dialectIds, TranslationError, translateRequest } from '../../translators/index.js';

/** One row of the support table: a feature and how each dialect that knows it says it. */
interface Probe {
  readonly feature: string;
  /** Keys laid over the dialect's smallest request. A dialect without an entry cannot say it. */
  readonly says: Partial<Record<DialectId, Record<string, unknown>>>;
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

const BASE: Record<DialectId, Record<string, unknown>> = {
  messages: { model: 'claude-sonnet-4-5', max_tokens: 2000, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'gpt-5', max_output_tokens: 2000, input: [{ role: 'user', content: 'hi' }] },
  generateContent: {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: { maxOutputTokens: 2000 },
  },
};

const MODELS: Record<DialectId, string> = {
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-5',
  generateContent: 'gemini-3-pro',
};

const TOOLS: Record<DialectId, Record<string, unknown>> = {
  messages: { tools: [{ name: 'f', description: 'd', input_schema: SCHEMA }] },
  responses: { tools: [{ type: 'function', name: 'f', description: 'd', parameters: SCHEMA, strict: false }] },
  generateContent: {
    tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: SCHEMA }] }],
  },
};

const config = (fields: Record<string, unknown>) => ({ generationConfig: { maxOutputTokens: 2000, ...fields } });
const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const input = (...content: unknown[]) => ({ input: [{ role: 'user', content }] });
const contents = (...parts: unknown[]) => ({ contents: [{ role: 'user', parts }] });
const call = { messages: { type: 'tool_use', id: 'c1', name: 'f', input: { a: 'x' } } } as const;

const looped = (result: Record<string, unknown>) => ({
  ...TOOLS.messages,
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [call.messages] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...result }] },
  ],
});
const loopedItems = (output: unknown) => ({
  ...TOOLS.responses,
  input: [
    { role: 'user', content: 'hi' },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":"x"}' },
    { type: 'function_call_output', call_id: 'c1', output },
  ],
});
const loopedContents = (response: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...TOOLS.generateContent,
  contents: [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: { a: 'x' } } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response, ...more } }] },
  ],
});

const PROBES: readonly Probe[] = [
  { feature: 'text', says: { messages: {}, responses: {}, generateContent: {} } },
  {
    feature: 'system text',
    says: {
      messages: { system: 's' },
      responses: { instructions: 's' },
      generateContent: { systemInstruction: { parts: [{ text: 's' }] } },
    },
  },
  {
    feature: 'instructions in mid-conversation',
    says: {
      responses: {
        input: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
          { role: 'developer', content: 'D' },
          { role: 'user', content: 'c' },
        ],
      },
    },
  },
  {
    feature: 'image, inline',
    says: {
      messages: user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }),
      responses: input({ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }),
      generateContent: contents({ inlineData: { mimeType: 'image/png', data: PNG } }),
    },
  },
  {
    feature: 'image by URL',
    says: {
      messages: user({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }),
      responses: input({ type: 'input_image', image_url: 'https://example.org/a.png' }),
      generateContent: contents({ fileData: { mimeType: 'image/png', fileUri: 'https://example.org/a.png' } }),
    },
  },
  {
    feature: 'PDF, inline',
    says: {
      messages: user({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        title: 'a.pdf',
      }),
      responses: input({ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }),
      generateContent: contents({ inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } }),
    },
  },
  {
    feature: 'audio',
    says: { generateContent: contents({ inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } }) },
  },
  { feature: 'video', says: { generateContent: contents({ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }) } },
  { feature: 'function tools', says: TOOLS },
  {
    feature: 'strict tools',
    says: {
      messages: { tools: [{ name: 'f', description: 'd', input_schema: SCHEMA, strict: true }] },
      responses: { tools: [{ type: 'function', name: 'f', description: 'd', parameters: SCHEMA, strict: true }] },
      generateContent: { ...TOOLS.generateContent, toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } },
    },
  },
  {
    feature: 'free text (custom) tools',
    says: { responses: { tools: [{ type: 'custom', name: 'f', description: 'd' }] } },
  },
  {
    feature: 'tool namespaces',
    says: {
      responses: {
        tools: [
          {
            type: 'namespace',
            name: 'n',
            description: 'd',
            tools: [{ type: 'function', name: 'f', parameters: SCHEMA, strict: false }],
          },
        ],
      },
    },
  },
  {
    feature: 'forced tool',
    says: {
      messages: { ...TOOLS.messages, tool_choice: { type: 'tool', name: 'f' } },
      responses: { ...TOOLS.responses, tool_choice: { type: 'function', name: 'f' } },
      generateContent: {
        ...TOOLS.generateContent,
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      },
    },
  },
  {
    feature: 'one call at a time',
    says: {
      messages: { ...TOOLS.messages, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      responses: { ...TOOLS.responses, parallel_tool_calls: false },
    },
  },
  {
    feature: 'tool loop',
    says: {
      messages: looped({ content: 'r' }),
      responses: loopedItems('r'),
      generateContent: loopedContents({ output: 'r' }),
    },
  },
  {
    feature: 'failed tool',
    says: { messages: looped({ content: 'no', is_error: true }), generateContent: loopedContents({ error: 'no' }) },
  },
  {
    feature: 'image in a tool result',
    says: {
      messages: looped({
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
      }),
      responses: loopedItems([{ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }]),
      generateContent: loopedContents(
        { output: 'r' },
        { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] },
      ),
    },
  },
  {
    feature: 'structured output',
    says: {
      messages: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
      responses: { text: { format: { type: 'json_schema', name: 'response', schema: SCHEMA, strict: true } } },
      generateContent: config({ responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
    },
  },
  {
    feature: 'JSON without a schema',
    says: {
      responses: { ...input({ type: 'input_text', text: 'json please' }), text: { format: { type: 'json_object' } } },
      generateContent: config({ responseMimeType: 'application/json' }),
    },
  },
  {
    feature: 'reasoning by effort',
    says: {
      messages: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      responses: { reasoning: { effort: 'high' } },
      generateContent: config({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
    },
  },
  {
    feature: 'reasoning by budget',
    says: {
      messages: { max_tokens: 20000, thinking: { type: 'enabled', budget_tokens: 8192 } },
      generateContent: { generationConfig: { maxOutputTokens: 20000, thinkingConfig: { thinkingBudget: 8192 } } },
    },
  },
  {
    feature: 'temperature, top-p',
    says: {
      messages: { temperature: 0.5 },
      responses: { temperature: 0.5 },
      generateContent: config({ temperature: 0.5 }),
    },
  },
  { feature: 'top-k', says: { messages: { top_k: 5 }, generateContent: config({ topK: 5 }) } },
  { feature: 'seed', says: { generateContent: config({ seed: 5 }) } },
  {
    feature: 'stop strings',
    says: { messages: { stop_sequences: ['X'] }, generateContent: config({ stopSequences: ['X'] }) },
  },
  {
    feature: 'log probabilities',
    says: {
      responses: { top_logprobs: 2, include: ['message.output_text.logprobs'] },
      generateContent: config({ responseLogprobs: true, logprobs: 2 }),
    },
  },
  {
    feature: 'web search',
    says: {
      messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      responses: { tools: [{ type: 'web_search' }] },
      generateContent: { tools: [{ googleSearch: {} }] },
    },
  },
  {
    feature: 'code execution',
    says: {
      messages: { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
      responses: { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
      generateContent: { tools: [{ codeExecution: {} }] },
    },
  },
  {
    feature: 'cache marks',
    says: { messages: user({ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }) },
  },
  { feature: 'end user id', says: { messages: { metadata: { user_id: 'u' } }, responses: { safety_identifier: 'u' } } },
  {
    feature: 'safety settings',
    says: {
      generateContent: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    },
  },
  { feature: 'several candidates', says: { generateContent: config({ candidateCount: 2 }) } },
];

const LETTERS = { messages: 'M', responses: 'R', generateContent: 'G' } as const;

/** What becomes of a feature: the worst thing that any loss says; `-` where the client's dialect cannot say it. */
function verdict(from: DialectId, to: DialectId, probe: Probe): string {
  const says = probe.says[from];
  if (says === undefined) return '-';
  try {
    const { losses } = translateRequest({
      from,
      to,
      body: { ...BASE[from], ...says },
      model: MODELS[to],
      cutsStop: true,
    });
    for (const kind of ['dropped', 'approximated', 'moved', 'invented'] as const) {
      if (losses.some((loss) => loss.kind === kind)) return kind;
    }
    return 'carried';
  } catch (error) {
    if (error instanceof TranslationError && error.kind === 'unsupported') return 'refused';
    throw error;
  }
}

/** The support table of the README, as Markdown. */
export function supportTable(): string {
  const pairs = dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const));
  const head = ['feature', ...pairs.map(([from, to]) => `${LETTERS[from]} to ${LETTERS[to]}`)];
  const rows = PROBES.map((probe) => [probe.feature, ...pairs.map(([from, to]) => verdict(from, to, probe))]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
