import { dropForeign } from '../adapt/losses.js';
import type { CallPart, Part } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalResponse } from '../canonical/response.js';
import type { EncodeResponseContext } from '../dialect.js';
import { createCarriers, reportThinking, shownThinking } from './carriers.js';
import { createHostedReporter, type HostedCounts } from './hosted-report.js';
import { DIALECT } from './nodes.js';
import {
  citationView,
  pictureOf,
  reportCut,
  reportLost,
  reportName,
  reportPhase,
  reportText,
  showCall,
  showCited,
  showHosted,
  showMedia,
  textBlock,
} from './shown.js';
import { cutsCalls, type Stop } from './stop.js';

/**
 * The blocks of another service's answer (translation.md 5.1), with its state in carriers, and how many hosted calls they
 * show; `stop` is how it is said to end.
 */
export function encodeForeignParts(
  response: CanonicalResponse,
  stop: Stop,
  context: EncodeResponseContext,
): { readonly content: JsonObject[]; readonly shown: HostedCounts } {
  const { losses } = context;
  const blocks: JsonObject[] = [];
  const carriers = createCarriers(context);
  const view = citationView(context.request);
  const hosted = createHostedReporter(losses);
  /** Calls that were cut, by the place of their block. */
  const cut = new Map<number, CallPart>();
  /** Thinking whose carrier still waits for the state of the next part. */
  let thinking: string | undefined;

  const closeThinking = (): void => {
    if (thinking !== undefined) blocks.push({ type: 'thinking', thinking, signature: carriers.signature() });
    thinking = undefined;
  };
  const placeCarrier = (): void => {
    const signature = carriers.take();
    if (signature !== undefined) blocks.push({ type: 'thinking', thinking: '', signature });
  };
  const showReasoning = (part: Part & { readonly kind: 'reasoning' }): void => {
    closeThinking();
    const text = shownThinking(part);
    if (carriers.shown) reportThinking(part, losses);
    if (!carriers.shown && text !== '') carriers.omit(part.src?.ptr ?? '');
    carriers.hold(part.state);
    if (carriers.shown && text !== '') thinking = text;
  };
  /** State stands before its part; that of a part which shows nothing waits for the next (translation.md 4.3). */
  const show = (shown: readonly JsonObject[]): void => {
    if (shown.length === 0) return;
    if (thinking !== undefined) closeThinking();
    else placeCarrier();
    blocks.push(...shown);
  };

  response.parts.forEach((part, ordinal) => {
    dropForeign(part, DIALECT, losses);
    switch (part.kind) {
      case 'reasoning':
        showReasoning(part);
        return;
      case 'hostedCall':
      case 'hostedResult': {
        closeThinking();
        const picture = part.kind === 'hostedResult' ? pictureOf(part) : undefined;
        const block = picture === undefined ? showHosted(part, response.id) : showMedia(picture, context);
        if (hosted.report(part) && block !== undefined) {
          if (picture !== undefined) placeCarrier();
          blocks.push(block);
        }
        carriers.hold(part.state, true);
        return;
      }
      default:
        carriers.hold(part.state);
        show(showPart(part, ordinal));
        if (part.kind === 'call' && part.truncated === true) cut.set(blocks.length - 1, part);
    }
  });
  if (thinking !== undefined) closeThinking();
  else {
    const signature = carriers.takeTrailing();
    if (signature !== undefined) blocks.push({ type: 'thinking', thinking: '', signature });
  }
  hosted.end();
  for (const [place, part] of cut) if (place < blocks.length - 1 || !cutsCalls(stop)) reportCut(part, losses);
  return { content: blocks, shown: hosted.shown };

  function showPart(part: Part, ordinal: number): JsonObject[] {
    switch (part.kind) {
      case 'text':
        reportText(part, losses);
        return part.text === '' ? [] : showCited(part, view, losses);
      case 'refusal':
        if (part.text !== '') reportPhase(part, losses);
        return part.text === '' ? [] : [textBlock(part.text)];
      case 'call':
        reportName(part, losses);
        return [showCall(part, ordinal, response.id, losses)];
      case 'media': {
        const block = showMedia(part, context);
        return block === undefined ? [] : [block];
      }
      default:
        reportLost(part, losses);
        return [];
    }
  }
}
