import { dropExtras } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse, Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import type { PartEvent } from '../../wire/part-queue.js';
import { createWritten, type Written } from '../../wire/written.js';
import { citationView } from '../content/citations.js';
import { reportRefusal, reportTokens } from '../content/encode.js';
import { createCarriers } from '../content/reasoning.js';
import { DIALECT } from '../nodes.js';
import { cutsCalls, encodeForeignFinish, type Stop } from '../response/stop.js';
import { countForClient, reportTier } from '../response/usage.js';
import { createHostedReporter } from '../tools/hosted/report.js';
import {
  type BlockSink,
  closeOpen,
  holdState,
  ridesBehind,
  settleCut,
  type WriterState,
  type Writing,
  writeCarrier,
} from './blocks.js';
import { cite, finishPart, writeDelta } from './parts.js';

/** How an answer ends and what it counted, in the words of the wire. */
interface Ending {
  readonly stop: Stop;
  readonly counts: JsonObject;
}

/** Writes an answer of another service, whole or as it streams (translation.md 5.1, 6.7). */
export interface AnswerWriter {
  /** Takes an event of a part. Parts come one after the other. */
  part(event: PartEvent): void;
  /** Writes a part that came whole, behind those before it. */
  whole(ix: number, part: Part): void;
  /**
   * Closes everything. `tier` is the tier that the client sees. Throws TranslationError for ends that are
   * failures here.
   */
  end(finish: Finish, about: AnswerEnd, usage: Usage, tier: string | undefined): Ending;
}

/** What the end of an answer brings beside its parts. */
type AnswerEnd = Pick<CanonicalResponse, 'tier' | 'ext' | 'extraCandidates'>;

/** A writer for the answer that its service calls `responseId`; its blocks go into `sink`. */
export function createAnswerWriter(responseId: string, sink: BlockSink, context: EncodeResponseContext): AnswerWriter {
  const { losses } = context;
  const state: WriterState = {
    sink,
    context,
    losses,
    responseId,
    carriers: createCarriers(context),
    view: citationView(context.request),
    hosted: createHostedReporter(losses),
    current: undefined,
    open: undefined,
    refused: undefined,
    answered: false,
    texts: new Set(),
    refusals: [],
    cut: undefined,
  };
  return {
    part: (event) => write(state, event),
    whole: (ix, part) => finishPart(state, begin(state, ix, part, NOTHING), part),
    end(finish, about, usage, tier) {
      const stop = encodeForeignFinish(finish, state, losses);
      if (stop.stop_reason !== 'refusal') for (const path of state.refusals) reportRefusal(path, losses);
      state.hosted.end();
      if (!cutsCalls(stop)) settleCut(state);
      const thought = state.open?.head.kind === 'reasoning';
      closeOpen(state);
      const signature = thought ? undefined : state.carriers.takeTrailing();
      if (signature !== undefined) writeCarrier(state, signature);
      dropExtras({ ext: about.ext, usage }, DIALECT, losses);
      if ((about.extraCandidates?.length ?? 0) > 0)
        losses.add('', 'candidates', 'dropped', 'an answer here is one message');
      const counts = countForClient(usage, state.hosted.counts, losses);
      reportTier(about.tier, tier, losses);
      return { stop, counts };
    },
  };
}

/** What was written of a part that comes whole, which is not read while it is written. */
const NOTHING: Written = { length: 0, add: () => {}, read: () => '' };

function begin(state: WriterState, ix: number, head: Part, text: Written): Writing {
  const writing: Writing = {
    ix,
    head,
    text,
    opened: false,
    ended: false,
    held: false,
    early: [],
    cited: 0,
    channel: undefined,
    paragraph: 0,
  };
  // Thinking that follows thinking has a carrier of its own.
  if (head.kind === 'reasoning' && state.open?.head.kind === 'reasoning') closeOpen(state);
  if (!ridesBehind(head)) holdState(state, writing, head);
  return writing;
}

function write(state: WriterState, event: PartEvent): void {
  if (event.type === 'part.start') {
    state.current = begin(state, event.ix, event.part, createWritten(event.said));
  } else if (event.type === 'part.citation') {
    cite(state, event.ix, event.citation);
  } else if (event.type === 'part.logprobs') {
    if (state.texts.has(event.ix)) reportTokens('', event.tokens, state.losses);
  } else if (state.current?.ix === event.ix) {
    const { current } = state;
    if (event.type === 'part.delta') writeDelta(state, current, event);
    else if (event.type === 'part.end') finishPart(state, current, event.part);
    else if (event.type === 'part.state' && !ridesBehind(current.head))
      holdState(state, current, { ...current.head, state: event.entries });
  }
}
