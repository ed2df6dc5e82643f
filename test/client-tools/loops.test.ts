import type Anthropic from '@anthropic-ai/sdk';
import { type Content, Environment, type Part } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { GATEWAY_KEY, openStage, type Stage } from '../sdk/stage.js';
import { connectGenerateContent, connectMessages, connectResponses } from '../support/clients.js';
import type { FakeDialectName, Reply, ReplyCall } from '../support/fake-backend/index.js';
import { type Call, streamOf, wholeOf } from './answers.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA=';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

/** A backend that makes these calls, one after the other, and then says that it is done. */
function script(backend: FakeDialectName, calls: readonly Call[], stream: boolean): void {
  const replies = calls.map(
    (call, round): Reply => (backend === 'responses' ? rawReply(call, `r${round}c`, stream) : callReply(call)),
  );
  stage.backends[backend].script([...replies, { kind: 'text', text: 'Done.' }]);
}

function callReply({ name, args }: Call): Reply {
  const calls: ReplyCall[] = [{ name, arguments: args }];
  return { kind: 'calls', reasoning: 'Unasked.', calls };
}

/** Items that only the service itself writes. */
function rawReply(call: Call, id: string, stream: boolean): Reply {
  const body = stream ? streamOf('responses', [call], id) : JSON.stringify(wholeOf('responses', [call], id));
  const headers = { 'content-type': stream ? 'text/event-stream' : 'application/json' };
  return { kind: 'raw', headers, chunks: [body] };
}

const STREAMS = [false, true];

describe.each(STREAMS)('the openai SDK with computer, shell and patches, stream: %s', (stream) => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Delete File: b.txt\n*** End Patch';
  const CALLS: Readonly<Record<'messages' | 'generateContent', readonly Call[]>> = {
    messages: [
      { name: 'computer', args: { action: 'left_click', coordinate: [10, 20] } },
      { name: 'bash', args: { command: 'ls' } },
      { name: 'apply_patch', args: { input: patch } },
    ],
    generateContent: [
      { name: 'type_text_at', args: { x: 500, y: 500, text: 'tea' } },
      { name: 'bash', args: { command: 'ls' } },
      { name: 'apply_patch', args: { input: patch } },
    ],
  };

  test.each(['messages', 'generateContent'] as const)('%s backend', async (backend) => {
    script(backend, CALLS[backend], stream);
    const client = connectResponses(stage.url, { apiKey: GATEWAY_KEY });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Go.' }];
    const seen: string[] = [];
    let text = '';
    for (let round = 0; round < 5 && text === ''; round += 1) {
      const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
        model: `via-${backend}`,
        tools: [{ type: 'computer' }, { type: 'shell' }, { type: 'apply_patch' }],
        input,
      };
      const response = stream
        ? await client.responses.stream({ ...body, stream: true }).finalResponse()
        : await client.responses.create(body);
      text = response.output_text;
      const outputs: OpenAI.Responses.ResponseInputItem[] = [];
      for (const item of response.output) {
        if (item.type !== 'message' && item.type !== 'reasoning') seen.push(item.type);
        const output = runItem(item);
        if (output !== undefined) outputs.push(output);
      }
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]), ...outputs);
    }
    expect(text).toBe('Done.');
    expect(seen).toEqual(['computer_call', 'shell_call', 'apply_patch_call', 'apply_patch_call']);
    const last = JSON.stringify(stage.backends[backend].requests.at(-1)?.body);
    expect(stage.backends[backend].requests).toHaveLength(4);
    for (const call of CALLS[backend].slice(1)) expect(last).toContain(JSON.stringify(call.args));
    // The state of the model came home with its calls.
    expect(last).not.toContain('skip_thought_signature_validator');
  });
});

function runItem(item: OpenAI.Responses.ResponseOutputItem): OpenAI.Responses.ResponseInputItem | undefined {
  switch (item.type) {
    case 'computer_call': {
      expect(item.actions?.length ?? 0).toBeGreaterThan(0);
      const output = { type: 'computer_screenshot' as const, image_url: `data:image/png;base64,${PNG}` };
      return { type: 'computer_call_output', call_id: item.call_id, output };
    }
    case 'shell_call': {
      expect(item.action.commands).toEqual(['ls']);
      const outcome = { type: 'exit' as const, exit_code: 0 };
      return { type: 'shell_call_output', call_id: item.call_id, output: [{ stdout: 'a.txt', stderr: '', outcome }] };
    }
    case 'apply_patch_call':
      expect(['create_file', 'delete_file']).toContain(item.operation.type);
      return {
        type: 'apply_patch_call_output',
        call_id: item.call_id,
        status: 'completed',
        output: item.operation.path,
      };
    default:
      return undefined;
  }
}

describe.each(STREAMS)('the anthropic SDK with computer, bash, editor and memory, stream: %s', (stream) => {
  const functions: readonly Call[] = [
    { name: 'bash', args: { command: 'ls' } },
    { name: 'str_replace_based_edit_tool', args: { command: 'view', path: '/a' } },
    { name: 'memory', args: { command: 'view', path: '/memories' } },
  ];
  const CALLS: Readonly<Record<'responses' | 'generateContent', readonly Call[]>> = {
    responses: [
      {
        name: 'computer_call',
        args: { actions: [{ type: 'click', button: 'left', x: 1, y: 2 }, { type: 'wait' }], pending_safety_checks: [] },
      },
      ...functions.map(({ name, args }) => ({
        name: 'function_call',
        args: { name, arguments: JSON.stringify(args) },
      })),
    ],
    generateContent: [{ name: 'click_at', args: { x: 100, y: 200 } }, ...functions],
  };

  test.each(['responses', 'generateContent'] as const)('%s backend', async (backend) => {
    script(backend, CALLS[backend], stream);
    const client = connectMessages(stage.url, { apiKey: GATEWAY_KEY });
    const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Go.' }];
    const seen: string[] = [];
    let text = '';
    for (let round = 0; round < 6 && text === ''; round += 1) {
      const body: Anthropic.Beta.MessageCreateParamsNonStreaming = {
        model: `via-${backend}`,
        max_tokens: 1000,
        betas: ['computer-use-2025-01-24'],
        tools: [
          { type: 'computer_20250124', name: 'computer', display_width_px: 1000, display_height_px: 500 },
          { type: 'bash_20250124', name: 'bash' },
          { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
          { type: 'memory_20250818', name: 'memory' },
        ],
        messages,
      };
      const message = stream
        ? await client.beta.messages.stream(body).finalMessage()
        : await client.beta.messages.create(body);
      messages.push({ role: 'assistant', content: message.content });
      const results: Anthropic.Beta.BetaToolResultBlockParam[] = [];
      for (const block of message.content) {
        if (block.type === 'text') text = block.text;
        if (block.type !== 'tool_use') continue;
        seen.push(`${block.name} ${JSON.stringify(block.input)}`);
        results.push({ type: 'tool_result', tool_use_id: block.id, content: resultOf(block.name) });
      }
      if (results.length > 0) {
        expect(message.stop_reason).toBe('tool_use');
        messages.push({ role: 'user', content: results });
      }
    }
    expect(text).toBe('Done.');
    expect(seen).toEqual([
      ...(backend === 'responses'
        ? ['computer {"action":"left_click","coordinate":[1,2]}', 'computer {"action":"wait","duration":1}']
        : ['computer {"action":"left_click","coordinate":[100,100]}']),
      ...functions.map(({ name, args }) => `${name} ${JSON.stringify(args)}`),
    ]);
    const last = JSON.stringify(stage.backends[backend].requests.at(-1)?.body);
    expect(last).toContain(PNG);
    if (backend === 'generateContent') expect(last).toContain(JSON.stringify({ x: 100, y: 200 }));
    else expect(last).toContain('"actions":[{"type":"click","button":"left","x":1,"y":2},{"type":"wait"}]');
    expect(last).not.toContain('skip_thought_signature_validator');
  });
});

function resultOf(name: string): Anthropic.Beta.BetaToolResultBlockParam['content'] {
  if (name !== 'computer') return `the result of ${name}`;
  return [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }];
}

describe.each(STREAMS)('the genai SDK with the computer, stream: %s', (stream) => {
  const CALLS: Readonly<Record<'messages' | 'responses', readonly Call[]>> = {
    messages: [
      { name: 'computer', args: { action: 'screenshot' } },
      { name: 'computer', args: { action: 'left_click', coordinate: [512, 384] } },
      { name: 'computer', args: { action: 'type', text: 'tea' } },
    ],
    responses: [
      { name: 'computer_call', args: { actions: [{ type: 'screenshot' }], pending_safety_checks: [] } },
      {
        name: 'computer_call',
        args: { actions: [{ type: 'click', button: 'left', x: 512, y: 384 }], pending_safety_checks: [] },
      },
      { name: 'computer_call', args: { actions: [{ type: 'type', text: 'tea' }], pending_safety_checks: [] } },
    ],
  };

  test.each(['messages', 'responses'] as const)('%s backend', async (backend) => {
    script(backend, CALLS[backend], stream);
    const client = connectGenerateContent(stage.url, { apiKey: GATEWAY_KEY });
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Go.' }] }];
    const seen: unknown[] = [];
    let text = '';
    for (let round = 0; round < 6 && text === ''; round += 1) {
      const parts = await answerOf(client, `via-${backend}`, contents, stream);
      contents.push({ role: 'model', parts });
      text = parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('');
      const results = parts.flatMap(({ functionCall }): Part[] => {
        if (functionCall === undefined) return [];
        const { id, name, args } = functionCall;
        seen.push({ name, args });
        const picture = { inlineData: { mimeType: 'image/png', data: PNG } };
        return [{ functionResponse: { id, name, response: { url: 'https://example.com' }, parts: [picture] } }];
      });
      if (results.length > 0) contents.push({ role: 'user', parts: results });
    }
    expect(text).toBe('Done.');
    expect(seen).toEqual([
      { name: 'open_web_browser', args: {} },
      { name: 'click_at', args: { x: 500, y: 500 } },
      { name: 'type_text_at', args: { x: 500, y: 500, text: 'tea', clear_before_typing: false, press_enter: false } },
    ]);
    const last = JSON.stringify(stage.backends[backend].requests.at(-1)?.body);
    const said = CALLS[backend].map(({ args }) => JSON.stringify(args.actions ?? args));
    for (const words of said) expect(last).toContain(words);
  });
});

async function answerOf(
  client: ReturnType<typeof connectGenerateContent>,
  model: string,
  contents: Content[],
  stream: boolean,
): Promise<Part[]> {
  const config = { tools: [{ computerUse: { environment: Environment.ENVIRONMENT_BROWSER } }] };
  if (!stream) {
    const answer = await client.models.generateContent({ model, contents, config });
    return answer.candidates?.[0]?.content?.parts ?? [];
  }
  const parts: Part[] = [];
  for await (const chunk of await client.models.generateContentStream({ model, contents, config })) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  }
  return parts.filter((part) => part.text !== '' || part.thoughtSignature !== undefined);
}
