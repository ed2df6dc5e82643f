import fc from 'fast-check';
import { members } from '../../../translators/responses/request/members.js';
import { decodeFamilyArguments } from '../../../translators/responses/tools/client.js';
import { named, place } from '../../client-tools/answers.js';
import { annotations } from '../answers/citation-values.js';
import { schema } from '../answers/client-requests.js';
import { responseEndings } from '../answers/endings.js';
import { errorMessages } from '../answers/error-values.js';
import { failed, mcp, told } from '../answers/hosted.js';
import { responseFaults } from '../answers/legal.js';
import { approvals, compactions, refusals } from '../answers/parts.js';
import { SCHEMA, TOOLS } from '../carriers/clients.js';
import { plain } from '../carriers/home.js';
import { issueResponse, type Json } from '../carriers/issuers.js';
import type { Families } from '../honesty/client-tools.js';
import { head, ITEM_ACTION, said, size } from '../honesty/client-tools.js';
import { rarely } from '../honesty/words.js';
import { neutralIn } from '../neutral/record.js';
import { printResponses } from '../prefix/wire.js';
import { ANY_ROOT, LIST, OBJECT } from '../streams/generate/requests.js';
import { responsesStream } from '../streams/generate/responses.js';
import { asWire } from '../streams/generate/unstreamed.js';
import type { Wire } from '../streams/generate/values.js';
import { readResponsesOfficially } from '../streams/official.js';
import { readResponses } from '../streams/readers/responses.js';
import { compare } from '../streams/same.js';
import { base64, ids, jsonObjects, known, maybe, texts, urls, words } from '../values.js';
import type { LawDialect } from './record.js';

const clientToolRequest = {
  model: 'm',
  tools: [{ type: 'computer' }, { type: 'shell' }, { type: 'apply_patch' }],
  input: [{ role: 'user', content: 'Go.' }],
};

/** The dialect that this record is of. */
const ID = 'responses';

export const responses: LawDialect = {
  traits: [
    'includes',
    'developers',
    'instructionMedia',
    'instructionTurns',
    'filenames',
    'mediaDetail',
    'keptParts',
    'approvals',
    'namespaces',
    'customTools',
    'lateTools',
    'typedResults',
    'textArguments',
    'callStatus',
    'hostedItems',
    'refusalParts',
    'phases',
    'logprobs',
    'logprobBytes',
    'thoughtParagraphs',
    'compactionEnds',
    'partialUsage',
    'creationTime',
    'lossComments',
    'noSound',
    'toolServers',
  ],
  ...neutralIn('responses.yaml'),
  clientToolRequest,
  get clientToolCalls() {
    return fc.oneof(
      named(
        'computer_call',
        fc
          .array(
            fc.oneof(
              fc.record({ type: fc.constant('click'), button: fc.constantFrom('left', 'right'), x: place, y: place }),
              fc.constant({ type: 'keypress', keys: ['ctrl', 'a'] }),
              fc.string().map((text) => ({ type: 'type', text })),
            ),
            { minLength: 1, maxLength: 4 },
          )
          .map((actions) => ({ actions, pending_safety_checks: [] })),
      ),
      named('function_call', fc.constant({ name: 'bash', arguments: '{"command":"ls"}' })),
    );
  },
  clientToolRequests: [
    clientToolRequest,
    {
      ...clientToolRequest,
      tools: [
        { type: 'computer_use_preview', display_width: 1024, display_height: 768, environment: 'browser' },
        { type: 'local_shell' },
        { type: 'apply_patch' },
      ],
    },
  ],
  get computerCalls() {
    return fc
      .tuple(fc.array(ITEM_ACTION, { minLength: 1, maxLength: 3 }), fc.constantFrom([], [{ id: 'c', code: 'x' }]))
      .map(([actions, checks]) => ({ name: 'computer_call', args: { actions, pending_safety_checks: checks } }));
  },
  partsPath: '/output/',
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
  thoughtNode: (text) => ({
    type: 'reasoning',
    id: 'rs_x',
    summary: [{ type: 'summary_text', text: text }],
    encrypted_content: text,
  }),
  historyWith: (carriers) => ({
    model: 'm',
    input: [
      ...carriers.flatMap((encrypted_content, index) => [
        { type: 'message', role: 'user', content: `q${index}` },
        { type: 'reasoning', id: `rs_${index}`, summary: [], encrypted_content },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] },
      ]),
      { type: 'message', role: 'user', content: 'last' },
    ],
  }),
  errorBodies: fc.record({
    error: fc.record({
      message: errorMessages,
      type: fc.constantFrom('invalid_request_error', 'insufficient_quota', 'server_error', 'new_error', 'constructor'),
      param: fc.option(fc.constantFrom('model', 'input[0].content')),
      code: fc.option(
        fc.constantFrom(
          'model_not_found',
          'context_length_exceeded',
          'invalid_prompt',
          'invalid_api_key',
          'rate_limit_exceeded',
          'insufficient_quota',
          'server_is_overloaded',
          'new_code',
          'constructor',
          '__proto__',
        ),
      ),
    }),
  }),
  errorWords: () => ['type', 'param', 'code'],
  finishesAsErrors: [],
  answerRules: responseFaults,
  finishWords: [
    ['end', ['completed']],
    ['end', ['completed']],
    ['max_tokens', ['max_output_tokens']],
    ['filter', ['content_filter']],
    ['context_window', ['context_length_exceeded']],
    ['prompt_blocked', ['invalid_prompt']],
    ['cancelled', ['cancelled']],
    ['failed', ['server_error']],
    ['other', ['max_messages', 'steered']],
  ],
  endings: responseEndings,
  citations: annotations,
  usageCounts: ['cacheWrite', 'webSearch'],
  serviceTiers: ['default', 'flex', 'priority', 'scale'],
  telemetryKey: 'billing',
  get hostedCalls() {
    return fc.oneof(
      told(
        'webSearch',
        fc.oneof(
          fc.record({
            action: fc.constant('search'),
            query: maybe(words),
            queries: maybe(fc.array(words, { maxLength: 3 })),
          }),
          fc.record({ action: fc.constant('openPage'), url: maybe(urls) }),
          fc.record({ action: fc.constant('findInPage'), url: urls, pattern: words }),
        ),
        fc.record({ sources: fc.array(fc.record({ url: urls }), { maxLength: 3 }) }),
        failed,
      ),
      told(
        'fileSearch',
        fc.record({ queries: fc.array(words, { maxLength: 2 }) }),
        fc.record({ results: fc.array(jsonObjects, { maxLength: 2 }) }),
        failed,
      ),
      told(
        'codeExec',
        fc.record({ code: texts, language: fc.constant('python'), containerId: ids }),
        fc.record({ stdout: texts, files: maybe(fc.constant([{ type: 'image', url: 'https://f.example/' }])) }),
        failed,
      ),
      told('mcp', mcp.input, mcp.output, failed),
      told(
        'imageGen',
        maybe(words).map((prompt) => ({ prompt })),
        fc.record({ base64, mime: fc.constantFrom('image/png', 'image/webp'), revisedPrompt: maybe(words) }),
      ),
      told('imageGen', fc.constant({}), fc.constant({}), failed),
    );
  },
  thought: (text) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: 'ZW5j',
  }),
  conversation: printResponses,
  heldSettings: [
    { previousId: 'resp_1' },
    { conversation: 'conv_1' },
    { background: true },
    { template: { id: 'pmpt_1' } },
  ],
  nameRules: { legal: /^[A-Za-z0-9_-]{1,64}$/, char: /[A-Za-z0-9_-]/, limit: 64 },
  cloudModels: [],
  get clientTools(): Families {
    return {
      computer: [
        { ...head(ID), family: 'computer', type: 'computer', name: 'computer' },
        {
          ...head(ID),
          family: 'computer',
          type: 'computer_use_preview',
          name: 'computer',
          display: size(1024, 768),
          environment: 'browser',
        },
      ],
      shell: [{ ...head(ID), family: 'shell', type: 'shell', name: 'shell' }],
      localShell: [{ ...head(ID), family: 'localShell', type: 'local_shell', name: 'local_shell' }],
      patch: [{ ...head(ID), family: 'patch', type: 'apply_patch', name: 'apply_patch' }],
    };
  },
  get computerHistory() {
    return fc
      .tuple(fc.array(ITEM_ACTION, { minLength: 1, maxLength: 3 }), rarely(fc.constant(true), 9))
      .map(([actions, checks]) => {
        const asked = checks === true ? { pending_safety_checks: [{ id: 'c', code: 'x', message: 'y' }] } : {};
        return said('computer', 'computer', decodeFamilyArguments('computer', { actions, ...asked }));
      });
  },
  computerWords: () => undefined,
  reasoningNode: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'ZW5j' },
  relayedFailure: /^\n\nevent: error\ndata: .*\n\nevent: response\.failed\ndata: .*"status":"failed".*\n\n$/,
  trailer: undefined,
  officialView: (_final, body) => body,
  readOfficially: readResponsesOfficially,
  terminalFrames:
    /^event: response\.(?:completed|incomplete|failed)$|^event: error$(?![\s\S]*^event: response\.failed$)/gm,
  read: readResponses,
  stopped: (answer) => answer,
  finishLine: /^data: *\{(?=.*"type": *"response\.(?:completed|incomplete)").*$/m,
  get streams() {
    return responsesStream;
  },
  get streamRequests() {
    return fc.constantFrom<Wire | undefined>(
      undefined,
      { model: 'm', input: 'Hi', stream: true },
      {
        model: 'm',
        input: 'Hi',
        stream: true,
        tools: [
          { type: 'function', name: 'look', parameters: OBJECT, strict: true },
          { type: 'function', name: 'get_weather', parameters: ANY_ROOT },
          { type: 'custom', name: 'write' },
          {
            type: 'namespace',
            name: 'crm',
            description: 'd',
            tools: [{ type: 'function', name: 'save', parameters: OBJECT }],
          },
        ],
        text: { format: { type: 'json_schema', name: 'l', schema: LIST, strict: true } },
      },
    );
  },
  get stoppingRequest() {
    return { model: 'm', input: 'Hi', stream: true };
  },
  unstreamed: ({ events }) => {
    const last = events.find(({ name }) => name === 'response.completed' || name === 'response.incomplete');
    const response = asWire(last?.data.response);
    // Some hosts leave the output out of their last word.
    return Array.isArray(response?.output) && response.output.length > 0 ? response : undefined;
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
  requestWithTool: (schema, held) => {
    return {
      max_output_tokens: 100,
      input: 'q',
      tools: [{ type: 'function', name: 'f', parameters: schema, ...held }],
    };
  },
  requestWithAnswer: (schema) => {
    return { input: 'q', text: { format: { type: 'json_schema', name: 'response', schema } } };
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
