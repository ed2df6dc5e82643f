import { lawTableOf } from '../../dialects/index.js';
import type { WireStream } from './framing.js';
import type { Wire } from './values.js';

export const unstreamed = lawTableOf('unstreamed');

export function asWire(value: unknown): Wire | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : undefined;
}

export function joinMessages({ events }: WireStream): Wire | undefined {
  const blocks: { node: Wire; json: string }[] = [];
  let message: Wire | undefined;
  for (const { data: event } of events) {
    const block = blocks[Number(event.index)];
    const delta = asWire(event.delta);
    if (event.type === 'error') return undefined;
    if (event.type === 'message_start') message = asWire(event.message);
    else if (event.type === 'content_block_start') {
      blocks[Number(event.index)] = { node: asWire(event.content_block) ?? {}, json: '' };
    } else if (event.type === 'content_block_delta' && block !== undefined && delta !== undefined) {
      apply(block, delta);
    } else if (event.type === 'message_delta' && message !== undefined && delta !== undefined) {
      const { type: _type, delta: _delta, usage, ...beside } = event;
      const { usage: inside, ...said } = delta;
      const counts = Object.entries(Object(usage ?? inside)).filter(([, count]) => count !== null);
      message = { ...message, ...said, ...beside, usage: { ...Object(message.usage), ...Object.fromEntries(counts) } };
    }
  }
  const content = blocks.map(({ node, json }) => (json === '' ? node : { ...node, input: objectIn(json) }));
  if (message === undefined || content.some(({ input }) => input === null)) return undefined;
  return { ...message, content };
}

function apply(block: { node: Wire; json: string }, delta: Wire): void {
  const { node } = block;
  if (typeof delta.text === 'string') block.node = { ...node, text: `${node.text}${delta.text}` };
  else if (typeof delta.thinking === 'string') block.node = { ...node, thinking: `${node.thinking}${delta.thinking}` };
  else if (typeof delta.signature === 'string') block.node = { ...node, signature: delta.signature };
  else if (typeof delta.partial_json === 'string') block.json += delta.partial_json;
  else if (delta.type === 'citations_delta') {
    const citations = Array.isArray(node.citations) ? node.citations : [];
    block.node = { ...node, citations: [...citations, delta.citation] };
  } else if (delta.type === 'compaction_delta') {
    const { type: _type, ...fields } = delta;
    block.node = { ...node, ...fields };
  }
}

/** Arguments that are no JSON object have no place in a whole answer. */
function objectIn(json: string): Wire | null {
  try {
    return asWire(JSON.parse(json)) ?? null;
  } catch {
    return null;
  }
}

export function joinGenerateContent({ events }: WireStream): Wire | undefined {
  const parts: Wire[] = [];
  let whole: Wire = {};
  let told: Wire = {};
  for (const { data: chunk } of events) {
    if (chunk.error !== undefined) return undefined;
    const { candidates, ...envelope } = chunk;
    whole = { ...whole, ...envelope };
    for (const candidate of (candidates ?? []) as readonly Wire[]) {
      if (candidate.index === 1) continue;
      const { content, ...rest } = candidate;
      for (const part of (asWire(content)?.parts ?? []) as readonly Wire[]) {
        // Arguments in pieces exist in streams only.
        if ('partialArgs' in Object(part.functionCall) || 'willContinue' in Object(part.functionCall)) return undefined;
        join(parts, part);
      }
      told = { ...told, ...rest };
    }
  }
  if (whole.promptFeedback !== undefined) return whole;
  // Where these pairs stand is exception e of the folding law (translation.md 6.7).
  if (told.groundingMetadata !== undefined || told.urlContextMetadata !== undefined) return undefined;
  return { ...whole, candidates: [{ content: { role: 'model', parts }, ...told }] };
}

/** A text that follows unsigned text of its kind joins it. */
function join(parts: Wire[], part: Wire): void {
  const last = parts.at(-1);
  const plain = typeof part.text === 'string' && part.thoughtSignature === undefined;
  if (plain && part.text === '') return;
  if (plain && typeof last?.text === 'string' && last.thoughtSignature === undefined && last.thought === part.thought) {
    parts[parts.length - 1] = { ...last, text: last.text + String(part.text) };
  } else parts.push(part);
}
