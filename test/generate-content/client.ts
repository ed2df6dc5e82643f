import type { StreamEvent } from '../../translators/canonical/events.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';

/** The events a decoder would give for an answer: texts in two deltas, calls with their arguments as text. */
export function eventsOf(response: CanonicalResponse): StreamEvent[] {
  const events: StreamEvent[] = [{ type: 'start', id: response.id, model: response.model }];
  response.parts.forEach((part, ix) => {
    if (part.kind === 'text') {
      const half = Math.floor(part.text.length / 2);
      events.push({ type: 'part.start', ix, part: { ...part, text: '', citations: undefined } });
      for (const value of [part.text.slice(0, half), part.text.slice(half)])
        events.push({ type: 'part.delta', ix, op: 'text', value });
      for (const citation of part.citations ?? []) events.push({ type: 'part.citation', ix, citation });
    } else if (part.kind === 'reasoning') {
      events.push({ type: 'part.start', ix, part: { kind: 'reasoning', text: [] } });
      for (const [sub, value] of part.text.entries())
        events.push({ type: 'part.delta', ix, op: 'reasoning', value, sub });
      for (const value of part.raw ?? []) events.push({ type: 'part.delta', ix, op: 'raw', value });
      if (part.state !== undefined) events.push({ type: 'part.state', ix, entries: part.state });
    } else {
      events.push({ type: 'part.start', ix, part });
      if (part.kind === 'call' && part.args.text !== undefined)
        events.push({ type: 'part.delta', ix, op: 'args', value: part.args.text });
    }
    events.push({ type: 'part.end', ix, part });
  });
  if (response.usage !== undefined) events.push({ type: 'usage', usage: response.usage });
  events.push({ type: 'finish', finish: response.finish }, { type: 'end' });
  return events;
}

/** What a client has after a stream: parts appended, neighbours of one kind joined, the last of everything else. */
export function collect(chunks: readonly unknown[]): JsonObject {
  const parts: JsonObject[] = [];
  let candidate: JsonObject = {};
  let top: JsonObject = {};
  for (const chunk of chunks as JsonObject[]) {
    const [first] = (chunk.candidates ?? []) as JsonObject[];
    for (const part of ((first?.content as JsonObject | undefined)?.parts ?? []) as JsonObject[]) parts.push(part);
    candidate = { ...candidate, ...first };
    top = { ...top, ...chunk };
  }
  const { content: _content, ...rest } = candidate;
  const content = { role: 'model', parts: joined(parts) };
  return top.candidates === undefined ? top : { ...top, candidates: [{ content, ...rest }] };
}

/** The parts of a whole answer as a stream has them: the state of a text comes before it (translation.md 6.4). */
export function asStreamed(parts: readonly JsonObject[]): JsonObject[] {
  return parts.flatMap((part) => {
    const { thoughtSignature, ...text } = part;
    if (thoughtSignature === undefined || typeof text.text !== 'string' || text.text === '') return [part];
    return [{ text: '', thoughtSignature }, text];
  });
}

/** Adjacent texts are equal to their join (translation.md 6.7 c); a blank at the end is the service's own habit. */
export function joined(parts: readonly JsonObject[]): JsonObject[] {
  const out: JsonObject[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    const isText = typeof part.text === 'string';
    if (isText && part.text === '' && part.thoughtSignature === undefined) continue;
    if (
      isText &&
      last !== undefined &&
      typeof last.text === 'string' &&
      last.text !== '' &&
      last.thought === part.thought &&
      part.thoughtSignature === undefined
    ) {
      out[out.length - 1] = { ...last, text: last.text + String(part.text) };
    } else out.push(part);
  }
  return out.length === 0 ? [{ text: '' }] : out;
}
