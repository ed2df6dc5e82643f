import { argPieces, args, named, one, openAiError, type Quoting } from './said.js';

const whole: Quoting['whole'] = ({ text, thought, argument, name, id }) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: one(thought) }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: text.map((piece) => ({ type: 'output_text', text: piece, annotations: [] })),
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: one(id),
      name: one(name),
      arguments: args(argument),
      status: 'completed',
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
});

const frames: Quoting['frames'] = (said) => {
  const answer = whole(said) as { output: readonly [object, object, object] };
  const { text, thought, argument, name, id } = said;
  const begun = { ...answer, status: 'in_progress', output: [] };
  const [reasoning, message, call] = answer.output;
  const events: [string, object][] = [
    ['response.created', { response: begun }],
    ['response.output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } }],
    [
      'response.reasoning_summary_part.added',
      { item_id: 'rs_1', output_index: 0, summary_index: 0, part: { type: 'summary_text', text: '' } },
    ],
    ...thought.map((delta): [string, object] => [
      'response.reasoning_summary_text.delta',
      { item_id: 'rs_1', output_index: 0, summary_index: 0, delta },
    ]),
    ['response.output_item.done', { output_index: 0, item: reasoning }],
    [
      'response.output_item.added',
      {
        output_index: 1,
        item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] },
      },
    ],
    [
      'response.content_part.added',
      {
        item_id: 'msg_1',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      },
    ],
    ...text.map((delta): [string, object] => [
      'response.output_text.delta',
      { item_id: 'msg_1', output_index: 1, content_index: 0, delta },
    ]),
    ['response.output_item.done', { output_index: 1, item: message }],
    [
      'response.output_item.added',
      {
        output_index: 2,
        item: {
          type: 'function_call',
          id: 'fc_1',
          call_id: one(id),
          name: one(name),
          arguments: '',
          status: 'in_progress',
        },
      },
    ],
    ...argPieces(argument).map((delta): [string, object] => [
      'response.function_call_arguments.delta',
      { item_id: 'fc_1', output_index: 2, delta },
    ]),
    ['response.output_item.done', { output_index: 2, item: call }],
    ['response.completed', { response: answer }],
  ];
  return events.map(([type, data], sequence_number) => named(type, { sequence_number, ...data }));
};

export const quoting: Quoting = {
  asked: {
    reasoning: { summary: 'auto' },
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' }, strict: false }],
  },
  whole,
  frames,
  error: openAiError,
};
