import type { DialectId } from '../../../translators/index.js';
import type { Json } from './issuers.js';

/** A call that a client was given and has to answer. */
interface Asked {
  readonly id: string | undefined;
  readonly name: string;
}

/** A client that keeps its history as the users of its official library do: it sends back what it was given. */
export interface Client {
  readonly dialect: DialectId;
  /** The nodes of the history, for what clients do to them. */
  readonly history: Json[];
  user(text: string): void;
  /** Appends an answer; gives the calls in it. */
  answer(body: Json): readonly Asked[];
  results(asked: readonly Asked[]): void;
  request(stream: boolean): Json;
}

const TOOLS = ['look', 'peek'];
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

export function createClient(dialect: DialectId): Client {
  const history: Json[] = [];
  return { dialect, history, ...MANNERS[dialect](history) };
}

type Manner = (history: Json[]) => Omit<Client, 'dialect' | 'history'>;

const MANNERS: Record<DialectId, Manner> = {
  messages: (messages) => ({
    user: (text) => messages.push({ role: 'user', content: text }),
    answer(body) {
      const content = body.content as Json[];
      if (content.length > 0) messages.push({ role: 'assistant', content });
      return content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name }) => ({ id: String(id), name: String(name) }));
    },
    results: (asked) =>
      messages.push({
        role: 'user',
        content: asked.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })),
      }),
    request: (stream) => ({
      model: 'm',
      max_tokens: 8000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: TOOLS.map((name) => ({ name, input_schema: SCHEMA })),
      messages: [...messages],
      ...(stream && { stream }),
    }),
  }),
  responses: (input) => ({
    user: (text) => input.push({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    answer(body) {
      const output = body.output as Json[];
      input.push(...output);
      return output
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id, name }) => ({ id: String(call_id), name: String(name) }));
    },
    results: (asked) =>
      input.push(...asked.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'seen' }))),
    request: (stream) => ({
      model: 'm',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      tools: TOOLS.map((name) => ({ type: 'function', name, parameters: SCHEMA, strict: false })),
      input: [...input],
      ...(stream && { stream }),
    }),
  }),
  generateContent: (contents) => ({
    user: (text) => contents.push({ role: 'user', parts: [{ text }] }),
    answer(body) {
      const [candidate] = body.candidates as { content: { parts: Json[] } }[];
      const parts = candidate?.content.parts ?? [];
      if (parts.length > 0) contents.push({ role: 'model', parts });
      return parts.flatMap((part) => {
        const call = part.functionCall as Json | undefined;
        return call === undefined ? [] : [{ id: call.id as string | undefined, name: String(call.name) }];
      });
    },
    results: (asked) =>
      contents.push({
        role: 'user',
        parts: asked.map(({ id, name }) => ({
          functionResponse: { ...(id !== undefined && { id }), name, response: { output: 'seen' } },
        })),
      }),
    request: () => ({
      generationConfig: { thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true } },
      tools: [{ functionDeclarations: TOOLS.map((name) => ({ name, parametersJsonSchema: SCHEMA })) }],
      contents: [...contents],
    }),
  }),
};
