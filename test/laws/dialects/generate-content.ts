import fc from 'fast-check';
import { config, members } from '../../../translators/generate-content/request/members.js';
import { decodeHistory } from '../../../translators/generate-content/tools/client.js';
import { line, named, patch, place } from '../../client-tools/answers.js';
import { segmentCitations } from '../answers/citation-values.js';
import { candidateEndings } from '../answers/endings.js';
import { errorMessages, statuses } from '../answers/error-values.js';
import { mcp, told } from '../answers/hosted.js';
import { generateFaults } from '../answers/legal.js';
import { media } from '../answers/parts.js';
import { SCHEMA, TOOLS } from '../carriers/clients.js';
import { plain } from '../carriers/home.js';
import { issueContent, type Json } from '../carriers/issuers.js';
import type { Families } from '../honesty/client-tools.js';
import { FUNCTION, head, said } from '../honesty/client-tools.js';
import { neutralIn } from '../neutral/record.js';
import { printContents } from '../prefix/wire.js';
import { CONTENTS } from '../schema/projections.js';
import { generateContentStream } from '../streams/generate/generate-content.js';
import { ANY_ROOT, LIST, OBJECT } from '../streams/generate/requests.js';
import { joinGenerateContent } from '../streams/generate/unstreamed.js';
import type { Wire } from '../streams/generate/values.js';
import { candidatesSeen, readGenerateContentOfficially } from '../streams/official.js';
import { addPart, readGenerateContent } from '../streams/readers/generate-content.js';
import { compare, withJoinedTexts } from '../streams/same.js';
import { jsonObjects, known, maybe, texts, urls, words } from '../values.js';
import type { LawDialect } from './record.js';

const clientToolRequest = {
  tools: [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }],
  contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
};

/** The dialect that this record is of. */
const ID = 'generateContent';

export const generateContent: LawDialect = {
  traits: [
    'modelInPath',
    'cachedPrompts',
    'stopStrings',
    'callsAfterUser',
    'filenames',
    'mediaDetail',
    'mediaClips',
    'inlineMedia',
    'wholeServers',
    'coordinatesApart',
    'schemaSubset',
    'strictByChoice',
    'searchesAside',
    'signedParts',
    'logprobs',
    'creationTime',
    'candidates',
    'arrayStreams',
    'countingChunks',
    'toolServers',
  ],
  ...neutralIn('generate-content.yaml'),
  clientToolRequest,
  get clientToolCalls() {
    return fc.oneof(
      named('click_at', fc.record({ x: place, y: place })),
      named('type_text_at', fc.record({ x: place, y: place, text: fc.string(), press_enter: fc.boolean() })),
      named('navigate', fc.record({ url: fc.constant('https://example.org') })),
      named('bash', line),
      named(
        'apply_patch',
        patch.map((input) => ({ input })),
      ),
    );
  },
  clientToolRequests: [clientToolRequest],
  get computerCalls() {
    return FUNCTION.map(([name, args]) => ({ name, args }));
  },
  partsPath: '/candidates/0/content/parts/',
  issue: issueContent,
  client: (contents) => ({
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
  thoughtNode: (text) => ({ text: text, thought: true, thoughtSignature: text }),
  historyWith: (carriers) => ({
    contents: [
      ...carriers.flatMap((thoughtSignature, index) => [
        { role: 'user', parts: [{ text: `q${index}` }] },
        { role: 'model', parts: [{ text: 'a', thoughtSignature }] },
      ]),
      { role: 'user', parts: [{ text: 'last' }] },
    ],
  }),
  errorBodies: fc.record({
    error: fc.record({
      code: statuses,
      message: errorMessages,
      status: fc.constantFrom(
        'INVALID_ARGUMENT',
        'RESOURCE_EXHAUSTED',
        'UNAVAILABLE',
        'NOT_FOUND',
        'INTERNAL',
        'NEW',
        'constructor',
      ),
      details: maybe(
        fc.constantFrom(
          [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }],
          [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
          [],
        ),
      ),
    }),
  }),
  errorWords: () => ['code'],
  finishesAsErrors: ['cancelled', 'failed'],
  answerRules: generateFaults,
  finishWords: [
    ['end', ['STOP']],
    ['end', ['STOP']],
    ['max_tokens', ['MAX_TOKENS']],
    ['filter', ['SAFETY', 'RECITATION', 'IMAGE_SAFETY']],
    ['prompt_blocked', ['PROHIBITED_CONTENT', 'NEWLY_INVENTED']],
    ['malformed_call', ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']],
    ['no_image', ['NO_IMAGE']],
    ['pause', ['CONTINUATION']],
    ['other', ['OTHER', 'NEWLY_INVENTED']],
  ],
  endings: candidateEndings,
  citations: (text) => segmentCitations(ID, text),
  usageCounts: ['toolInput'],
  serviceTiers: ['standard', 'FLEX', 'PRIORITY'],
  telemetryKey: 'telemetry',
  get hostedCalls() {
    return fc.oneof(
      told(
        'webSearch',
        fc
          .array(words, { minLength: 1, maxLength: 3 })
          .map((queries) => ({ action: 'search', query: queries[0], queries })),
        fc.record({ sources: fc.array(fc.record({ url: urls, title: maybe(words) }).map(known), { maxLength: 3 }) }),
      ),
      told('urlFetch', fc.record({ url: urls }), fc.record({ url: urls, status: maybe(fc.constant('success')) })),
      told(
        'urlFetch',
        fc.record({ url: urls }),
        fc.record({ url: urls, status: fc.constant('paywall') }),
        fc.constant({ isError: true, errorCode: 'paywall' }),
      ),
      told(
        'codeExec',
        fc.record({ code: texts, language: maybe(fc.constant('python')) }),
        fc.record({ stdout: texts, exitCode: fc.constantFrom(0, 1) }),
      ),
      told(
        'codeExec',
        fc.record({ code: texts, language: fc.constant('python') }),
        fc.record({ stdout: texts, timedOut: fc.constant(true) }),
        fc.constant({ isError: true, errorCode: 'execution_time_exceeded' }),
      ),
      told('maps', jsonObjects, jsonObjects),
      told('fileSearch', fc.record({ queries: fc.array(words, { maxLength: 2 }) }), fc.constant({ results: [] })),
      told(
        'mcp',
        mcp.input.map((input) => ({ ...input, server: '' })),
        mcp.output,
      ),
    );
  },
  thought: (text) => ({ text, thought: true, thoughtSignature: 'dGhv' }),
  conversation: printContents,
  heldSettings: [{ continuation: 'token' }],
  nameRules: { legal: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/, char: /[A-Za-z0-9_.:-]/, limit: 64, first: /^[A-Za-z_]/ },
  cloudModels: ['gemini-3-pro'],
  get clientTools(): Families {
    return {
      computer: [
        { ...head(ID), family: 'computer', type: 'computerUse', environment: 'browser' },
        { ...head(ID), family: 'computer', type: 'computerUse' },
      ],
    };
  },
  get computerHistory() {
    return FUNCTION.map(([name, args]) => said('computer', name, { ...decodeHistory(name, args) }));
  },
  computerWords: (name, value) => (name === 'computer' ? undefined : decodeHistory(name, value)),
  reasoningNode: { text: 'hm', thought: true, thoughtSignature: 'c2ln' },
  relayedFailure: /^\n\ndata: (\{"error":.*\})\r\n\r\n\1\r\n$/,
  trailer: undefined,
  officialView: candidatesSeen,
  readOfficially: readGenerateContentOfficially,
  terminalFrames: /"finishReason":"|^\{"error":/gm,
  read: readGenerateContent,
  stopped({ candidates }) {
    const [candidate] = (candidates ?? []) as readonly Wire[];
    const parts: Wire[] = [];
    for (const part of (Object(candidate?.content).parts ?? []) as readonly Wire[]) addPart(parts, part);
    return { parts, finishReason: candidate?.finishReason };
  },
  finishLine: /^data: *\{(?=.*"finishReason": *").*$/m,
  get streams() {
    return generateContentStream;
  },
  get streamRequests() {
    return fc.constantFrom<Wire | undefined>(
      undefined,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      {
        contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
        tools: [
          {
            functionDeclarations: [
              { name: 'look', parametersJsonSchema: OBJECT },
              { name: 'get_weather', parametersJsonSchema: ANY_ROOT },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true } },
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: LIST },
      },
    );
  },
  get stoppingRequest() {
    return {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { stopSequences: ['</s>', '[1]', 'quoted'] },
    };
  },
  unstreamed: joinGenerateContent,
  members: { ...members, generationConfig: { members: config } },
  stateHolders: (history) => ({
    lists: history.flatMap(({ role, parts }) => (role === 'model' ? [parts as Json[]] : [])),
    key: 'thoughtSignature',
  }),
  clientRequest: ({ tools }) => {
    return known({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: tools ? [{ functionDeclarations: [{ name: 'look' }] }] : undefined,
    });
  },
  assistantTurns: (body) => {
    return (body.contents as Json[]).filter(({ role }) => role === 'model').map(({ parts }) => plain(parts as Json[]));
  },
  requestWithTool: (schema) => {
    return { contents: CONTENTS, tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }] };
  },
  requestWithAnswer: (schema) => {
    return {
      contents: CONTENTS,
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    };
  },
  differenceOf: (streamed, folded) => {
    return compare('', withJoinedTexts(streamed), withJoinedTexts(folded));
  },
  answerAsHistory: ({ candidates }) => (Array.isArray(candidates) ? candidates : []).map(({ content }) => content),
  reasoningParts: (state) =>
    fc
      .record({ kind: fc.constant('reasoning' as const), text: texts.map((text) => [text]), state: maybe(state) })
      .map(known),
  furtherParts: () => [{ weight: 2, arbitrary: media(ID) }],
};
