import { dropExtras } from '../../adapt/index.js';
import { type AnswerWriter, createAnswerWriter } from '../../answer/writer.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse, Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { citationView } from '../content/citations.js';
import { reportRefusal } from '../content/encode.js';
import { createCarriers } from '../content/reasoning.js';
import { DIALECT } from '../nodes.js';
import { cutsCalls, encodeForeignFinish, type Stop } from '../response/stop.js';
import { countForClient, reportTier } from '../response/usage.js';
import { createHostedReporter } from '../tools/hosted/report.js';
import { type BlockAnswer, type BlockSink, closeOpen, settleCut, writeCarrier } from './blocks.js';
import { format } from './parts.js';

/** Writes an answer of another service, whole or as it streams (translation.md 5.1, 6.7). */
export interface BlockWriter {
  readonly parts: AnswerWriter;
  /**
   * Closes everything. `tier` is the tier that the client sees. Throws TranslationError for ends that are
   * failures here.
   */
  end(finish: Finish, about: AnswerEnd, usage: Usage, tier: string | undefined): Ending;
}

/** How an answer ends and what it counted, in the words of the wire. */
interface Ending {
  readonly stop: Stop;
  readonly counts: JsonObject;
}

/** What the end of an answer brings beside its parts. */
type AnswerEnd = Pick<CanonicalResponse, 'tier' | 'ext' | 'extraCandidates'>;

/** A writer for the answer that its service calls `responseId`; its blocks go into `sink`. */
export function createBlockWriter(responseId: string, sink: BlockSink, context: EncodeResponseContext): BlockWriter {
  const { losses } = context;
  const answer: BlockAnswer = {
    own: false,
    sink,
    context,
    losses,
    responseId,
    carriers: createCarriers(context),
    view: citationView(context.request),
    hosted: createHostedReporter(losses),
    open: undefined,
    refused: undefined,
    answered: false,
    texts: new Set(),
    early: [],
    cited: 0,
    refusals: [],
    cut: undefined,
  };
  const parts = createAnswerWriter(answer, format);
  return {
    parts,
    end(finish, about, usage, tier) {
      parts.flush();
      const stop = encodeForeignFinish(finish, answer, losses);
      if (stop.stop_reason !== 'refusal') for (const path of answer.refusals) reportRefusal(path, losses);
      answer.hosted.end();
      if (!cutsCalls(stop)) settleCut(answer);
      const thought = answer.open?.head.kind === 'reasoning';
      closeOpen(answer);
      const signature = thought ? undefined : answer.carriers.takeTrailing();
      if (signature !== undefined) writeCarrier(answer, signature);
      dropExtras({ ext: about.ext, usage }, DIALECT, losses);
      if ((about.extraCandidates?.length ?? 0) > 0)
        losses.add('', 'candidates', 'dropped', 'an answer is a single message in the target');
      const counts = countForClient(usage, answer.hosted.counts, losses);
      reportTier(about.tier, tier, losses);
      return { stop, counts };
    },
  };
}
