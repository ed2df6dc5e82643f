import { functionCall } from './chat-completions.js';
import { messageBlock } from './messages.js';
import type { Said, Wire } from './wire.js';

/** How a client wants its answer framed. */
export type Framing = 'plain' | 'stream' | 'array';

/** A turn of a conversation; a text is the user's. */
export type Turn =
  | string
  | { readonly says: readonly Said[] }
  | { readonly result: string; readonly id: string; readonly name: string }
  /** A PNG of the user in base64. */
  | { readonly picture: string }
  | { readonly pictureAt: string };

/** A function that the model may call; its description and what else it has as a client says it. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly strict?: boolean;
  readonly schema: object;
}

/** What a request asks, in no dialect yet. */
export interface Asked {
  readonly model: string;
  readonly framing?: Framing;
  readonly system?: string;
  readonly turns: readonly Turn[];
  readonly tools?: readonly Tool[];
  /** Most tokens of the answer; where a dialect must say some, 64 unless given. */
  readonly cap?: number;
  /** Whether the answer is kept, where the dialect can say so. */
  readonly stored?: boolean;
}

/** A request and where it is sent. */
export interface Sending {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a client of a dialect asks. */
export type Ask = (asked: Asked) => Sending;

/** What differs between dialects of a turn. */
interface Saying {
  readonly text: (text: string) => Wire;
  readonly picture: (base64: string) => Wire;
  readonly pictureAt: (url: string) => Wire;
  readonly says: (said: readonly Said[]) => readonly Wire[];
  readonly result: (output: string, id: string, name: string) => Wire;
}

function turnsOf(turns: readonly Turn[], saying: Saying): Wire[] {
  return turns.flatMap((turn) => {
    if (typeof turn === 'string') return saying.text(turn);
    if ('says' in turn) return saying.says(turn.says);
    if ('picture' in turn) return saying.picture(turn.picture);
    return 'pictureAt' in turn ? saying.pictureAt(turn.pictureAt) : saying.result(turn.result, turn.id, turn.name);
  });
}

const png = (base64: string): string => `data:image/png;base64,${base64}`;
const user = (content: unknown): Wire => ({ role: 'user', content });
const streamed = ({ framing = 'plain' }: Asked) => framing !== 'plain' && { stream: true };

function image(source: Wire): Wire {
  return user([{ type: 'image', source }]);
}

/** As [M §2]. */
export const askMessages: Ask = (asked) => ({
  path: '/v1/messages',
  body: {
    model: asked.model,
    max_tokens: asked.cap ?? 64,
    ...(asked.system !== undefined && { system: asked.system }),
    messages: turnsOf(asked.turns, {
      text: user,
      picture: (data) => image({ type: 'base64', media_type: 'image/png', data }),
      pictureAt: (url) => image({ type: 'url', url }),
      says: (said) => [{ role: 'assistant', content: said.map(messageBlock) }],
      result: (content, tool_use_id) => user([{ type: 'tool_result', tool_use_id, content }]),
    }),
    ...(asked.tools && { tools: asked.tools.map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })) }),
    ...streamed(asked),
  },
});

/** As [R §2]; a text alone is the whole input. */
export const askResponses: Ask = (asked) => {
  const [first] = asked.turns;
  const imageAt = (image_url: string): Wire => user([{ type: 'input_image', image_url }]);
  const input = turnsOf(asked.turns, {
    text: user,
    picture: (base64) => imageAt(png(base64)),
    pictureAt: imageAt,
    says: (said) =>
      said.map((one) =>
        one.kind === 'call'
          ? { type: 'function_call', call_id: one.id, name: one.name, arguments: one.args }
          : {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: one.text, annotations: [] }],
            },
      ),
    result: (output, call_id) => ({ type: 'function_call_output', call_id, output }),
  });
  return {
    path: '/v1/responses',
    body: {
      model: asked.model,
      ...(asked.cap !== undefined && { max_output_tokens: asked.cap }),
      ...(asked.system !== undefined && { instructions: asked.system }),
      input: typeof first === 'string' && asked.turns.length === 1 ? first : input,
      ...(asked.tools && {
        tools: asked.tools.map(({ schema, strict = false, ...tool }) => ({
          type: 'function',
          ...tool,
          parameters: schema,
          strict,
        })),
      }),
      ...(asked.stored !== undefined && { store: asked.stored }),
      ...streamed(asked),
    },
  };
};

const METHODS: Record<Framing, string> = {
  plain: 'generateContent',
  stream: 'streamGenerateContent?alt=sse',
  array: 'streamGenerateContent',
};

/** As [G §2]; nothing is said of strictness. */
export const askGenerateContent: Ask = ({ model, framing = 'plain', system, turns, tools, cap }) => {
  const given = (part: Wire): Wire => ({ role: 'user', parts: [part] });
  return {
    path: `/v1beta/models/${model}:${METHODS[framing]}`,
    body: {
      ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
      ...(cap !== undefined && { generationConfig: { maxOutputTokens: cap } }),
      contents: turnsOf(turns, {
        text: (text) => given({ text }),
        picture: (data) => given({ inlineData: { mimeType: 'image/png', data } }),
        pictureAt: (fileUri) => given({ fileData: { mimeType: 'image/png', fileUri } }),
        says: (said) => [
          {
            role: 'model',
            parts: said.map((one) =>
              one.kind === 'call'
                ? { functionCall: { id: one.id, name: one.name, args: JSON.parse(one.args) } }
                : { text: one.text },
            ),
          },
        ],
        result: (output, id, name) => given({ functionResponse: { id, name, response: { output } } }),
      }),
      ...(tools && {
        tools: [
          {
            functionDeclarations: tools.map(({ schema, strict: _strict, ...tool }) => ({
              ...tool,
              parametersJsonSchema: schema,
            })),
          },
        ],
      }),
    },
  };
};

/** As [H §2]. */
export const askChatCompletions: Ask = (asked) => {
  const imageAt = (url: string): Wire => user([{ type: 'image_url', image_url: { url } }]);
  const messages = turnsOf(asked.turns, {
    text: user,
    picture: (base64) => imageAt(png(base64)),
    pictureAt: imageAt,
    says: (said) => {
      const calls = said.flatMap((one) => (one.kind === 'call' ? [functionCall(one.id, one.name, one.args)] : []));
      const texts = said.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
      const content = texts.length === 0 ? null : texts.join('');
      return [{ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }];
    },
    result: (content, tool_call_id) => ({ role: 'tool', tool_call_id, content }),
  });
  return {
    path: '/v1/chat/completions',
    body: {
      model: asked.model,
      ...(asked.cap !== undefined && { max_completion_tokens: asked.cap }),
      messages: [...(asked.system === undefined ? [] : [{ role: 'system', content: asked.system }]), ...messages],
      ...(asked.tools && {
        tools: asked.tools.map(({ schema, ...tool }) => ({
          type: 'function',
          function: { ...tool, parameters: schema },
        })),
      }),
      ...streamed(asked),
    },
  };
};
