import { argPieces, named, one, type Quoting } from './said.js';

function messagesBlock(index: number, content_block: object, deltas: readonly object[]): string[] {
  return [
    named('content_block_start', { index, content_block }),
    ...deltas.map((delta) => named('content_block_delta', { index, delta })),
    named('content_block_stop', { index }),
  ];
}

const whole: Quoting['whole'] = ({ text, thought, argument, name, id }) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking: one(thought), signature: 'c2lnbmF0dXJl' },
    ...text.map((piece) => ({ type: 'text', text: piece })),
    { type: 'tool_use', id: one(id), name: one(name), input: { city: one(argument) } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
});

const frames: Quoting['frames'] = ({ text, thought, argument, name, id }) => [
  named('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  }),
  ...messagesBlock(0, { type: 'thinking', thinking: '', signature: '' }, [
    ...thought.map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
  ]),
  ...messagesBlock(
    1,
    { type: 'text', text: '' },
    text.map((piece) => ({ type: 'text_delta', text: piece })),
  ),
  ...messagesBlock(
    2,
    { type: 'tool_use', id: one(id), name: one(name), input: {} },
    argPieces(argument).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ),
  named('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 2 } }),
  named('message_stop', {}),
];

export const quoting: Quoting = {
  asked: {
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
  },
  whole,
  frames,
  error: (place, key) => ({
    type: 'error',
    error: {
      type: place === 'code' ? key : 'invalid_request_error',
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      ...(place === 'param' && { param: key }),
    },
  }),
};
