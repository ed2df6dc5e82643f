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
import { FUNCTION, said } from '../honesty/client-tools.js';
import { printContents } from '../prefix/wire.js';
import { generateContentStream } from '../streams/generate/generate-content.js';
import type { Wire } from '../streams/generate/values.js';
import { candidatesSeen, readGenerateContentOfficially } from '../streams/official.js';
import { addPart, readGenerateContent } from '../streams/readers/generate-content.js';
import { compare, withJoinedTexts } from '../streams/same.js';
import { jsonObjects, known, maybe, texts, urls, words } from '../values.js';
import type { LawDialect } from './record.js';
import { valuesOf } from './values-of.js';

/** The dialect that this record is of. */
const ID = 'generateContent';

export const generateContent: LawDialect = {
  ...valuesOf('generateContent', 'generate-content.yaml'),
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
  get computerCalls() {
    return FUNCTION.map(([name, args]) => ({ name, args }));
  },
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
  answerRules: generateFaults,
  endings: candidateEndings,
  citations: (text) => segmentCitations(ID, text),
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
  get computerHistory() {
    return FUNCTION.map(([name, args]) => said('computer', name, { ...decodeHistory(name, args) }));
  },
  computerWords: (name, value) => (name === 'computer' ? undefined : decodeHistory(name, value)),
  officialView: candidatesSeen,
  readOfficially: readGenerateContentOfficially,
  read: readGenerateContent,
  stopped({ candidates }) {
    const [candidate] = (candidates ?? []) as readonly Wire[];
    const parts: Wire[] = [];
    for (const part of (Object(candidate?.content).parts ?? []) as readonly Wire[]) addPart(parts, part);
    return { parts, finishReason: candidate?.finishReason };
  },
  get streams() {
    return generateContentStream;
  },
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
