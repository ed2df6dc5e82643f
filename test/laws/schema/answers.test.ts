import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { translateResponse } from '../../../translators/index.js';
import { isObject, type Json, type JsonObject, parseJson } from '../../../translators/wire/json.js';
import { documents } from '../../schema/arbitraries.js';
import { createDice, type Dice, sampleOf } from '../../schema/instances.js';
import { verdict } from '../../schema/validate.js';
import { runs, SHORT, surely } from '../../support/runs.js';
import { goesVerbatim, pairOf, type Source } from './compare.js';
import { PROJECTIONS, type Projection, requestBody } from './projections.js';
import { REAL_WORLD } from './real-world.js';

const USAGE = { input_tokens: 1, output_tokens: 1 };

/** The answer of the projection's service that holds a value in the form of the schema it was sent. */
function answerWith({ to, of, hidden }: Projection, value: Json): JsonObject {
  const text = JSON.stringify(value);
  if (to === 'messages') {
    const called = of === 'arguments' ? 'f' : hidden;
    const content: JsonObject =
      called === undefined ? { type: 'text', text } : { type: 'tool_use', id: 'toolu_1', name: called, input: value };
    const end = called === undefined ? 'end_turn' : 'tool_use';
    const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
    return { ...head, content: [content], stop_reason: end, stop_sequence: null, usage: USAGE };
  }
  if (to === 'chatCompletions') {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: text } };
    const message: JsonObject =
      of === 'answer' ? { role: 'assistant', content: text } : { role: 'assistant', content: null, tool_calls: [call] };
    const choice = { index: 0, message, finish_reason: of === 'answer' ? 'stop' : 'tool_calls' };
    return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', choices: [choice] };
  }
  const item: JsonObject =
    of === 'answer'
      ? { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }
      : { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: text };
  const head = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', error: null };
  const output: Json = [{ ...item, status: 'completed' }];
  return { ...head, incomplete_details: null, output, usage: { ...USAGE, total_tokens: 2 } };
}

/** The value as the client reads it; undefined when its dialect cannot show such arguments. */
function valueFor(projection: Projection, body: JsonObject): Json | undefined {
  const text = JSON.stringify(body);
  const found: Json[] = [];
  JSON.parse(text, (key, value: Json) => {
    if (key === (projection.of === 'answer' ? 'text' : projection.from === 'messages' ? 'input' : 'arguments'))
      found.push(value);
    return value;
  });
  const value = found.at(-1);
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return parsed?.ok === true ? parsed.value : value;
}

const WAYS = PROJECTIONS.filter(({ to }) => to !== 'generateContent');

interface Seen {
  kept: number;
  unwrapped: number;
  cleaned: number;
}

/** Whether a value can be an answer of this way that its client's dialect can show. */
function isTold(value: Json, { of, from, hidden }: Projection, wrapped: boolean): boolean {
  if (!isObject(value)) return of === 'answer' && hidden === undefined && !wrapped;
  if (!wrapped) return true;
  // Of a wrapper nothing is said but that the value stands in it; arguments are objects to some clients.
  return Object.keys(value).length === 1 && (of === 'answer' || from !== 'messages' || isObject(value.value));
}

function total({ kept, unwrapped, cleaned }: Seen): number {
  return kept + unwrapped + cleaned;
}

function holds(projection: Projection, source: Source, dice: Dice, seen: Seen): void {
  const { projected, before } = pairOf(projection, source);
  // Nulls that are let through to be taken out again are no loss of this kind.
  if (projected.claims.wider.some((keyword) => keyword !== 'nullable')) return;
  const verbatim = goesVerbatim(projection, projected);
  const sent = verdict(projected.schema, verbatim ? { draft: source.draft } : {});
  for (let round = 0; round < 8; round++) {
    const value = sampleOf(projected.schema, dice);
    if (!isTold(value, projection, projected.wrapped) || sent(value) !== true) continue;
    const { body } = translateResponse({
      ...{ from: projection.to, to: projection.from, model: 'm' },
      body: answerWith(projection, value),
      request: requestBody(projection, source.schema),
    });
    const back = valueFor(projection, body as JsonObject);
    const same = JSON.stringify(back) === JSON.stringify(value);
    seen[projected.wrapped ? 'unwrapped' : same ? 'kept' : 'cleaned'] += 1;
    if (back === undefined || before(back) === false) {
      throw new Error(`${JSON.stringify(value)} came back as ${JSON.stringify(back)}: ${JSON.stringify(source)}`);
    }
  }
}

const TITLE = 'a value that holds to what was sent comes back as one that holds to the source';

/** How many generated schemas were tried, and had values, on all ways together: in the short run one way has few. */
const generated = { tried: 0, held: 0 };

describe.each(WAYS)(`$name: ${TITLE}`, (projection) => {
  test('generated schemas', () => {
    fc.assert(
      fc.property(documents, fc.integer(), (source, seed) => {
        const seen = { kept: 0, unwrapped: 0, cleaned: 0 };
        holds(projection, source, createDice(seed), seen);
        generated.tried += 1;
        if (total(seen) > 0) generated.held += 1;
      }),
      { numRuns: runs(60) },
    );
  });

  test('schemas as they are met', () => {
    const seen = { kept: 0, unwrapped: 0, cleaned: 0 };
    for (const source of Object.values(REAL_WORLD)) {
      for (const seed of SHORT ? [1] : [1, 2, 3]) holds(projection, source, createDice(seed), seen);
    }
    expect(seen.kept).toBeGreaterThan(0);
    // A tool of messages has its alternatives folded, and its arguments are shown as objects.
    if (projection.name !== 'a tool of messages') expect(seen.unwrapped).toBeGreaterThan(0);
    expect(seen.cleaned > 0).toBe(projection.to !== 'messages' && projection.strict === true);
  });
});

// Of all schemas 62 % do.
test('and generated schemas had values', () =>
  expect(generated.held).toBeGreaterThanOrEqual(surely(generated.tried, 0.4)));
