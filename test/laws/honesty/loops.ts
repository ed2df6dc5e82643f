import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { CLOSED, generateContent, messages, PNG, responses, SYSTEM } from './loop-bodies.js';
import { profileOf, type Target } from './targets.js';

/** A request as the official client of a dialect sends it in the middle of an agent's work. */
export interface Loop {
  readonly name: string;
  readonly from: DialectId;
  readonly body: Record<string, unknown>;
  readonly stream?: boolean;
}

/** The loops, plain first, then with the settings that clients commonly add. */
export const LOOPS: readonly Loop[] = [
  { name: 'plain', from: 'messages', body: messages },
  { name: 'plain', from: 'responses', body: responses },
  { name: 'plain', from: 'generateContent', body: generateContent },
  {
    name: 'streamed, with tool choice, cache marks and a user id',
    from: 'messages',
    body: {
      ...messages,
      stream: true,
      tool_choice: { type: 'auto' },
      system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
      metadata: { user_id: 'user_1' },
      temperature: 1,
    },
  },
  {
    name: 'streamed, with tool choice, storage and a user id',
    from: 'responses',
    body: {
      ...responses,
      stream: true,
      store: true,
      tool_choice: 'auto',
      parallel_tool_calls: true,
      truncation: 'disabled',
      service_tier: 'auto',
      safety_identifier: 'user_1',
      prompt_cache_key: 'thread_1',
      metadata: { thread: '1' },
      max_output_tokens: 8000,
      text: { format: { type: 'text' }, verbosity: 'medium' },
    },
  },
  {
    name: 'streamed, with tool choice and a cap',
    from: 'generateContent',
    stream: true,
    body: {
      ...generateContent,
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: { maxOutputTokens: 8000, temperature: 1, candidateCount: 1 },
    },
  },
  { name: 'temperature', from: 'messages', body: { ...messages, temperature: 0.2 } },
  { name: 'temperature', from: 'responses', body: { ...responses, temperature: 0.2 } },
  {
    name: 'temperature',
    from: 'generateContent',
    body: { ...generateContent, generationConfig: { temperature: 0.2 } },
  },
  {
    name: 'strict tools',
    from: 'messages',
    body: { ...messages, tools: [{ ...messages.tools[0], input_schema: CLOSED, strict: true }] },
  },
  {
    name: 'strict tools',
    from: 'responses',
    body: { ...responses, tools: [{ ...responses.tools[0], parameters: CLOSED, strict: true }] },
  },
  {
    name: 'thinking of its own size',
    from: 'messages',
    body: { ...messages, messages: messages.messages.slice(0, 1), thinking: { type: 'adaptive' } },
  },
  {
    name: 'thinking with an effort',
    from: 'messages',
    body: {
      ...messages,
      messages: messages.messages.slice(0, 1),
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
    },
  },
  {
    name: 'thinking with a budget',
    from: 'messages',
    body: {
      ...messages,
      messages: messages.messages.slice(0, 1),
      thinking: { type: 'enabled', budget_tokens: 4000 },
    },
  },
  {
    name: 'reasoning with an effort and a summary',
    from: 'responses',
    body: {
      ...responses,
      input: responses.input.slice(0, 1),
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    },
  },
  {
    name: 'thoughts with a level',
    from: 'generateContent',
    body: {
      ...generateContent,
      contents: generateContent.contents.slice(0, 1),
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' } },
    },
  },
  {
    name: 'thoughts of their own size',
    from: 'generateContent',
    body: {
      ...generateContent,
      contents: generateContent.contents.slice(0, 1),
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: -1 } },
    },
  },
  {
    name: 'one picture in a result',
    from: 'messages',
    body: {
      ...messages,
      messages: [
        ...messages.messages.slice(0, 2),
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call_1',
              content: [
                { type: 'text', text: 'a map' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'call_2', is_error: true, content: 'no such city' },
          ],
        },
      ],
    },
  },
  {
    name: 'an answer in a schema',
    from: 'responses',
    body: {
      ...responses,
      input: responses.input.slice(0, 1),
      tools: [],
      text: { format: { type: 'json_schema', name: 'response', schema: CLOSED, strict: true } },
    },
  },
];

/** What stops a loop in strict, and why the matrix says that this is right. */
export interface Stopped {
  readonly loops: readonly string[];
  readonly feature: string;
  readonly why: string;
  stops(target: Target): boolean;
}

const MEDIUM = ['thinking with an effort', 'reasoning with an effort and a summary'];
const SIZED = [...MEDIUM, 'thoughts with a level'];
const THINKING = [...SIZED, 'thinking of its own size', 'thinking with a budget', 'thoughts of their own size'];

export const STOPPED: readonly Stopped[] = [
  {
    loops: ['temperature'],
    feature: 'sampling.temperature',
    why: 'the model does not support sampling settings, so answers vary more than was asked for (translation.md 2.11)',
    stops: (target) => {
      const { sampling, thinking } = profileOf(target);
      return sampling.includes('none') || (sampling.includes('none-when-reasoning') && thinking.defaultOn);
    },
  },
  {
    loops: ['strict tools'],
    feature: 'tool.strict',
    why: 'calls are held to schemas for all functions or for none, and not as strictly (2.8)',
    stops: ({ dialect }) => has(dialect, 'strictByChoice'),
  },
  {
    loops: ['strict tools'],
    feature: 'tool.strict',
    why: 'the server does not enforce tool schemas (translation.md 2.8)',
    stops: (target) => target.dialect === 'chatCompletions' && !profileOf(target).strictTools,
  },
  {
    loops: THINKING,
    feature: 'reasoning.mode',
    why: 'the model does not reason (2.12)',
    stops: (target) => profileOf(target).thinking.control === 'none',
  },
  {
    loops: MEDIUM,
    feature: 'reasoning.effort',
    why: 'a model without medium thinks more or less than was asked for (2.12)',
    stops: (target) => {
      const { control, levels } = profileOf(target).thinking;
      return ['level', 'effort'].includes(control) && !levels.includes('medium');
    },
  },
  {
    loops: ['thoughts with a level'],
    feature: 'reasoning.effort',
    why: 'a model that only begins to think when asked has no levels (translation.md 2.12)',
    stops: (target) => {
      const { control, levels } = profileOf(target).thinking;
      return control === 'effort' && levels.length === 0;
    },
  },
  {
    loops: ['thinking with a budget'],
    feature: 'reasoning.budget',
    why: 'a number of tokens becomes a level (2.12)',
    stops: (target) => ['level', 'effort'].includes(profileOf(target).thinking.control),
  },
  {
    loops: ['an answer in a schema'],
    feature: 'output.strict',
    why: 'there is no switch that holds the answer to its schema as strictly (2.10)',
    stops: ({ dialect }) => has(dialect, 'strictByChoice'),
  },
  {
    loops: ['an answer in a schema'],
    feature: 'output.strict',
    why: 'the server may not enforce the schema of the answer (translation.md 2.10)',
    stops: (target) => {
      const { schemaOutput, strictTools } = profileOf(target);
      return target.dialect === 'chatCompletions' && schemaOutput && !strictTools;
    },
  },
  {
    loops: ['an answer in a schema'],
    feature: 'output.schema',
    why: 'the schema is asked for in words (translation.md 2.10)',
    stops: (target) => target.dialect === 'chatCompletions' && !profileOf(target).schemaOutput,
  },
];
