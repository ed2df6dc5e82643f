import fc from 'fast-check';
import { members } from '../../../translators/responses/request/members.js';
import { decodeFamilyArguments } from '../../../translators/responses/tools/client.js';
import { annotations } from '../answers/citation-values.js';
import { schema } from '../answers/client-requests.js';
import { responseEndings } from '../answers/endings.js';
import { responseFaults } from '../answers/legal.js';
import { approvals, compactions, refusals } from '../answers/parts.js';
import { SCHEMA, TOOLS } from '../carriers/clients.js';
import { plain } from '../carriers/home.js';
import { issueResponse, type Json } from '../carriers/issuers.js';
import { ITEM_ACTION, said } from '../honesty/client-tools.js';
import { rarely } from '../honesty/words.js';
import { printResponses } from '../prefix/wire.js';
import { responsesStream } from '../streams/generate/responses.js';
import { readResponsesOfficially } from '../streams/official.js';
import { readResponses } from '../streams/readers/responses.js';
import { compare } from '../streams/same.js';
import { known, maybe, texts } from '../values.js';
import type { LawDialect } from './record.js';
import { valuesOf } from './values-of.js';

/** The dialect that this record is of. */
const ID = 'responses';

export const responses: LawDialect = {
  ...valuesOf(ID, 'responses.yaml'),
  get computerCalls() {
    return fc
      .tuple(fc.array(ITEM_ACTION, { minLength: 1, maxLength: 3 }), fc.constantFrom([], [{ id: 'c', code: 'x' }]))
      .map(([actions, checks]) => ({ name: 'computer_call', args: { actions, pending_safety_checks: checks } }));
  },
  issue: issueResponse,
  client: (input) => ({
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
  errorWords: () => ['type', 'param', 'code'],
  answerRules: responseFaults,
  endings: responseEndings,
  citations: annotations,
  thought: (text) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: 'ZW5j',
  }),
  conversation: printResponses,
  get computerHistory() {
    return fc
      .tuple(fc.array(ITEM_ACTION, { minLength: 1, maxLength: 3 }), rarely(fc.constant(true), 9))
      .map(([actions, checks]) => {
        const asked = checks === true ? { pending_safety_checks: [{ id: 'c', code: 'x', message: 'y' }] } : {};
        return said('computer', 'computer', decodeFamilyArguments('computer', { actions, ...asked }));
      });
  },
  computerWords: () => undefined,
  officialView: (_final, body) => body,
  readOfficially: readResponsesOfficially,
  read: readResponses,
  stopped: (answer) => answer,
  get streams() {
    return responsesStream;
  },
  members,
  stateHolders: (history) => ({ lists: [history], key: 'encrypted_content' }),
  clientRequest: ({ tools, thinks }) => {
    return known({
      model: 'gpt-5',
      input: 'hi',
      metadata: { a: 'b' },
      tools: tools ? [{ type: 'function', name: 'look', parameters: schema, strict: false }] : undefined,
      reasoning: thinks ? { effort: 'low' } : undefined,
    });
  },
  assistantTurns: (body) => {
    const turns: Json[][] = [[]];
    for (const item of body.input as Json[]) {
      const asked = item.type === 'function_call_output' || (item.type === 'message' && item.role !== 'assistant');
      if (asked) turns.push([]);
      else turns.at(-1)?.push(item);
    }
    return turns.filter((turn) => turn.length > 0).map(plain);
  },
  differenceOf: (streamed, folded) => {
    return compare('', streamed, folded);
  },
  answerAsHistory: ({ output }) => (Array.isArray(output) ? output : []),
  reasoningParts: (state, none) =>
    fc
      .record({
        kind: fc.constant('reasoning' as const),
        text: fc.array(texts, { maxLength: 3 }),
        raw: maybe(fc.array(texts, { maxLength: 2 })),
        state: fc.oneof(state, none),
      })
      .map(known),
  furtherParts: () => [
    { weight: 1, arbitrary: refusals },
    { weight: 1, arbitrary: approvals },
    { weight: 1, arbitrary: compactions(ID, 'ciphertext') },
  ],
};
