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
import type { Families } from '../honesty/client-tools.js';
import { head, INPUT, said, size } from '../honesty/client-tools.js';
import { neutralIn } from '../neutral/record.js';
import { printMessages } from '../prefix/wire.js';
import { USER } from '../schema/projections.js';
import { messagesStream } from '../streams/generate/messages.js';
import { LIST, OBJECT } from '../streams/generate/requests.js';
import { joinMessages } from '../streams/generate/unstreamed.js';
import type { Wire } from '../streams/generate/values.js';
import { blocksSeen, readMessagesOfficially } from '../streams/official.js';
import { addPart } from '../streams/readers/generate-content.js';
import { readMessages } from '../streams/readers/messages.js';
import { differentMessages } from '../streams/same.js';
import { ids, jsonObjects, known, maybe, texts, urls, words } from '../values.js';
import type { LawDialect } from './record.js';

const clientToolRequest = {
  model: 'm',
  max_tokens: 100,
  tools: [
    { type: 'computer_20250124', name: 'computer', display_width_px: 1000, display_height_px: 1000 },
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'memory_20250818', name: 'memory' },
  ],
  messages: [{ role: 'user', content: 'Go.' }],
};

/** The dialect that this record is of. */
const ID = 'messages';

export const messages: LawDialect = {
  traits: [
    'stopStrings',
    'needsUser',
    'instructionTurns',
    'instructionsBeforeAnswers',
    'prefill',
    'thinkingInLoops',
    'cacheMarks',
    'documents',
    'keptParts',
    'namedClientTools',
    'strictAnswers',
    'citationsOrSchema',
    'callIds',
    'cutCalls',
    'lateResults',
    'stateWaits',
    'citedBlocks',
    'thoughtParagraphs',
    'callEnds',
    'failsEmpty',
    'lossComments',
    'noSound',
    'toolServers',
  ],
  ...neutralIn('messages.yaml'),
  clientToolRequest,
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
  clientToolRequests: [clientToolRequest],
  get computerCalls() {
    return INPUT.map((args) => ({ name: 'computer', args }));
  },
  partsPath: '/content/',
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
  thoughtNode: (text) => ({ type: 'thinking', thinking: text, signature: text }),
  historyWith: (carriers) => ({
    model: 'm',
    max_tokens: 8000,
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    messages: [
      ...carriers.flatMap((signature, index) => [
        { role: 'user', content: `q${index}` },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'shown', signature },
            { type: 'text', text: 'a' },
          ],
        },
      ]),
      { role: 'user', content: 'last' },
    ],
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
  finishesAsErrors: ['malformed_call', 'no_image', 'cancelled', 'failed'],
  answerRules: messageFaults,
  finishWords: [
    ['end', ['end_turn']],
    ['end', ['end_turn']],
    ['stop_sequence', ['stop_sequence']],
    ['max_tokens', ['max_tokens']],
    ['context_window', ['model_context_window_exceeded']],
    ['refusal', ['refusal']],
    ['pause', ['pause_turn']],
    ['compaction', ['compaction']],
    ['malformed_call', ['tool_use']],
    ['other', ['newly_invented']],
  ],
  endings: messageEndings,
  citations: () => blockCitations(ID),
  usageCounts: ['cacheWrite', 'cacheWrite1h', 'webSearch', 'webFetch'],
  serviceTiers: ['standard', 'priority', 'batch'],
  telemetryKey: 'inference_geo',
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
  heldSettings: [{ store: true }],
  nameRules: {
    legal: /^[A-Za-z0-9_-]{1,128}$/,
    char: /[A-Za-z0-9_-]/,
    limit: 128,
    fixed: ['web_search', 'web_fetch', 'code_execution'],
  },
  cloudModels: [],
  get clientTools(): Families {
    return {
      computer: [
        {
          ...head(ID),
          family: 'computer',
          type: 'computer_20250124',
          name: 'computer',
          display: size(1024, 768),
        },
        {
          ...head(ID),
          family: 'computer',
          type: 'computer_20251124',
          name: 'computer',
          display: size(999, 700),
        },
      ],
      bash: [{ ...head(ID), family: 'bash', type: 'bash_20250124', name: 'bash' }],
      editor: [
        { ...head(ID), family: 'editor', type: 'text_editor_20250124', name: 'str_replace_editor' },
        { ...head(ID), family: 'editor', type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      ],
      memory: [{ ...head(ID), family: 'memory', type: 'memory_20250818', name: 'memory' }],
      browser: [{ ...head(ID), family: 'browser', type: 'browser_toolset_20260101', toolset: true }],
    };
  },
  get computerHistory() {
    return INPUT.map((input) => said('computer', 'computer', { ...decodeComputer(input) }));
  },
  computerWords: (name, value) => (name === 'computer' ? decodeComputer(value) : undefined),
  reasoningNode: { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
  relayedFailure: /^\n\nevent: error\ndata: .*\n\n$/,
  trailer: 'event: message_stop',
  officialView: blocksSeen,
  readOfficially: readMessagesOfficially,
  terminalFrames: /^event: (?:message_stop|error)$/gm,
  read: readMessages,
  stopped({ content, stop_reason, stop_sequence }) {
    const blocks: Wire[] = [];
    for (const { citations: _sources, ...block } of content as readonly Wire[]) addPart(blocks, block);
    return { blocks, stop_reason, stop_sequence };
  },
  finishLine: /^data: *\{(?=.*"type": *"message_delta")(?=.*"stop_reason": *").*$/m,
  get streams() {
    return messagesStream;
  },
  get streamRequests() {
    return fc.constantFrom<Wire | undefined>(
      undefined,
      { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], stream: true },
      {
        model: 'm',
        max_tokens: 4096,
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
        tools: [
          { name: 'look', input_schema: OBJECT },
          { name: 'get_weather', input_schema: { ...OBJECT, oneOf: [OBJECT] } },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        thinking: { type: 'enabled', budget_tokens: 2048 },
        output_config: { format: { type: 'json_schema', schema: LIST } },
      },
    );
  },
  get stoppingRequest() {
    return {
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      tools: [{ name: 'look', input_schema: OBJECT }],
      stop_sequences: ['</s>', '[1]', 'quoted', '\u65e5\u672c', 'forty-two.', ' :'],
    };
  },
  unstreamed: joinMessages,
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
  requestWithTool: (schema, held) => {
    return { max_tokens: 100, messages: USER, tools: [{ name: 'f', input_schema: schema, ...held }] };
  },
  requestWithAnswer: (schema) => {
    return { max_tokens: 100, messages: USER, output_config: { format: { type: 'json_schema', schema } } };
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
