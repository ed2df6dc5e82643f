import { dropExtras, dropForeign } from '../../adapt/index.js';
import type { CallPart, Part } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { isSubstance } from '../../canonical/parts.js';
import type { CanonicalResponse, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { hashHex } from '../../wire/hash.js';
import { citationView, encodeCitedText } from '../content/citations.js';
import { encodePart, reportLost, reportPhase, reportRefusal, reportText } from '../content/encode.js';
import { encodeForeignMedia, pictureOf } from '../content/media.js';
import { createCarriers, reportThinking, shownThinking } from '../content/reasoning.js';
import { DIALECT, hasShape, restore, textBlock } from '../nodes.js';
import { encodeForeignToolUse, reportCut, reportName } from '../tools/calls.js';
import { encodeForeignHosted } from '../tools/hosted/encode.js';
import { createHostedReporter, type HostedCounts } from '../tools/hosted/report.js';
import { cutsCalls, encodeForeignFinish, encodeOwnFinish, finishError, refusedWords, type Stop } from './stop.js';
import { encodeForeignUsage, encodeOwnUsage, reportTier, usageExtras } from './usage.js';

/** A whole answer for a client of this dialect. Throws TranslationError for ends that are failures here. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwn(response) : encodeForeign(response, context);
}

function encodeOwn(response: CanonicalResponse): JsonObject {
  const out: JsonObject = {
    id: response.id,
    type: 'message',
    role: 'assistant',
    model: response.model,
    content: response.parts.map((part) => encodePart(part, true)),
    ...encodeOwnFinish(response.finish, hasShape(response, 'details')),
  };
  if (response.usage !== undefined) out.usage = encodeOwnUsage(response.usage, response.tier);
  return restore(out, response);
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { losses } = context;
  if (response.finish.kind === 'failed') throw finishError(response.finish, response.error);
  const stop = encodeForeignFinish(
    response.finish,
    { refused: refusedWords(response.parts), answered: response.parts.some(isSubstance) },
    losses,
  );
  if (stop.stop_reason !== 'refusal')
    for (const part of response.parts)
      if (part.kind === 'refusal' && part.text !== '') reportRefusal(part.src?.ptr ?? '', losses);
  const answered = response.finish.kind === 'prompt_blocked' ? { ...response, parts: [] } : response;
  const { content, shown } = encodeForeignParts(answered, stop, context);
  const counts = response.usage ?? {};
  const usage = { ...countForClient(counts, shown, losses), ...usageExtras(counts, response.tier) };
  reportTier(response.tier, response.tier, losses);
  dropExtras(response, DIALECT, losses);
  if ((response.extraCandidates?.length ?? 0) > 0) {
    losses.add('', 'candidates', 'dropped', 'an answer here is one message');
  }
  return {
    id: answerId(response.id, context.nonce),
    type: 'message',
    role: 'assistant',
    model: context.model ?? response.model,
    content,
    ...stop,
    ...NO_EXTRAS,
    usage,
  };
}

/** What only services of this dialect have to say beside an answer. Clients' types want the keys. */
export const NO_EXTRAS: JsonObject = { container: null, diagnostics: null };

/**
 * Counts of another service for a client, without what {@link usageExtras} adds. A counter that is required and unknown reads as 0 (translation.md 5.3); hosted
 * calls that the backend did not count are those that were `shown`.
 */
export function countForClient(usage: Usage, shown: HostedCounts, losses: Losses): JsonObject {
  const { node, exact } = encodeForeignUsage({ ...usage, hosted: hostedOf(usage, shown, losses) });
  if (!exact) losses.add('', 'usage', 'approximated', 'cached tokens exceed the input; the rest reads as none');
  if ((usage.toolInput ?? 0) > 0)
    losses.add('', 'usage', 'approximated', 'the input tokens of tool results are not reported separately');
  if (usage.input === undefined) losses.add('', 'usage.input', 'invented', 'the backend did not count; it reads as 0');
  if (usage.output === undefined)
    losses.add('', 'usage.output', 'invented', 'the backend did not count; it reads as 0');
  return node;
}

function hostedOf({ hosted }: Usage, shown: HostedCounts, losses: Losses): Usage['hosted'] {
  const searches = hosted?.webSearch === undefined && shown.webSearch > 0;
  const fetches = hosted?.webFetch === undefined && shown.webFetch > 0;
  if (!searches && !fetches) return hosted;
  losses.add('', 'usage', 'invented', 'the backend did not count its hosted calls; those that are shown are counted');
  return { ...hosted, ...(searches && { webSearch: shown.webSearch }), ...(fetches && { webFetch: shown.webFetch }) };
}

/**
 * The blocks of another service's answer (translation.md 5.1), with its state in carriers, and how many hosted calls they
 * show; `stop` is how it is said to end.
 */
function encodeForeignParts(
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
        const block =
          picture === undefined ? encodeForeignHosted(part, response.id) : encodeForeignMedia(picture, context);
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
        return part.text === '' ? [] : encodeCitedText(part, view, losses);
      case 'refusal':
        if (part.text !== '') reportPhase(part, losses);
        return part.text === '' ? [] : [textBlock(part.text)];
      case 'call':
        reportName(part, losses);
        return [encodeForeignToolUse(part, ordinal, response.id, context)];
      case 'media': {
        const block = encodeForeignMedia(part, context);
        return block === undefined ? [] : [block];
      }
      default:
        reportLost(part, losses);
        return [];
    }
  }
}

/** The id of an answer of another service, as a client sees it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return `msg_il${hashHex(`${id}:${nonce}`, 32)}`;
}
