import fc from 'fast-check';
import { config, members } from '../../../translators/generate-content/request/members.js';
import { decodeHistory } from '../../../translators/generate-content/tools/client.js';
import { segmentCitations } from '../answers/citation-values.js';
import { candidateEndings } from '../answers/endings.js';
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
import { known, maybe, texts } from '../values.js';
import type { LawDialect } from './record.js';
import { valuesOf } from './values-of.js';

/** The dialect that this record is of. */
const ID = 'generateContent';

export const generateContent: LawDialect = {
  ...valuesOf(ID, 'generate-content.yaml'),
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
  errorWords: () => ['code'],
  answerRules: generateFaults,
  endings: candidateEndings,
  citations: (text) => segmentCitations(ID, text),
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
