import { describe, expect, test } from '@jest/globals';
import { presetNames, presets } from '../../src/presets/index.js';
import {
  createLosses,
  dialects,
  fitRelayed,
  HOST_FEATURES,
  type HostFeature,
  type JsonObject,
  type Loss,
  type ProfileChoice,
  packState,
  translateRequest,
} from '../../translators/index.js';

const PDF = 'JVBERi0xLjQK';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURE = 'https://pictures.test/a.png';
const SCHEMA = { type: 'object', properties: { n: { type: 'number' } } };
const ARGUMENTS = { type: 'object', properties: { path: { type: 'string' } } };

/** Requests that hold what hosts may lack, as far as each dialect has it. */
const CLIENTS = {
  messages: {
    model: 'm',
    max_tokens: 32000,
    system: 'Be brief.',
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: SCHEMA } },
    service_tier: 'standard_only',
    metadata: { user_id: 'u1' },
    tools: [
      { name: 'read', input_schema: ARGUMENTS },
      { name: 'write', input_schema: ARGUMENTS, defer_loading: true },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      { type: 'mcp_toolset', mcp_server_name: 'files' },
    ],
    mcp_servers: [{ type: 'url', name: 'files', url: 'https://mcp.test' }],
    tool_choice: { type: 'tool', name: 'read' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          { type: 'image', source: { type: 'url', url: PICTURE } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a report' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
          },
        ],
      },
      { role: 'system', content: 'Now be brief.' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'go on' },
    ],
  },
  responses: {
    model: 'm',
    instructions: 'Be brief.',
    max_output_tokens: 32000,
    reasoning: { effort: 'high', summary: 'detailed' },
    text: { format: { type: 'json_schema', name: 'response', schema: SCHEMA } },
    service_tier: 'default',
    safety_identifier: 'u1',
    prompt_cache_key: 'k',
    tools: [
      { type: 'function', name: 'read', parameters: ARGUMENTS },
      { type: 'custom', name: 'patch' },
      {
        type: 'namespace',
        name: 'ns',
        description: '',
        tools: [{ type: 'function', name: 'read', parameters: ARGUMENTS }],
      },
      { type: 'web_search' },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'computer' },
      { type: 'mcp', server_label: 'files', server_url: 'https://mcp.test', require_approval: 'never' },
    ],
    tool_choice: { type: 'function', name: 'read' },
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'q' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
          { type: 'input_image', image_url: PICTURE },
          { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
      },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'a' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] },
      { role: 'user', content: 'go on' },
      { role: 'developer', content: 'Now be brief.' },
    ],
  },
  generateContent: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    generationConfig: {
      maxOutputTokens: 32000,
      responseMimeType: 'application/json',
      responseJsonSchema: SCHEMA,
      thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true },
      responseModalities: ['TEXT', 'IMAGE'],
    },
    tools: [
      {
        functionDeclarations: [
          { name: 'read', parametersJsonSchema: ARGUMENTS },
          { name: 'write', parametersJsonSchema: ARGUMENTS },
        ],
      },
      { googleSearch: {} },
      { codeExecution: {} },
      { computerUse: { environment: 'ENVIRONMENT_BROWSER' } },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'q' },
          { inlineData: { mimeType: 'image/png', data: PNG } },
          { fileData: { mimeType: 'image/png', fileUri: PICTURE } },
          { inlineData: { mimeType: 'application/pdf', data: PDF } },
        ],
      },
      { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: 'a' } } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'read',
              response: { ok: true },
              parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
            },
          },
        ],
      },
      { role: 'model', parts: [{ text: 'Yes.' }] },
      { role: 'user', parts: [{ text: 'go on' }] },
    ],
  },
  chatCompletions: {
    model: 'm',
    max_completion_tokens: 32000,
    reasoning_effort: 'high',
    service_tier: 'flex',
    safety_identifier: 'u1',
    prompt_cache_key: 'k',
    store: true,
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: 'json_schema', json_schema: { name: 'response', schema: SCHEMA } },
    tools: [
      { type: 'function', function: { name: 'read', parameters: ARGUMENTS } },
      { type: 'custom', custom: { name: 'patch' } },
    ],
    web_search_options: {},
    tool_choice: { type: 'function', function: { name: 'read' } },
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'image_url', image_url: { url: PICTURE } },
          { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'c2', type: 'custom', custom: { name: 'patch', input: 'a' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
      { role: 'tool', tool_call_id: 'c2', content: 'done' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'go on' },
      { role: 'developer', content: 'Now be brief.' },
    ],
  },
} as const;

type Client = keyof typeof CLIENTS;
type Target = 'messages' | 'responses';

/** What each unsupported feature changes, with the losses that come of it; the others change nothing. */
const FITTED: Readonly<
  Record<Target, Readonly<Partial<Record<Client, Readonly<Partial<Record<HostFeature, readonly string[]>>>>>>>
> = {
  messages: {
    responses: {
      hostedTools: [
        '/tools/5 tool.client approximated',
        '/tools/3 tool.hosted dropped',
        '/tools/4 tool.hosted dropped',
      ],
      mcp: ['/tools/6 tool.hosted dropped'],
      clientTools: ['/tools/5 tool.client approximated'],
      codexItems: ['/tools/5 tool.client approximated'],
      documents: ['/input/0/content/3 part.media approximated'],
      images: [
        '/input/0/content/1 part.media approximated',
        '/input/0/content/2 part.media approximated',
        '/input/2/output/0 part.media approximated',
      ],
      imageUrls: ['/input/0/content/2 part.media moved'],
      resultMedia: ['/input/2 result.media moved'],
      toolChoice: ['/tool_choice toolChoice approximated'],
      namedToolChoice: ['/tool_choice toolChoice approximated'],
      outputFormat: ['/text/format output.schema approximated'],
      effort: ['/reasoning reasoning.effort approximated'],
      adaptive: [],
      systemTurns: ['/input/7 instruction.place approximated'],
      tiers: ['/service_tier tier dropped'],
      unknownKeys: [' ext.mcp_servers dropped', ' ext.output_config dropped', '/service_tier tier dropped'],
    },
    generateContent: {
      hostedTools: [
        '/tools/3/computerUse tool.client approximated',
        '/tools/1/googleSearch tool.hosted dropped',
        '/tools/2/codeExecution tool.hosted dropped',
      ],
      clientTools: ['/tools/3/computerUse tool.client approximated'],
      codexItems: ['/tools/3/computerUse tool.client approximated'],
      documents: ['/contents/0/parts/3 part.media approximated'],
      images: [
        '/contents/0/parts/1 part.media approximated',
        '/contents/0/parts/2 part.media approximated',
        '/contents/2/parts/0/functionResponse/parts/0 part.media approximated',
      ],
      imageUrls: ['/contents/0/parts/2 part.media moved'],
      resultMedia: ['/contents/2/parts/0 result.media moved'],
      toolChoice: ['/toolConfig/functionCallingConfig toolChoice approximated'],
      namedToolChoice: ['/toolConfig/functionCallingConfig toolChoice approximated'],
      outputFormat: ['/generationConfig/responseJsonSchema output.schema approximated'],
      effort: ['/generationConfig/thinkingConfig reasoning.effort approximated'],
      adaptive: [],
      unknownKeys: [' ext.output_config dropped'],
    },
    chatCompletions: {
      hostedTools: ['/web_search_options tool.hosted dropped'],
      documents: ['/messages/1/content/3 part.media approximated'],
      images: ['/messages/1/content/1 part.media approximated', '/messages/1/content/2 part.media approximated'],
      imageUrls: ['/messages/1/content/2 part.media moved'],
      toolChoice: ['/tool_choice toolChoice approximated'],
      namedToolChoice: ['/tool_choice toolChoice approximated'],
      outputFormat: ['/response_format output.schema approximated'],
      effort: ['/reasoning_effort reasoning.effort approximated'],
      adaptive: [],
      systemTurns: ['/messages/7 instruction.place approximated'],
      unknownKeys: [' ext.output_config dropped'],
    },
  },
  responses: {
    messages: {
      hostedTools: ['/tools/3 tool.client approximated', '/tools/4 tool.hosted dropped'],
      mcp: ['/tools/6 tool.hosted dropped'],
      clientTools: ['/tools/3 tool.client approximated'],
      codexItems: ['/tools/3 tool.client approximated'],
      encryptedReasoning: [],
      documents: ['/messages/0/content/3 part.media approximated'],
      images: [
        '/messages/0/content/1 part.media approximated',
        '/messages/0/content/2 part.media approximated',
        '/messages/2/content/0/content/0 part.media approximated',
      ],
      imageUrls: ['/messages/0/content/2 part.media moved'],
      resultMedia: ['/messages/2/content/0 result.media moved'],
      toolChoice: ['/tool_choice toolChoice approximated'],
      namedToolChoice: ['/tool_choice toolChoice approximated'],
      outputFormat: ['/output_config/format output.schema approximated'],
      textFormat: [],
      effort: ['/thinking reasoning.effort dropped'],
      unknownKeys: ['/metadata/user_id user dropped'],
    },
    generateContent: {
      hostedTools: [
        '/tools/3/computerUse tool.client approximated',
        '/tools/1/googleSearch tool.hosted dropped',
        '/tools/2/codeExecution tool.hosted dropped',
        '/generationConfig/responseModalities modalities dropped',
      ],
      clientTools: ['/tools/3/computerUse tool.client approximated'],
      codexItems: ['/tools/3/computerUse tool.client approximated'],
      encryptedReasoning: [],
      documents: ['/contents/0/parts/3 part.media approximated'],
      images: [
        '/contents/0/parts/1 part.media approximated',
        '/contents/0/parts/2 part.media approximated',
        '/contents/2/parts/0/functionResponse/parts/0 part.media approximated',
      ],
      imageUrls: ['/contents/0/parts/2 part.media moved'],
      resultMedia: ['/contents/2/parts/0 result.media moved'],
      toolChoice: ['/toolConfig/functionCallingConfig toolChoice approximated'],
      namedToolChoice: ['/toolConfig/functionCallingConfig toolChoice approximated'],
      outputFormat: ['/generationConfig/responseJsonSchema output.schema approximated'],
      textFormat: [],
      effort: ['/generationConfig/thinkingConfig reasoning.effort dropped'],
    },
    chatCompletions: {
      customTools: ['/tools/1 tool.custom approximated', '/messages/2/tool_calls/1 call.freeform approximated'],
      hostedTools: ['/web_search_options tool.hosted dropped'],
      encryptedReasoning: [],
      documents: ['/messages/1/content/3 part.media approximated'],
      images: ['/messages/1/content/1 part.media approximated', '/messages/1/content/2 part.media approximated'],
      imageUrls: ['/messages/1/content/2 part.media moved'],
      toolChoice: ['/tool_choice toolChoice approximated'],
      namedToolChoice: ['/tool_choice toolChoice approximated'],
      outputFormat: ['/response_format output.schema approximated'],
      textFormat: [],
      effort: ['/reasoning_effort reasoning.effort dropped'],
      tiers: ['/service_tier tier dropped'],
      unknownKeys: [
        '/logprobs logprobs dropped',
        '/safety_identifier user dropped',
        '/prompt_cache_key cache.key dropped',
        '/service_tier tier dropped',
      ],
      logprobs: ['/logprobs logprobs dropped'],
    },
  },
};

const LACKS = Object.keys(HOST_FEATURES) as HostFeature[];
/** Models that take all of it. */
const MODELS = {
  messages: { model: 'claude-opus-5', forcedWithThinking: true },
  responses: { model: 'gpt-5.1', sampling: [] },
} as const;

function sent(
  from: Client,
  to: Target,
  profile: ProfileChoice,
): { readonly body: JsonObject; readonly losses: readonly Loss[] } {
  const media = new Map([[PICTURE, { mime: 'image/png', base64: PNG }]]);
  return translateRequest({ from, to, model: 'm', body: CLIENTS[from], profile, omitMedia: true, media });
}

/** What a body still holds that the host lacks. */
function leftIn(body: JsonObject, to: Target, unsupported: readonly HostFeature[]): readonly string[] {
  const losses = createLosses();
  const text = JSON.stringify(body);
  const context = { unsupported: new Set(unsupported), losses, target: dialects[to].target('m'), omitMedia: true };
  const { text: fitted } = fitRelayed(to, { text, value: body }, context);
  return fitted === text ? [] : [...losses.list.map(({ feature }) => feature), fitted];
}

describe.each(['messages', 'responses'] as const)('requests of other dialects for a host of %s', (to) => {
  const clients = (Object.keys(CLIENTS) as Client[]).filter((from) => from !== to);

  test.each(clients)('that has a part of it: %s, feature by feature', (from) => {
    const whole = sent(from, to, MODELS[to]);
    const known = new Set(whole.losses.map(({ path, detail }) => `${path} ${detail}`));
    const found = LACKS.flatMap((feature) => {
      const { body, losses } = sent(from, to, { ...MODELS[to], unsupported: [feature] });
      expect([feature, leftIn(body, to, [feature])]).toEqual([feature, []]);
      const more = losses.filter(({ path, detail }) => !known.has(`${path} ${detail}`)).map(told);
      return JSON.stringify(body) === JSON.stringify(whole.body) ? [] : [[feature, more]];
    });
    expect(Object.fromEntries(found)).toEqual(FITTED[to][from]);
  });

  test.each(clients)('that a preset knows: %s', (from) => {
    for (const name of presetNames) {
      const unsupported = presets[name].endpoints[to]?.unsupported ?? [];
      for (const model of [MODELS[to].model, 'nobody-knows-it']) {
        expect([name, leftIn(sent(from, to, { model, unsupported }).body, to, unsupported)]).toEqual([name, []]);
      }
    }
  });
});

function told({ path, feature, kind }: Loss): string {
  return `${path} ${feature} ${kind}`;
}

test.each<HostFeature>(['summaryReasoning', 'encryptedReasoning'])(
  'reasoning of its own that a host no longer takes is told (%s)',
  (feature) => {
    const payload = JSON.stringify({ type: 'reasoning', summary: [], encrypted_content: 'A'.repeat(40) });
    const data = packState([{ dialect: 'responses', domain: 'own', kind: 'reasoning', payload }]);
    const { body, losses } = translateRequest({
      from: 'messages',
      to: 'responses',
      model: 'gpt-5.5',
      domain: 'own',
      profile: { unsupported: [feature] },
      body: {
        model: 'm',
        max_tokens: 100,
        messages: [
          { role: 'user', content: 'a' },
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data },
              { type: 'text', text: 'b' },
            ],
          },
          { role: 'user', content: 'c' },
        ],
      },
    });
    expect(JSON.stringify(body.input)).not.toContain('encrypted_content');
    expect(losses.map((loss) => `${loss.feature} ${loss.kind}`)).toContain('reasoning.state dropped');
  },
);
