import { describe, expect, test } from '@jest/globals';
import { dialects, type JsonObject } from '../../translators/index.js';

// What a stream that is made of a whole answer tells beside its text.

const CITED = {
  type: 'output_text',
  text: 'Hi',
  annotations: [{ type: 'url_citation', url: 'https://example.org/', title: 'A', start_index: 0, end_index: 2 }],
  logprobs: [],
};
const ANSWER = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [CITED] }],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

function eventsOf(answer: JsonObject): JsonObject[] {
  const frames = dialects.responses
    .wholeAsStream(answer)
    .split('\n')
    .filter((line) => line.startsWith('data: {'));
  return frames.map((line) => JSON.parse(line.slice('data: '.length)));
}

test('a part ends as it is, with its annotations', () => {
  const ends = eventsOf(ANSWER).filter(({ type }) => type === 'response.content_part.done');
  expect(ends).toEqual([expect.objectContaining({ item_id: 'msg_1', content_index: 0, part: CITED })]);
});

test('what only an answer that ended has is not there when it begins', () => {
  const cut = {
    ...ANSWER,
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    error: null,
    completed_at: 1_700_000_000,
  };
  const events = eventsOf(cut);
  const empty = { status: 'in_progress', output: [], usage: null, incomplete_details: null, completed_at: null };
  expect(events.slice(0, 2)).toEqual([
    expect.objectContaining({ type: 'response.created', response: { ...cut, ...empty } }),
    expect.objectContaining({ type: 'response.in_progress', response: { ...cut, ...empty } }),
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: cut });
});

describe('an answer that did not end', () => {
  test.each(['queued', 'in_progress'])('%s is told as what it is', (status) => {
    expect(eventsOf({ ...ANSWER, status }).at(-1)).toMatchObject({ type: `response.${status}`, response: { status } });
  });
});
