import { type DialectId, dialectIds } from '../../translators/index.js';

/** An event of a stream, or a node of a body, not narrowed: a demonstration trusts what it is shown. */
type Node = { readonly [key: string]: unknown };

/** A call of the tool, as the client sees it. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
}

/** A streamed turn of the model, read to its end. */
export interface SeenTurn {
  readonly text: string;
  readonly calls: readonly SeenCall[];
  /** What a client sends back as the model's part of the conversation. */
  readonly echo: readonly Node[];
  /** The stream ended with its dialect's own last word. */
  readonly ended: boolean;
}

/** The least that a client of a dialect has to do: ask, read the stream, send a result. */
export interface DemoClient {
  path(model: string): string;
  /** The conversation so far; a turn and the results of its calls follow the question when the tool was called. */
  body(model: string, turn?: SeenTurn): Node;
  read(events: readonly Node[]): SeenTurn;
}

const QUESTION = 'What is the weather in Oslo? Use the tool.';
const RESULT = '4 degrees and rain';
const NAME = 'get_weather';
const DESCRIPTION = 'Tells the weather in a city';
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const messages: DemoClient = {
  path: () => '/v1/messages',
  body: (model, turn) => ({
    model,
    max_tokens: 1024,
    stream: true,
    tools: [{ name: NAME, description: DESCRIPTION, input_schema: SCHEMA }],
    messages: [
      { role: 'user', content: QUESTION },
      ...(turn === undefined
        ? []
        : [
            { role: 'assistant', content: turn.echo },
            {
              role: 'user',
              content: turn.calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT })),
            },
          ]),
    ],
  }),
  read(events) {
    const blocks: Record<string, unknown>[] = [];
    const json: string[] = [];
    for (const event of events) {
      const index = Number(event.index);
      if (event.type === 'content_block_start') {
        blocks[index] = { ...nodeOf(event.content_block) };
        json[index] = '';
      }
      const block = blocks[index];
      if (event.type !== 'content_block_delta' || block === undefined) continue;
      const delta = nodeOf(event.delta);
      for (const key of ['text', 'thinking', 'signature']) {
        if (typeof delta[key] === 'string') block[key] = `${block[key] ?? ''}${delta[key]}`;
      }
      json[index] += typeof delta.partial_json === 'string' ? delta.partial_json : '';
    }
    const echo: Node[] = blocks.map((block, index) =>
      block.type === 'tool_use' ? { ...block, input: JSON.parse(json[index] || '{}') } : block,
    );
    return {
      text: textOf(echo.filter(({ type }) => type === 'text')),
      calls: echo
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name }) => ({ id: String(id), name: String(name) })),
      echo,
      ended: events.at(-1)?.type === 'message_stop',
    };
  },
};

const responses: DemoClient = {
  path: () => '/v1/responses',
  body: (model, turn) => ({
    model,
    stream: true,
    store: false,
    tools: [{ type: 'function', name: NAME, description: DESCRIPTION, parameters: SCHEMA, strict: false }],
    input: [
      { role: 'user', content: QUESTION },
      ...(turn?.echo ?? []),
      ...(turn?.calls ?? []).map(({ id }) => ({ type: 'function_call_output', call_id: id, output: RESULT })),
    ],
  }),
  read(events) {
    const last = events.at(-1);
    const output = listOf(nodeOf(last?.response).output);
    return {
      text: textOf(output.flatMap(({ content }) => listOf(content))),
      calls: output
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id, name }) => ({ id: String(call_id), name: String(name) })),
      echo: output,
      ended: last?.type === 'response.completed',
    };
  },
};

const generateContent: DemoClient = {
  path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  body: (_model, turn) => ({
    tools: [{ functionDeclarations: [{ name: NAME, description: DESCRIPTION, parametersJsonSchema: SCHEMA }] }],
    contents: [
      { role: 'user', parts: [{ text: QUESTION }] },
      ...(turn === undefined
        ? []
        : [
            { role: 'model', parts: turn.echo },
            {
              role: 'user',
              parts: turn.calls.map(({ id, name }) => ({
                functionResponse: { ...(id !== '' && { id }), name, response: { output: RESULT } },
              })),
            },
          ]),
    ],
  }),
  read(events) {
    const candidates = events.flatMap((event) => listOf(event.candidates));
    const echo = candidates.flatMap(({ content }) => listOf(nodeOf(content).parts));
    return {
      text: textOf(echo.filter(({ thought }) => thought !== true)),
      calls: echo
        .filter(({ functionCall }) => functionCall !== undefined)
        .map(({ functionCall }) => ({
          id: String(nodeOf(functionCall).id ?? ''),
          name: String(nodeOf(functionCall).name),
        })),
      echo,
      ended: candidates.some(({ finishReason }) => finishReason === 'STOP'),
    };
  },
};

export const demoClients = { messages, responses, generateContent } as const satisfies Record<DialectId, DemoClient>;

export const demoDialects = dialectIds;

/** Name of the tool that every demonstration declares. */
export const DEMO_TOOL = NAME;

function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(nodeOf) : [];
}

function textOf(nodes: readonly Node[]): string {
  return nodes.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}
