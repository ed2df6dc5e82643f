import type { DialectId } from '../../../translators/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../fake-backend/index.js';
import { crossPairsOf } from '../pairs.js';

/** What the guides know of a dialect: its service, its official client, and one program in it. */
interface Shown {
  /** Whose models are meant, and through what they are called. */
  readonly models: string;
  readonly sdk: string;
  readonly importing: string;
  /** The client of the vendor's own service, and one of a gateway. */
  readonly vendor: string;
  readonly gateway: string;
  /** A model, the pattern of such, the address of their service, and the variables with which its client finds both. */
  readonly model: string;
  readonly pattern: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly rootVariable: string;
  /** What its client has behind the root of a server. */
  readonly version: string;
  /** A tool loop, once there is a client. */
  readonly program: string;
}

const SCHEMA = `{ type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }`;

const OPENAI = {
  sdk: 'openai',
  importing: `import OpenAI from 'openai';`,
  vendor: 'new OpenAI()',
  gateway: `new OpenAI({ baseURL: 'http://127.0.0.1:8080/v1', apiKey: 'key-of-the-gateway' })`,
  model: 'gpt-5.2',
  pattern: 'gpt-*',
  baseUrl: 'https://api.openai.com',
  key: 'OPENAI_API_KEY',
  rootVariable: 'OPENAI_BASE_URL',
  version: '/v1',
};

export const SHOWN: Readonly<Record<FakeDialectName, Shown>> = {
  messages: {
    models: 'Claude models behind the Messages API',
    sdk: '@anthropic-ai/sdk',
    importing: `import Anthropic from '@anthropic-ai/sdk';`,
    vendor: 'new Anthropic()',
    gateway: `new Anthropic({ baseURL: 'http://127.0.0.1:8080', apiKey: 'key-of-the-gateway' })`,
    model: 'claude-sonnet-4-6',
    pattern: 'claude-*',
    baseUrl: 'https://api.anthropic.com',
    key: 'ANTHROPIC_API_KEY',
    rootVariable: 'ANTHROPIC_BASE_URL',
    version: '',
    program: `const tools = [
  {
    name: 'get_weather',
    description: 'The weather of a city.',
    input_schema: ${SCHEMA},
  },
];
const messages = [{ role: 'user', content: 'What is the weather in Paris?' }];
const ask = () =>
  client.messages.create({
    model: 'claude-sonnet-4-6',
    max_tokens: 1024,
    system: 'Answer in one sentence.',
    tools,
    messages,
  });

let answer = await ask();
while (answer.stop_reason === 'tool_use') {
  messages.push({ role: 'assistant', content: answer.content });
  const calls = answer.content.filter((part) => part.type === 'tool_use');
  messages.push({
    role: 'user',
    content: calls.map(({ id, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: \`Sunny in \${input.city}\`,
    })),
  });
  answer = await ask();
}
console.log(answer.content.find((part) => part.type === 'text').text);`,
  },
  responses: {
    ...OPENAI,
    models: 'GPT models behind the Responses API',
    program: `const tools = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: ${SCHEMA},
    strict: true,
  },
];
const input = [{ role: 'user', content: 'What is the weather in Paris?' }];
const ask = () =>
  client.responses.create({
    model: 'gpt-5.2',
    instructions: 'Answer in one sentence.',
    tools,
    input,
    store: false,
    include: ['reasoning.encrypted_content'],
  });
const callsOf = ({ output }) => output.filter((item) => item.type === 'function_call');

let answer = await ask();
while (callsOf(answer).length > 0) {
  input.push(...answer.output);
  for (const call of callsOf(answer)) {
    const { city } = JSON.parse(call.arguments);
    input.push({ type: 'function_call_output', call_id: call.call_id, output: \`Sunny in \${city}\` });
  }
  answer = await ask();
}
console.log(answer.output_text);`,
  },
  generateContent: {
    models: 'Gemini models behind the Gemini API',
    sdk: '@google/genai',
    importing: `import { GoogleGenAI } from '@google/genai';`,
    vendor: 'new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY })',
    gateway: `new GoogleGenAI({ apiKey: 'key-of-the-gateway', httpOptions: { baseUrl: 'http://127.0.0.1:8080' } })`,
    model: 'gemini-3-flash',
    pattern: 'gemini-*',
    baseUrl: 'https://generativelanguage.googleapis.com',
    key: 'GEMINI_API_KEY',
    rootVariable: 'GOOGLE_GEMINI_BASE_URL',
    version: '',
    program: `const config = {
  systemInstruction: 'Answer in one sentence.',
  tools: [
    {
      functionDeclarations: [
        {
          name: 'get_weather',
          description: 'The weather of a city.',
          parametersJsonSchema: ${SCHEMA},
        },
      ],
    },
  ],
};
const contents = [{ role: 'user', parts: [{ text: 'What is the weather in Paris?' }] }];
const ask = () => client.models.generateContent({ model: 'gemini-3-flash', config, contents });

let answer = await ask();
while (answer.functionCalls?.length > 0) {
  contents.push(answer.candidates[0].content);
  contents.push({
    role: 'user',
    parts: answer.functionCalls.map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: \`Sunny in \${args.city}\` } },
    })),
  });
  answer = await ask();
}
console.log(answer.text);`,
  },
  chatCompletions: {
    ...OPENAI,
    models:
      'models behind Chat Completions: OpenAI, Azure, OpenRouter, Groq, DeepSeek, Mistral, vLLM, Ollama and others',
    program: `const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather of a city.',
      parameters: ${SCHEMA},
      strict: true,
    },
  },
];
const messages = [
  { role: 'system', content: 'Answer in one sentence.' },
  { role: 'user', content: 'What is the weather in Paris?' },
];
const ask = () => client.chat.completions.create({ model: 'gpt-5.2', tools, messages });

let { message } = (await ask()).choices[0];
while (message.tool_calls?.length > 0) {
  messages.push(message);
  for (const call of message.tool_calls) {
    const { city } = JSON.parse(call.function.arguments);
    messages.push({ role: 'tool', tool_call_id: call.id, content: \`Sunny in \${city}\` });
  }
  ({ message } = (await ask()).choices[0]);
}
console.log(message.content);`,
  },
};

/** The pairs that have a guide. */
export const GUIDED = crossPairsOf(FAKE_DIALECTS);

/** The program of a dialect, for its vendor's own service or through the gateway. */
export function programOf(dialect: FakeDialectName, through: 'vendor' | 'gateway'): string {
  const { importing, program, [through]: client } = SHOWN[dialect];
  return `${importing}\n\nconst client = ${client};\n\n${program}\n`;
}

/** The configuration with which a gateway has models of one dialect behind the names of another's. */
export function configurationOf(from: FakeDialectName, to: FakeDialectName): string {
  const { baseUrl, key, model } = SHOWN[to];
  return `backends:
  target: { dialect: ${to}, baseUrl: ${baseUrl}, apiKey: "\${${key}}" }
models:
  "${SHOWN[from].pattern}": { backend: target, model: ${model} }
`;
}

/** A dialect's id in the letters of file names. */
export function fileNameOf(from: DialectId, to: DialectId): string {
  const name = (id: DialectId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${name(from)}-to-${name(to)}.md`;
}
