import fc from 'fast-check';
import { members } from '../../../translators/messages/request/members.js';
import { decodeComputer } from '../../../translators/messages/tools/computer.js';
import { line, named, patch, place } from '../../client-tools/answers.js';
import { blockCitations } from '../answers/citation-values.js';
import { schema } from '../answers/client-requests.js';
import { messageEndings } from '../answers/endings.js';
import { errorMessages } from '../answers/error-values.js';
import { errorCodes, failed, failure, mcp, told } from '../answers/hosted.js';
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
import { ids, jsonObjects, known, maybe, texts, urls, words } from '../values.js';
import type { LawDialect } from './record.js';
import { valuesOf } from './values-of.js';

/** The dialect that this record is of. */
const ID = 'messages';

export const messages: LawDialect = {
  ...valuesOf('messages', 'messages.yaml'),
  get clientToolCalls() {
    return fc.oneof(
      named('computer', fc.constant({ action: 'screenshot' })),
      named(
        'computer',
        fc.tuple(place, place).map((at) => ({ action: 'left_click', coordinate: at })),
      ),
      named(
        'computer',
        fc.tuple(place, place).map((at) => ({ action: 'triple_click', coordinate: at })),
      ),
      named(
        'computer',
        fc.string().map((text) => ({ action: 'type', text })),
      ),
      named('bash', line),
      named(
        'apply_patch',
        patch.map((input) => ({ input })),
      ),
      named('apply_patch', fc.constant({ input: 'no patch' })),
    );
  },
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
  errorBodies: fc.record({
    type: fc.constant('error'),
    error: fc.record({
      type: fc.constantFrom(
        'invalid_request_error',
        'rate_limit_error',
        'overloaded_error',
        'api_error',
        'new_error',
        'constructor',
      ),
      message: errorMessages,
    }),
    request_id: maybe(words),
  }),
  errorWords: () => ['type'],
  answerRules: messageFaults,
  endings: messageEndings,
  citations: () => blockCitations(ID),
  get hostedCalls() {
    return fc.oneof(
      told(
        'webSearch',
        fc.record({ action: fc.constant('search'), query: words }),
        fc.record({
          sources: fc.array(fc.record({ url: urls, title: words, pageAge: maybe(words) }).map(known), { maxLength: 3 }),
        }),
      ),
      told(
        'webSearch',
        fc.record({ action: fc.constant('search'), query: words }),
        fc.constant({ sources: [] }),
        errorCodes.map((errorCode) => ({ isError: true, errorCode })),
      ),
      told('urlFetch', fc.record({ url: urls }), fc.record({ url: urls, title: maybe(words), text: maybe(texts) })),
      told(
        'urlFetch',
        fc.record({ url: urls }),
        fc.constant({ url: undefined }),
        fc.constantFrom('url_not_accessible', 'url_too_long').map((errorCode) => ({ isError: true, errorCode })),
      ),
      told(
        'codeExec',
        fc.record({ code: texts, language: maybe(fc.constantFrom('bash', 'text_editor')) }),
        fc.record({
          stdout: texts,
          stderr: maybe(words),
          exitCode: fc.constantFrom(0, 0, 1, 137),
          files: maybe(fc.array(ids, { minLength: 1, maxLength: 2 })),
        }),
      ),
      told(
        'codeExec',
        fc.record({ code: texts }),
        fc.constant({ stdout: '', timedOut: true }),
        fc.constant({ isError: true, errorCode: 'execution_time_exceeded' }),
      ),
      told('codeExec', fc.record({ code: texts }), fc.constant({ stdout: '' }), failure),
      told(
        'mcp',
        mcp.input.map((input) => ({ ...input, arguments: input.arguments.startsWith('{') ? input.arguments : '{}' })),
        mcp.output,
        failed,
      ),
      told('toolSearch', jsonObjects, jsonObjects, failure),
      told('advisor', jsonObjects, jsonObjects),
      told('other', jsonObjects, jsonObjects),
    );
  },
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
