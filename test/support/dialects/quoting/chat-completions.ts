import { argPieces, args, bare, one, openAiError, type Quoting } from './said.js';

const whole: Quoting['whole'] = ({ text, thought, argument, name, id }) => ({
  id: 'chatcmpl_1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: one(text),
        reasoning_content: one(thought),
        tool_calls: [{ id: one(id), type: 'function', function: { name: one(name), arguments: args(argument) } }],
      },
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

const frames: Quoting['frames'] = ({ text, thought, argument, name, id }) => {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    bare({
      id: 'chatcmpl_1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    });
  const [first = '', ...rest] = argPieces(argument);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...thought.map((reasoning_content) => chunk({ reasoning_content })),
    ...text.map((content) => chunk({ content })),
    chunk({
      tool_calls: [{ index: 0, id: one(id), type: 'function', function: { name: one(name), arguments: first } }],
    }),
    ...rest.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
};

export const quoting: Quoting = {
  asked: {
    reasoning_effort: 'low',
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  },
  whole,
  frames,
  error: openAiError,
};
