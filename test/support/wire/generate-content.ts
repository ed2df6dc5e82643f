import { hearGenerateContent } from './heard.js';
import { type Cut, type DialectWire, inOne, listOf, readAnswerShapes, type Said, type Wire, without } from './wire.js';

/** Answers as [G §5]. */
const SHAPES = `
Answer: candidates Candidate[], promptFeedback Feedback, usageMetadata Usage, modelVersion! string, responseId! string
Feedback: blockReason! 'SAFETY'|'OTHER'|'BLOCKLIST'|'PROHIBITED_CONTENT'|'IMAGE_SAFETY'|'MODEL_ARMOR'|'JAILBREAK',
  blockReasonMessage string
Usage: promptTokenCount! int, cachedContentTokenCount int, candidatesTokenCount int, toolUsePromptTokenCount int,
  thoughtsTokenCount int, totalTokenCount! int, promptTokensDetails@heard object[]
Candidate: content! Content, finishReason! 'STOP'|'MAX_TOKENS'|'SAFETY'|'OTHER', finishMessage string, index int,
  groundingMetadata Grounding, urlContextMetadata UrlContext, logprobsResult Logprobs, finishReason@heard string,
  avgLogprobs@heard number, safetyRatings@heard object[]
Content: role! 'model', parts! Part[]
Part: text string, thought bool, thoughtSignature base64, inlineData Blob, fileData File, functionCall FunctionCall,
  executableCode Code, codeExecutionResult CodeResult
Blob: mimeType! string, data! base64
File: mimeType string, fileUri! string
FunctionCall: id string, name! string, args object
Code: language! 'PYTHON'|'LANGUAGE_UNSPECIFIED', code! string
CodeResult: outcome! 'OUTCOME_OK'|'OUTCOME_FAILED'|'OUTCOME_DEADLINE_EXCEEDED', output string
Grounding: webSearchQueries string[], groundingChunks Chunk[], groundingSupports Support[], searchEntryPoint@heard object
Chunk: web Web, retrievedContext Retrieved
Web: uri! string, title string
Retrieved: uri string, title string, text string
Support: segment! Segment, groundingChunkIndices! int[]
Segment: startIndex int, endIndex! int, text! string
UrlContext: urlMetadata! Fetched[]
Fetched: retrievedUrl! string,
  urlRetrievalStatus! 'URL_RETRIEVAL_STATUS_SUCCESS'|'URL_RETRIEVAL_STATUS_ERROR'|'URL_RETRIEVAL_STATUS_PAYWALL'
    |'URL_RETRIEVAL_STATUS_UNSAFE'
Logprobs: chosenCandidates! Token[], topCandidates Tops[]
Tops: candidates! Token[]
Token: token! string, logProbability! number
`;

/** A whole answer of these parts [G §5]. */
export function content(parts: readonly object[], candidate: object = {}, more: object = {}): Wire {
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...candidate }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'g-real',
    responseId: 'g1',
    ...more,
  };
}

/** The chunks of a stream that gives an answer: a part in each, and what ends it in the last [G §6.2]. */
export function contentEvents(answer: Wire, cut: Cut = inOne): Wire[] {
  const [candidate = {}] = listOf(answer.candidates);
  const { content: said, index, ...end } = candidate;
  const pieces = listOf((said as Wire | undefined)?.parts).flatMap((part) => partPieces(part, cut));
  return pieces.map((part, place) => ({
    ...answer,
    candidates: [{ content: { role: 'model', parts: [part] }, index, ...(place === pieces.length - 1 && end) }],
  }));
}

/** A text in pieces, of which the last has its signature. */
function partPieces(part: Wire, cut: Cut): Wire[] {
  if (typeof part.text !== 'string') return [part];
  const pieces = cut(part.text, 'text', part);
  if (pieces.length === 0) return [part];
  const unsigned = without(part, 'thoughtSignature');
  return pieces.map((text, index) => ({ ...(index === pieces.length - 1 ? part : unsigned), text }));
}

export function printChunk(chunk: Wire): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

function partOf(said: Said): Wire {
  switch (said.kind) {
    case 'text':
      return { text: said.text };
    case 'thought':
      return said.state === undefined
        ? { text: said.text, thought: true }
        : { text: said.text, thoughtSignature: said.state };
    case 'call':
      return { functionCall: { id: said.id, name: said.name, args: JSON.parse(said.args) } };
  }
}

export const generateContentWire: DialectWire = {
  shapes: readAnswerShapes(SHAPES),
  hear: hearGenerateContent,
  say: (parts) => content(parts.map(partOf)),
  events: contentEvents,
  print: printChunk,
  frames: (answer, cut) => contentEvents(answer, cut).map(printChunk),
};
