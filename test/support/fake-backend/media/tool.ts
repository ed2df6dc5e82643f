import { INTERIM, MADE } from './routes.js';
import { jsonOf, type MediaAnswer, type MediaFake, refuse, startMediaFake, strangers } from './server.js';

const TOOL = [
  ...['type', 'action', 'model', 'size', 'quality', 'background', 'output_format', 'output_compression', 'moderation'],
  ...['input_fidelity', 'partial_images', 'input_image_mask'],
];

/** What the tool counts. */
export const TOOL_USAGE = {
  total_tokens: 50,
  input_tokens: 20,
  output_tokens: 30,
  input_tokens_details: { text_tokens: 15, image_tokens: 5 },
  output_tokens_details: { text_tokens: 0, image_tokens: 30 },
};

export const ITEM = {
  id: 'ig_1',
  type: 'image_generation_call',
  // The service leaves this word on items that are whole.
  status: 'generating',
  result: MADE,
  revised_prompt: 'a better prompt',
  size: '1024x1024',
  quality: 'high',
  background: 'opaque',
  output_format: 'png',
};

/** The answer of a model that called the tool. */
export function responseOf(output: readonly object[], more: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-text',
    output,
    usage: { input_tokens: 900, output_tokens: 100, total_tokens: 1000 },
    tool_usage: { image_gen: TOOL_USAGE },
    ...more,
  };
}

/** A strict responses service whose text model has the image tool. */
export function startImageTool(model = 'gpt-text'): Promise<MediaFake> {
  return startMediaFake((seen) => {
    if (seen.path !== '/v1/responses') return refuse(404, `no route ${seen.path}`, null, null);
    const body = jsonOf(seen);
    const known = ['model', 'input', 'tools', 'tool_choice', 'store', 'stream', 'safety_identifier'];
    const [stranger] = strangers(body, known);
    if (stranger !== undefined) return refuse(400, `Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter');
    if (body.model !== model)
      return refuse(400, `The model '${body.model}' does not exist.`, 'model', 'model_not_found');
    const fault = faultInTool(body) ?? faultInInput(body);
    if (fault !== undefined) return fault;
    return body.stream === true ? streamed(body) : { status: 200, body: responseOf([ITEM]) };
  });
}

function faultInTool({ tools, tool_choice: choice }: Record<string, unknown>): MediaAnswer | undefined {
  const [tool, ...others] = Array.isArray(tools) ? tools : [];
  if (tool?.type !== 'image_generation' || others.length > 0) return refuse(400, 'no tool', 'tools', null);
  if (JSON.stringify(choice) !== '{"type":"image_generation"}') return refuse(400, 'not forced', 'tool_choice', null);
  const [odd] = strangers(tool, TOOL);
  if (odd !== undefined)
    return refuse(400, `Unknown parameter: 'tools[0].${odd}'.`, `tools[0].${odd}`, 'unknown_parameter');
  if (tool.size !== undefined && !['1024x1024', '1024x1536', '1536x1024', 'auto'].includes(tool.size)) {
    return refuse(400, `Invalid value: '${tool.size}'.`, 'tools[0].size', 'invalid_value');
  }
  if (tool.quality !== undefined && !['low', 'medium', 'high', 'auto'].includes(tool.quality)) {
    return refuse(400, `Invalid value: '${tool.quality}'.`, 'tools[0].quality', 'invalid_value');
  }
  return undefined;
}

function faultInInput({ input }: Record<string, unknown>): MediaAnswer | undefined {
  const [message] = Array.isArray(input) ? input : [];
  const content: unknown[] = Array.isArray(message?.content) ? message.content : [];
  const texts = content.filter((part) => (part as { type?: string }).type === 'input_text');
  if (message?.role !== 'user' || texts.length !== 1) return refuse(400, 'no prompt', 'input', null);
  for (const part of content) {
    const { type, image_url: url } = part as { type?: string; image_url?: string };
    if (type === 'input_image' && !/^(https?:\/\/|data:image\/\w+;base64,[A-Za-z0-9+/]+=*$)/.test(url ?? '')) {
      return refuse(400, 'Invalid image', 'input[0].content', 'invalid_image_url');
    }
  }
  return undefined;
}

function streamed({ tools }: Record<string, unknown>): MediaAnswer {
  const [tool] = tools as { partial_images?: number }[];
  const partials = Array.from({ length: tool?.partial_images ?? 0 }, (_, index) => ({
    type: 'response.image_generation_call.partial_image',
    partial_image_b64: INTERIM,
    partial_image_index: index,
    size: '1024x1024',
  }));
  return { status: 200, body: toolStream([...partials]), headers: { 'content-type': 'text/event-stream' } };
}

/** The events of a call of the tool, with some in front of the picture, and the last word unless it is left out. */
export function toolStream(before: readonly object[], last: object | null = responseOf([ITEM])): string {
  const events: { type: string; [key: string]: unknown }[] = [
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', item: { ...ITEM, status: 'in_progress', result: null } },
    { type: 'response.image_generation_call.generating' },
    ...before.map((event) => ({ type: '', ...event })),
    { type: 'response.image_generation_call.completed' },
    ...(last === null ? [] : [{ type: 'response.completed', response: last }]),
  ];
  return events
    .map((data, index) => `event: ${data.type}\ndata: ${JSON.stringify({ sequence_number: index, ...data })}\n\n`)
    .join('');
}
