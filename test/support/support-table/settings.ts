import { g, gConfig, gUser, h, hi, hUser, m, mUser, PNG, r, rUser, SCHEMA, TOOL } from './bodies.js';
import type { Area } from './probe.js';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
const loose = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer', minimum: 1 } } };
/** Longer than the shortest prompt that services cache. */
const LONG = { instructions: 'Look before you answer. '.repeat(200) };
const FUNCTIONS = { functionDeclarations: [TOOL.generateContent] };
const six = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Output, reasoning, sampling, caching and what belongs to the account (translation.md 2.2, 2.10 to 2.12). */
export const SETTINGS: readonly Area[] = [
  {
    name: 'Output',
    rows: [
      {
        feature: 'structured output',
        says: {
          messages: m({ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
          responses: r({ text: { format: { type: 'json_schema', name: 'response', schema: SCHEMA, strict: true } } }),
          generateContent: gConfig({ responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
          chatCompletions: h({
            response_format: { type: 'json_schema', json_schema: { name: 'response', schema: SCHEMA, strict: true } },
          }),
        },
      },
      {
        feature: 'a schema beyond the strict subsets',
        says: {
          responses: r({ text: { format: { type: 'json_schema', name: 'response', schema: loose, strict: false } } }),
          generateContent: gConfig({ responseMimeType: 'application/json', responseJsonSchema: loose }),
          chatCompletions: h({
            response_format: { type: 'json_schema', json_schema: { name: 'response', schema: loose } },
          }),
        },
      },
      {
        feature: 'name and description of the schema',
        says: {
          responses: r({
            text: { format: { type: 'json_schema', name: 'n', description: 'd', schema: SCHEMA, strict: true } },
          }),
          chatCompletions: h({
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'n', description: 'd', schema: SCHEMA, strict: true },
            },
          }),
        },
      },
      {
        feature: 'JSON without a schema',
        says: {
          responses: { ...rUser({ type: 'input_text', text: 'json' }), text: { format: { type: 'json_object' } } },
          generateContent: gConfig({ responseMimeType: 'application/json' }),
          chatCompletions: { ...hUser({ type: 'text', text: 'json' }), response_format: { type: 'json_object' } },
        },
      },
      {
        feature: 'one of some words',
        says: {
          generateContent: gConfig({
            responseMimeType: 'text/x.enum',
            responseSchema: { type: 'STRING', enum: ['a', 'b'] },
          }),
        },
      },
      {
        feature: 'verbosity',
        says: { responses: r({ text: { verbosity: 'low' } }), chatCompletions: h({ verbosity: 'low' }) },
      },
      {
        feature: 'pictures beside text',
        says: { generateContent: gConfig({ responseModalities: ['TEXT', 'IMAGE'] }) },
      },
      {
        feature: 'speech',
        says: {
          generateContent: gConfig({ responseModalities: ['AUDIO'] }),
          chatCompletions: h({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }),
        },
      },
      {
        feature: 'most tokens',
        says: { messages: m(), responses: r(), generateContent: g(), chatCompletions: h() },
      },
      {
        feature: 'text that is likely to come',
        says: { chatCompletions: h({ prediction: { type: 'content', content: 'p' } }) },
      },
      {
        feature: 'several candidates',
        says: { generateContent: gConfig({ candidateCount: 2 }), chatCompletions: h({ n: 2 }) },
      },
    ],
  },
  {
    name: 'Reasoning',
    rows: [
      {
        feature: 'by effort',
        says: {
          messages: m({ model: 'claude-opus-4-6', thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }),
          responses: r({ reasoning: { effort: 'high' } }),
          generateContent: gConfig({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
          chatCompletions: h({ reasoning_effort: 'high' }),
        },
      },
      {
        feature: 'by budget',
        says: {
          messages: m({ thinking: { type: 'enabled', budget_tokens: 8192 } }),
          generateContent: gConfig({ thinkingConfig: { thinkingBudget: 8192 } }),
          chatCompletions: h({ reasoning: { max_tokens: 8192 } }),
        },
      },
      {
        feature: 'off',
        says: {
          messages: m({ thinking: { type: 'disabled' } }),
          responses: r({ reasoning: { effort: 'none' } }),
          generateContent: gConfig({ thinkingConfig: { thinkingBudget: 0 } }),
          chatCompletions: h({ reasoning_effort: 'none' }),
        },
      },
      {
        feature: 'summaries shown',
        says: {
          messages: m({ thinking: { type: 'enabled', budget_tokens: 8192, display: 'summarized' } }),
          responses: r({ reasoning: { effort: 'high', summary: 'auto' } }),
          generateContent: gConfig({ thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true } }),
        },
        without: {
          messages: m({ thinking: { type: 'enabled', budget_tokens: 8192 } }),
          responses: r({ reasoning: { effort: 'high' } }),
          generateContent: gConfig({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
        },
      },
      { feature: 'between tool calls only', says: { messages: m({ thinking: { type: 'between_tools' } }) } },
      {
        feature: 'which earlier reasoning is read, deeper mode',
        says: { responses: r({ reasoning: { effort: 'high', context: 'all_turns', mode: 'pro' } }) },
      },
    ],
  },
  {
    name: 'Sampling and stop',
    rows: [
      {
        feature: 'temperature',
        says: {
          messages: m({ temperature: 0.5 }),
          responses: r({ temperature: 0.5 }),
          generateContent: gConfig({ temperature: 0.5 }),
          chatCompletions: h({ temperature: 0.5 }),
        },
      },
      {
        feature: 'temperature above 1',
        says: {
          responses: r({ temperature: 1.5 }),
          generateContent: gConfig({ temperature: 1.5 }),
          chatCompletions: h({ temperature: 1.5 }),
        },
      },
      {
        feature: 'top-p',
        says: {
          messages: m({ top_p: 0.5 }),
          responses: r({ top_p: 0.5 }),
          generateContent: gConfig({ topP: 0.5 }),
          chatCompletions: h({ top_p: 0.5 }),
        },
      },
      {
        feature: 'top-k',
        says: { messages: m({ top_k: 5 }), generateContent: gConfig({ topK: 5 }), chatCompletions: h({ top_k: 5 }) },
      },
      { feature: 'seed', says: { generateContent: gConfig({ seed: 5 }), chatCompletions: h({ seed: 5 }) } },
      {
        feature: 'penalties',
        says: {
          generateContent: gConfig({ presencePenalty: 0.5, frequencyPenalty: 0.5 }),
          chatCompletions: h({ presence_penalty: 0.5, frequency_penalty: 0.5 }),
        },
      },
      {
        feature: 'stop strings',
        says: {
          messages: m({ stop_sequences: ['X'] }),
          generateContent: gConfig({ stopSequences: ['X'] }),
          chatCompletions: h({ stop: ['X'] }),
        },
      },
      { feature: 'more than five stop strings', says: { messages: m({ stop_sequences: six }) } },
      { feature: 'bias of single tokens', says: { chatCompletions: h({ logit_bias: { 1: 5 } }) } },
      {
        feature: 'log probabilities',
        says: {
          responses: r({ top_logprobs: 2, include: ['message.output_text.logprobs'] }),
          generateContent: gConfig({ responseLogprobs: true, logprobs: 2 }),
          chatCompletions: h({ logprobs: true, top_logprobs: 2 }),
        },
      },
    ],
  },
  {
    name: 'Caching, state and account',
    rows: [
      {
        feature: 'cache marks',
        says: {
          messages: mUser({ ...image, cache_control: { type: 'ephemeral' } }),
          responses: rUser({ type: 'input_text', text: 'hi', prompt_cache_breakpoint: { mode: 'explicit' } }),
          chatCompletions: hUser({ type: 'text', text: 'hi', prompt_cache_breakpoint: { mode: 'explicit' } }),
        },
      },
      {
        feature: 'cache of the whole prompt',
        says: {
          messages: m({ cache_control: { type: 'ephemeral', ttl: '1h' } }),
          responses: r({ prompt_cache_retention: '24h' }),
          chatCompletions: h({ prompt_cache_retention: '24h' }),
        },
      },
      {
        feature: 'cache key',
        says: { responses: r({ prompt_cache_key: 'k' }), chatCompletions: h({ prompt_cache_key: 'k' }) },
      },
      {
        feature: 'a long prompt that is cached without a mark',
        says: {
          responses: r({ ...LONG, tools: [TOOL.responses] }),
          generateContent: g({ systemInstruction: { parts: [{ text: LONG.instructions }] }, tools: [FUNCTIONS] }),
          chatCompletions: h({
            messages: [{ role: 'system', content: LONG.instructions }, hi],
            tools: [TOOL.chatCompletions],
          }),
        },
      },
      {
        feature: 'cached prompt kept by the service',
        says: { generateContent: g({ cachedContent: 'cachedContents/1' }) },
      },
      { feature: 'earlier answer kept by the service', says: { responses: r({ previous_response_id: 'resp_1' }) } },
      { feature: 'conversation kept by the service', says: { responses: r({ conversation: 'conv_1' }) } },
      { feature: 'prompt template kept by the service', says: { responses: r({ prompt: { id: 'p' } }) } },
      { feature: 'run in the background', says: { responses: r({ background: true }) } },
      { feature: 'old input may be left out', says: { responses: r({ truncation: 'auto' }) } },
      {
        feature: 'end user id',
        says: {
          messages: m({ metadata: { user_id: 'u' } }),
          responses: r({ safety_identifier: 'u' }),
          chatCompletions: h({ safety_identifier: 'u' }),
        },
      },
      {
        feature: 'labels',
        says: {
          responses: r({ metadata: { k: 'v' } }),
          generateContent: g({ labels: { k: 'v' } }),
          chatCompletions: h({ metadata: { k: 'v' } }),
        },
      },
      {
        feature: 'service tier',
        says: {
          messages: m({ service_tier: 'standard_only' }),
          responses: r({ service_tier: 'flex' }),
          generateContent: g({ serviceTier: 'flex' }),
          chatCompletions: h({ service_tier: 'flex' }),
        },
      },
      {
        feature: 'safety settings',
        says: { generateContent: g({ safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] }) },
      },
      {
        feature: 'resolution of all media',
        says: {
          generateContent: { ...gUser({ text: 'hi' }), ...gConfig({ mediaResolution: 'MEDIA_RESOLUTION_LOW' }) },
        },
      },
      {
        feature: 'context editing, compaction',
        says: {
          messages: m({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }),
          responses: r({ context_management: [{ type: 'compaction' }] }),
        },
      },
      {
        feature: 'any field that only one dialect has',
        says: {
          messages: m({ new_field: 1 }),
          responses: r({ new_field: 1 }),
          generateContent: g({ newField: 1 }),
          chatCompletions: h({ new_field: 1 }),
        },
      },
    ],
  },
];
