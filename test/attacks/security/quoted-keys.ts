/** Where in an answer a backend quotes a key, written from the wire sheets. */
export const PLACES = ['text', 'thought', 'argument', 'name', 'id'] as const;

export type Place = (typeof PLACES)[number];

/** What an answer says in each place. */
type Said = Readonly<Record<Place, readonly string[]>>;

/** An answer that quotes `pieces` in a place; only texts, thoughts and arguments come in pieces. */
export function saying(place: Place, pieces: readonly string[]): Said {
  const usual = { text: ['Hello'], thought: ['Hm'], argument: ['Rome'], name: ['look'], id: ['call_1'] };
  return { ...usual, [place]: pieces };
}

const one = (pieces: readonly string[]): string => pieces.join('');
const args = (pieces: readonly string[]): string => `{"city":"${one(pieces)}"}`;
/** The arguments as the pieces of a stream. */
const argPieces = (pieces: readonly string[]): string[] => ['{"city":"', ...pieces, '"}'];

/** The dialects whose answers are written here. */
export const QUOTING = ['messages', 'responses', 'generateContent', 'chatCompletions'] as const;
export type Quoting = (typeof QUOTING)[number];

/** A whole answer of a dialect; texts in as many parts as they have pieces. */
export const WHOLE_SAYING: Readonly<Record<Quoting, (said: Said) => object>> = {
  messages: ({ text, thought, argument, name, id }) => ({
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
  }),
  responses: ({ text, thought, argument, name, id }) => ({
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
  }),
  generateContent: ({ text, thought, argument, name, id }) => ({
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
  }),
  chatCompletions: ({ text, thought, argument, name, id }) => ({
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
  }),
};

const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const bare = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

function messagesBlock(index: number, content_block: object, deltas: readonly object[]): string[] {
  return [
    named('content_block_start', { index, content_block }),
    ...deltas.map((delta) => named('content_block_delta', { index, delta })),
    named('content_block_stop', { index }),
  ];
}

/** The events of the same as a stream. */
export const FRAMES_SAYING: Readonly<Record<Quoting, (said: Said) => string[]>> = {
  messages: ({ text, thought, argument, name, id }) => [
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
  ],
  responses: (said) => {
    const whole = WHOLE_SAYING.responses(said) as { output: readonly [object, object, object] };
    const { text, thought, argument, name, id } = said;
    const begun = { ...whole, status: 'in_progress', output: [] };
    const [reasoning, message, call] = whole.output;
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
      ['response.completed', { response: whole }],
    ];
    return events.map(([type, data], sequence_number) => named(type, { sequence_number, ...data }));
  },
  generateContent: ({ text, thought, argument, name, id }) => {
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
      chunk(
        { functionCall: { id: one(id), name: one(name), args: { city: one(argument) } } },
        { finishReason: 'STOP' },
      ),
    ];
  },
  chatCompletions: ({ text, thought, argument, name, id }) => {
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
  },
};

/** Errors of a dialect that quote a key in each of these places. */
export const ERROR_PLACES = ['message', 'code', 'param'] as const;

export const ERROR_SAYING: Readonly<Record<Quoting, (place: (typeof ERROR_PLACES)[number], key: string) => object>> = {
  messages: (place, key) => ({
    type: 'error',
    error: {
      type: place === 'code' ? key : 'invalid_request_error',
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      ...(place === 'param' && { param: key }),
    },
  }),
  responses: openAiError,
  generateContent: (place, key) => ({
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
  chatCompletions: openAiError,
};

function openAiError(place: (typeof ERROR_PLACES)[number], key: string): object {
  return {
    error: {
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      type: 'invalid_request_error',
      param: place === 'param' ? key : null,
      code: place === 'code' ? key : null,
    },
  };
}

/** Every text with the characters of the key as JSON may escape them. */
export function escaped(text: string, parts: readonly string[]): string {
  return parts.reduce((rest, part) => (part === '' ? rest : rest.replaceAll(part, spelled(part))), text);
}

function spelled(part: string): string {
  return [...part].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** Stretches of the key of so many characters are looked for. */
const STRETCH = 8;

/** What a client could read of the key: in the text as it is, in its strings, and in texts that come in pieces. */
export function toldOf(key: string, text: string): string[] {
  const seen = [plain(text), ...joinedTexts(text).map(plain)];
  const stretches = Array.from({ length: key.length - STRETCH + 1 }, (_, at) => key.slice(at, at + STRETCH));
  return stretches.filter((stretch) => seen.some((one) => one.includes(stretch)));
}

/** A text without escapes, at every depth. */
function plain(text: string): string {
  return text.replace(/\\+u00([0-7][0-9a-f])/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The strings of all events, or of the one answer, those of one path joined. */
function joinedTexts(text: string): string[] {
  const texts = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, (texts.get(path) ?? '') + value);
    else if (Array.isArray(value)) for (const item of value) visit(item, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
  };
  const pieces = text.includes('data: ') ? text.split('\n').map((line) => line.replace(/^data: /, '')) : [text];
  for (const piece of pieces) {
    try {
      visit(JSON.parse(piece), '');
    } catch {
      // A line that holds no JSON.
    }
  }
  return [...texts.values()];
}
