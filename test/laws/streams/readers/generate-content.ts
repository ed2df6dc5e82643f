import type { Wire } from '../generate/values.js';
import { asList, asObject, asText, isCount, must, type Reading, same } from './reading.js';

/** Reads a stream as a strict client of this dialect ([G §6.1], [G §6.2]; translation.md 6.4, 6.5). */
export function readGenerateContent(text: string): Reading {
  return text.startsWith('[') ? readChunks(chunksOfArray(text)) : readChunks(chunksOfEvents(text));
}

function chunksOfArray(text: string): Wire[] {
  const chunks = asList(JSON.parse(text), 'the body').map((chunk) => asObject(chunk, 'a chunk'));
  return chunks;
}

/** An error is told twice: as an event and bare on a line of its own (translation.md 6.5). */
function chunksOfEvents(text: string): Wire[] {
  const blocks = text.split('\r\n\r\n');
  const rest = blocks.pop() ?? '';
  const chunks = blocks.map((block) => {
    must(block.startsWith('data: ') && !/[\r\n]/.test(block), 'a chunk is one line', block);
    return asObject(JSON.parse(block.slice('data: '.length)), 'a chunk');
  });
  const last = chunks.at(-1);
  if (last?.error === undefined) must(rest === '', 'the stream ends in a whole frame', rest);
  else must(rest.endsWith('\r\n') && same(JSON.parse(rest), last), 'an error is told bare too', rest);
  return chunks;
}

function readChunks(chunks: readonly Wire[]): Reading {
  const parts: Wire[] = [];
  let envelope: unknown;
  let usageMetadata: unknown;
  let final: Wire | undefined;
  for (const chunk of chunks) {
    must(final === undefined, 'nothing follows the last chunk', chunk);
    if (chunk.error !== undefined) {
      const error = asObject(chunk.error, 'the error');
      must(isCount(error.code) && asText(error.status, 'status') !== '', 'an error says what it is', error);
      asText(error.message, 'message');
      must(chunk === chunks.at(-1), 'nothing follows an error');
      return { error, losses: [] };
    }
    const { modelVersion, responseId } = chunk;
    asText(modelVersion, 'modelVersion');
    asText(responseId, 'responseId');
    envelope ??= { modelVersion, responseId };
    must(same(envelope, { modelVersion, responseId }), 'one envelope throughout', chunk);
    if (chunk.usageMetadata !== undefined) usageMetadata = checkUsage(chunk.usageMetadata);
    if (chunk.promptFeedback !== undefined) {
      must(chunk.candidates === undefined && chunks.length === 1, 'a blocked prompt is one chunk', chunk);
      final = { promptFeedback: chunk.promptFeedback };
      continue;
    }
    const candidates = asList(chunk.candidates, 'candidates');
    must(candidates.length === 1, 'a chunk has one candidate');
    const { content, ...said } = asObject(candidates[0], 'the candidate');
    const { role, parts: list } = asObject(content, 'content');
    must(role === 'model' && asList(list, 'parts').length > 0, 'a chunk has parts', content);
    must(said.index === 0, 'the candidate is the first', said);
    for (const part of asList(list, 'parts')) addPart(parts, asObject(part, 'a part'));
    if (said.finishReason !== undefined) final = { candidates: [said] };
    else must(same(Object.keys(said), ['index']), 'only the last chunk tells more', said);
  }
  must(final !== undefined, 'a stream ends');
  const counts = usageMetadata === undefined ? {} : { usageMetadata };
  if (final.promptFeedback !== undefined)
    return { final: { ...final, ...counts, ...asObject(envelope, '') }, losses: [] };
  const [said] = asList(final.candidates, 'candidates');
  const content = { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts };
  return {
    final: { candidates: [{ content, ...asObject(said, '') }], ...counts, ...asObject(envelope, '') },
    losses: [],
  };
}

/** Text that follows text of its kind joins it, unless it is signed ([G §6.2] note 1). */
export function addPart(parts: Wire[], part: Wire): void {
  const last = parts.at(-1);
  if (isText(part) && part.thoughtSignature === undefined) {
    if (part.text === '') return;
    if (last !== undefined && isText(last) && last.thought === part.thought) {
      parts[parts.length - 1] = { ...last, text: `${String(last.text)}${String(part.text)}` };
      return;
    }
  }
  parts.push(part);
}

function isText(part: Wire): boolean {
  return typeof part.text === 'string';
}

function checkUsage(value: unknown): Wire {
  const usage = asObject(value, 'usage');
  const sum = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount']
    .map((key) => usage[key] ?? 0)
    .reduce((total: number, count) => total + Number(count), 0);
  must(isCount(usage.totalTokenCount) && usage.totalTokenCount === sum, 'the total is the sum', usage);
  return usage;
}
