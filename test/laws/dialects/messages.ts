import fc from 'fast-check';
import { members } from '../../../translators/messages/request/members.js';
import { decodeComputer } from '../../../translators/messages/tools/computer.js';
import { blockCitations } from '../answers/citation-values.js';
import { schema } from '../answers/client-requests.js';
import { messageEndings } from '../answers/endings.js';
import { messageFaults } from '../answers/legal.js';
import { compactions, handovers } from '../answers/parts.js';
import { SCHEMA, TOOLS } from '../carriers/clients.js';
import { plain } from '../carriers/home.js';
import { issueMessage, type Json } from '../carriers/issuers.js';
import { INPUT, said } from '../honesty/client-tools.js';
import { printMessages } from '../prefix/wire.js';
import { messagesStream } from '../streams/generate/messages.js';
import type { Wire } from '../streams/generate/values.js';
import { blocksSeen, readMessagesOfficially } from '../streams/official.js';
import { addPart } from '../streams/readers/generate-content.js';
import { readMessages } from '../streams/readers/messages.js';
import { differentMessages } from '../streams/same.js';
import { known, words } from '../values.js';
import type { LawDialect } from './record.js';
import { valuesOf } from './values-of.js';

/** The dialect that this record is of. */
const ID = 'messages';

export const messages: LawDialect = {
  ...valuesOf(ID, 'messages.yaml'),
  get computerCalls() {
    return INPUT.map((args) => ({ name: 'computer', args }));
  },
  issue: issueMessage,
  client: (messages) => ({
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
  errorWords: () => ['type'],
  answerRules: messageFaults,
  endings: messageEndings,
  citations: () => blockCitations(ID),
  thought: (text) => ({ type: 'thinking', thinking: text, signature: `c2ln${text.length}` }),
  conversation: printMessages,
  get computerHistory() {
    return INPUT.map((input) => said('computer', 'computer', { ...decodeComputer(input) }));
  },
  computerWords: (name, value) => (name === 'computer' ? decodeComputer(value) : undefined),
  officialView: blocksSeen,
  readOfficially: readMessagesOfficially,
  read: readMessages,
  stopped({ content, stop_reason, stop_sequence }) {
    const blocks: Wire[] = [];
    for (const { citations: _sources, ...block } of content as readonly Wire[]) addPart(blocks, block);
    return { blocks, stop_reason, stop_sequence };
  },
  get streams() {
    return messagesStream;
  },
  members,
  stateHolders: (history) => ({
    lists: history.flatMap(({ content }) => (Array.isArray(content) ? [content] : [])),
    key: 'signature',
  }),
  clientRequest: ({ tools, thinks, documents }) => {
    return known({
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      messages: [
        {
          role: 'user',
          content: [
            ...Array.from({ length: documents }, (_, index) => ({
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: `document ${index}` },
            })),
            { type: 'text', text: 'hi' },
          ],
        },
      ],
      tools: tools ? [{ name: 'look', input_schema: schema }] : undefined,
      thinking: thinks ? { type: 'enabled', budget_tokens: 1024 } : undefined,
    });
  },
  assistantTurns: (body) => {
    return (body.messages as Json[])
      .filter(({ role }) => role === 'assistant')
      .map(({ content }) =>
        plain(typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Json[])),
      );
  },
  differenceOf: (streamed, folded, losses) => {
    return differentMessages(streamed, folded, losses);
  },
  answerAsHistory: ({ content }) => [{ role: 'assistant', content }],
  reasoningParts: (state, none) => {
    const kind = fc.constant('reasoning' as const);
    return fc.oneof(
      fc.record({ kind, text: words.map((text) => [text]), state: fc.oneof(state, none) }),
      fc.record({ kind, text: fc.constant([]), redacted: fc.constant(true), state }),
      fc.record({ kind, text: fc.constant([]), state }),
    );
  },
  furtherParts: () => [
    { weight: 1, arbitrary: handovers },
    { weight: 1, arbitrary: compactions(ID, 'words') },
  ],
};
