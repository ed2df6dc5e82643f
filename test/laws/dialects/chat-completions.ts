import fc from 'fast-check';
import { members } from '../../../translators/chat-completions/request/members.js';
import type { JsonObject } from '../../../translators/index.js';
import { readData } from '../../support/frames.js';
import { webAnnotations } from '../answers/citation-values.js';
import { schema } from '../answers/client-requests.js';
import { choiceEndings } from '../answers/endings.js';
import { chatFaults } from '../answers/legal.js';
import { pictures, refusals } from '../answers/parts.js';
import { issueChat, nodesOf } from '../carriers/chat-issuer.js';
import { SCHEMA, TOOLS } from '../carriers/clients.js';
import { plain } from '../carriers/home.js';
import type { Json } from '../carriers/issuers.js';
import { drawn } from '../drawn.js';
import { INPUT, said } from '../honesty/client-tools.js';
import { printChat } from '../prefix/wire.js';
import { chatCompletionsStream } from '../streams/generate/chat-completions.js';
import type { Wire } from '../streams/generate/values.js';
import { readChatCompletionsOfficially, UNKNOWN_MEMBERS } from '../streams/official.js';
import { readChatCompletions } from '../streams/readers/chat-completions.js';
import { differentCompletions } from '../streams/same.js';
import { known, words } from '../values.js';
import type { LawDialect } from './record.js';
import { valuesOf } from './values-of.js';

const HI = [{ role: 'user', content: 'Hi' }];

const tool = (name: string, parameters: unknown, more: object = {}) => ({
  type: 'function',
  function: { name, parameters, ...more },
});

/** The message of a whole answer, or of what a stream made. */
function messageIn(body: JsonObject): Json {
  const [choice] = (body.choices ?? []) as readonly Json[];
  return (choice?.message ?? {}) as Json;
}

export const chatCompletions: LawDialect = {
  ...valuesOf('chatCompletions', 'chat-completions.yaml'),
  // Routers have numbers in the place of words.
  errorWords: ({ type }) => (typeof type === 'string' ? ['type', 'code'] : []),
  endings: choiceEndings,
  citations: webAnnotations,
  computerWords: () => undefined,
  officialView: (_final, body) =>
    JSON.parse(JSON.stringify(body, (key, child) => (UNKNOWN_MEMBERS.includes(key) ? undefined : child))),
  get computerCalls() {
    return drawn({ name: 'computer', args: readData('laws/dialects/chat-completions.yaml').computer });
  },
  issue: issueChat,
  client: (messages) => ({
    user: (text) => messages.push({ role: 'user', content: text }),
    answer(body) {
      const message = messageIn(body);
      messages.push(message);
      const asked = (message.tool_calls ?? []) as { id: string; function: { name: string } }[];
      return asked.map(({ id, function: { name } }) => ({ id, name }));
    },
    results: (asked) => messages.push(...asked.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'seen' }))),
    request: (stream) => ({
      model: 'm',
      reasoning_effort: 'low',
      tools: TOOLS.map((name) => tool(name, SCHEMA)),
      messages: [...messages],
      ...(stream && { stream, stream_options: { include_usage: true } }),
    }),
  }),
  answerRules: chatFaults,
  thought: (text) => ({ reasoning_content: text }),
  conversation: printChat,
  get computerHistory() {
    return INPUT.map((input) => said('computer', 'computer', { ...input }));
  },
  relayedEnd: (text) => (/^data: ?\[DONE\]|"error":/m.test(text) ? '' : '\n\ndata: [DONE]\n\n'),
  readOfficially: readChatCompletionsOfficially,
  read: readChatCompletions,
  stopped({ choices }) {
    const [choice] = (choices ?? []) as readonly Wire[];
    const { content, refusal, tool_calls, function_call } = Object(choice?.message) as Wire;
    return { content, refusal, tool_calls, function_call, finish_reason: choice?.finish_reason };
  },
  get streams() {
    return chatCompletionsStream;
  },
  members,
  stateHolders: (history) => ({
    lists: history.flatMap(({ reasoning_details: list }) => (Array.isArray(list) ? [list as Json[]] : [])),
    key: 'data',
  }),
  clientRequest: ({ tools, thinks }) =>
    known({
      model: 'gpt-5',
      messages: HI,
      tools: tools ? [tool('look', schema)] : undefined,
      reasoning_effort: thinks ? 'low' : undefined,
    }),
  assistantTurns: (body) =>
    (body.messages as Json[]).filter(({ role }) => role === 'assistant').map((message) => plain(nodesOf(message))),
  differenceOf: differentCompletions,
  answerAsHistory: (answer) => [messageIn(answer)],
  reasoningParts: (state, none) => {
    const kind = fc.constant('reasoning' as const);
    return fc.oneof(
      fc.record({ kind, text: words.map((text) => [text]), state: fc.oneof(state, none) }),
      fc.record({ kind, text: fc.constant([]), redacted: fc.constant(true), state }),
    );
  },
  furtherParts: () => [
    { weight: 1, arbitrary: refusals.map(({ phase: _phase, ...part }) => part) },
    { weight: 1, arbitrary: pictures('chatCompletions') },
  ],
};
