/** The same work of an agent in the three dialects: a question with a picture, two calls, their results. */

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const SYSTEM = 'You are a careful assistant. Use the tools.';
const ASKED = 'What is the weather in Bonn and in Köln?';
const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'The city' },
    unit: { type: 'string', enum: ['c', 'f'] },
    days: { type: 'integer', minimum: 1, maximum: 7 },
  },
  required: ['city'],
};
export const CLOSED = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['c', 'f'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};
const CALLS = [
  { id: 'call_1', args: { city: 'Bonn', unit: 'c' }, result: '18 degrees' },
  { id: 'call_2', args: { city: 'Köln' }, result: '{"degrees":19}' },
];

export const messages = {
  model: 'claude-sonnet-4-5',
  max_tokens: 8000,
  system: SYSTEM,
  tools: [{ name: 'get_weather', description: 'The weather of a city.', input_schema: SCHEMA }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: ASKED },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look it up.' },
        ...CALLS.map(({ id, args }) => ({ type: 'tool_use', id, name: 'get_weather', input: args })),
      ],
    },
    {
      role: 'user',
      content: CALLS.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result })),
    },
  ],
};

export const responses = {
  model: 'gpt-5',
  instructions: SYSTEM,
  tools: [
    {
      type: 'function',
      name: 'get_weather',
      description: 'The weather of a city.',
      parameters: SCHEMA,
      strict: false,
    },
  ],
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: ASKED },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      ],
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'I look it up.', annotations: [], logprobs: [] }],
    },
    ...CALLS.map(({ id, args }, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: id,
      name: 'get_weather',
      arguments: JSON.stringify(args),
      status: 'completed',
    })),
    ...CALLS.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
  ],
};

export const generateContent = {
  systemInstruction: { role: 'user', parts: [{ text: SYSTEM }] },
  tools: [
    {
      functionDeclarations: [
        {
          name: 'get_weather',
          description: 'The weather of a city.',
          parameters: {
            type: 'OBJECT',
            properties: {
              city: { type: 'STRING', description: 'The city' },
              unit: { type: 'STRING', enum: ['c', 'f'] },
            },
            required: ['city'],
          },
        },
      ],
    },
  ],
  contents: [
    { role: 'user', parts: [{ text: ASKED }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
    {
      role: 'model',
      parts: [
        { text: 'I look it up.' },
        ...CALLS.map(({ id, args }) => ({ functionCall: { id, name: 'get_weather', args } })),
      ],
    },
    {
      role: 'user',
      parts: CALLS.map(({ id, result }) => ({
        functionResponse: { id, name: 'get_weather', response: { output: result } },
      })),
    },
  ],
};
