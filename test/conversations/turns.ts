import { expect } from '@jest/globals';
import type OpenAI from 'openai';
import type { FakeBackend } from '../support/fake-backend/index.js';

export const TOOLS: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'add', description: 'adds', parameters: { type: 'object', properties: {} }, strict: false },
];

/** Where a conversation stands. */
export interface Point {
  readonly turn: number;
  /** The answer before, and the call in it that is still to be answered. */
  readonly previous?: string;
  readonly call?: string;
}

export const START: Point = { turn: 0 };

/** What the backend says. U+2028 ends a line for patterns, and none of a stream. */
export function answerAt(turn: number): string {
  return `answer\u2028${turn}`;
}

/**
 * One turn of an agent that relies on the service's memory: it sends the question, or the result of the last call, and
 * nothing of what was before. The backend reasons, says a word and calls the tool.
 */
export async function takeTurn(
  client: OpenAI,
  backend: FakeBackend,
  model: string,
  { turn, previous, call }: Point,
  streamed: boolean,
): Promise<Point> {
  const said = { reasoning: `thought ${turn}`, text: answerAt(turn) };
  backend.script({ kind: 'reasoning+calls', ...said, calls: [{ name: 'add', arguments: { turn } }] });
  const params = {
    model,
    tools: TOOLS,
    reasoning: { effort: 'medium' as const },
    input:
      call === undefined
        ? [{ role: 'user' as const, content: `question ${turn}` }]
        : [{ type: 'function_call_output' as const, call_id: call, output: `result ${turn}` }],
    previous_response_id: previous,
  };
  const answer = streamed
    ? await client.responses.stream(params).finalResponse()
    : await client.responses.create(params);
  expect(answer.status).toBe('completed');
  expect(storeOf(answer) ?? true).toBe(true);
  expect(answer.previous_response_id ?? undefined).toBe(previous);
  expect(answer.output_text).toBe(said.text);
  const output: readonly OpenAI.Responses.ResponseOutputItem[] = answer.output;
  const made = output.find((item) => item.type === 'function_call');
  expect(made?.arguments).toBe(JSON.stringify({ turn }));
  return { turn: turn + 1, previous: answer.id, call: made?.call_id };
}

/** Whether an answer says that it is stored; the client's types leave the field out. */
export function storeOf(answer: object): unknown {
  return Reflect.get(answer, 'store');
}
