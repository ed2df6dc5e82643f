import { bare, one, type Quoting } from './said.js';

const whole: Quoting['whole'] = ({ text, thought, argument, name, id }) => ({
  candidates: [
    {
      index: 0,
      finishReason: 'STOP',
      content: {
        role: 'model',
        parts: [
          { text: one(thought), thought: true },
          ...text.map((piece) => ({ text: piece })),
          { functionCall: { id: one(id), name: one(name), args: { city: one(argument) } } },
        ],
      },
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'm',
  responseId: 'r1',
});

const frames: Quoting['frames'] = ({ text, thought, argument, name, id }) => {
  const chunk = (part: object, more: object = {}): string =>
    bare({
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...more }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
      modelVersion: 'm',
      responseId: 'r1',
    });
  return [
    ...thought.map((piece) => chunk({ text: piece, thought: true })),
    ...text.map((piece) => chunk({ text: piece })),
    chunk({ functionCall: { id: one(id), name: one(name), args: { city: one(argument) } } }, { finishReason: 'STOP' }),
  ];
};

export const quoting: Quoting = {
  asked: {
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    tools: [{ functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT' } }] }],
  },
  whole,
  frames,
  error: (place, key) => ({
    error: {
      code: 400,
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      status: place === 'code' ? key : 'INVALID_ARGUMENT',
      ...(place === 'param' && {
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: key, description: 'wrong' }],
          },
        ],
      }),
    },
  }),
};
