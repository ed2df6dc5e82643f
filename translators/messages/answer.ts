import type { Part } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalResponse } from '../canonical/response.js';
import type { EncodeResponseContext } from '../dialect.js';
import { createCarriers, shownThinking } from './carriers.js';
import {
  citationView,
  pictureOf,
  reportLost,
  reportText,
  showCall,
  showCited,
  showHosted,
  showMedia,
} from './shown.js';

/** The blocks of another service's answer (translation.md 5.1), with its state in carriers. */
export function encodeForeignParts(response: CanonicalResponse, context: EncodeResponseContext): JsonObject[] {
  const { losses } = context;
  const blocks: JsonObject[] = [];
  const carriers = createCarriers(context);
  const view = citationView(context.request);
  /** Thinking whose carrier still waits for the state of the next part. */
  let thinking: string | undefined;

  const closeThinking = (): void => {
    if (thinking !== undefined) blocks.push({ type: 'thinking', thinking, signature: carriers.signature() });
    thinking = undefined;
  };
  const showReasoning = (part: Part & { readonly kind: 'reasoning' }): void => {
    closeThinking();
    const text = shownThinking(part);
    if (!carriers.shown && text !== '') carriers.omit(part.src?.ptr ?? '');
    carriers.hold(part.state);
    if (carriers.shown && text !== '') thinking = text;
  };
  /** State stands before its part; that of a part which shows nothing waits for the next (translation.md 4.3). */
  const show = (shown: readonly JsonObject[]): void => {
    if (shown.length === 0) return;
    if (thinking !== undefined) closeThinking();
    else {
      const signature = carriers.take();
      if (signature !== undefined) blocks.push({ type: 'thinking', thinking: '', signature });
    }
    blocks.push(...shown);
  };

  response.parts.forEach((part, ordinal) => {
    switch (part.kind) {
      case 'reasoning':
        showReasoning(part);
        return;
      case 'hostedCall':
      case 'hostedResult': {
        closeThinking();
        const picture = part.kind === 'hostedResult' ? pictureOf(part) : undefined;
        const block = picture === undefined ? showHosted(part, response.id) : showMedia(picture, losses);
        if (block !== undefined) blocks.push(block);
        else if (part.family !== 'imageGen') reportLost(part, losses);
        carriers.hold(part.state);
        return;
      }
      default:
        carriers.hold(part.state);
        show(showPart(part, ordinal));
    }
  });
  if (thinking !== undefined) closeThinking();
  else {
    const signature = carriers.takeTrailing();
    if (signature !== undefined) blocks.push({ type: 'thinking', thinking: '', signature });
  }
  return blocks;

  function showPart(part: Part, ordinal: number): JsonObject[] {
    switch (part.kind) {
      case 'text':
        reportText(part, losses);
        return part.text === '' ? [] : showCited(part, view, losses);
      case 'refusal':
        return part.text === '' ? [] : [{ type: 'text', text: part.text }];
      case 'call':
        return [showCall(part, ordinal, response.id, losses)];
      case 'media': {
        const block = showMedia(part, losses);
        return block === undefined ? [] : [block];
      }
      default:
        reportLost(part, losses);
        return [];
    }
  }
}
