/** What is said in the exchanges of a warm-up, in the dialect `messages`: a turn of an agent, with a call of a tool. */

const INPUT = {
  type: 'object',
  properties: { path: { type: 'string', description: 'Where it is.' }, lines: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
};

/** A request that no other is like. */
export function warmRequest(number: number): object {
  const id = `toolu_${number}`;
  return {
    model: 'm',
    max_tokens: 1000,
    system: 'You answer in short.',
    tools: ['read', 'list', 'find'].map((name) => ({ name, description: `Can ${name} files.`, input_schema: INPUT })),
    messages: [
      { role: 'user', content: `What is in file ${number}?` },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id, name: 'read', input: { path: `/${number}` } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: id, content: `Text ${number}` },
          { type: 'text', text: 'And in the next?' },
        ],
      },
    ],
  };
}

const USAGE = { input_tokens: 10, output_tokens: 20 };
const CALL = { type: 'tool_use', id: 'toolu_a', name: 'read', input: { path: '/next' } };

export function warmAnswer(): object {
  return {
    id: 'msg_a',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'I look into the next one. '.repeat(8) }, CALL],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: USAGE,
  };
}

/** The same in pieces. */
export function warmEvents(): string[] {
  const { content: _content, stop_reason, ...begun } = warmAnswer() as { content: unknown; stop_reason: string };
  const start = { ...begun, content: [], stop_reason: null };
  return [
    event('message_start', { message: start }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: 20 }, (_, index) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: `word ${index} ` } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('content_block_start', { index: 1, content_block: { ...CALL, input: {} } }),
    event('content_block_delta', {
      index: 1,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(CALL.input) },
    }),
    event('content_block_stop', { index: 1 }),
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: USAGE }),
    event('message_stop', {}),
  ];
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}
