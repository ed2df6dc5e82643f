import { type AnswerWriter, createAnswerWriter } from '../../answer/writer.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { createSources } from '../content/grounding.js';
import { encodeLogprobs } from '../response/metadata.js';
import { encodeFinish, reportRefusals } from '../response/stop.js';
import { createHostedWriter } from '../tools/hosted/encode.js';
import { type CandidateAnswer, format, type PartSink, takeSignature } from './parts.js';

/** Writes the candidate of an answer, whole or as it streams (translation.md 4.3, 5.1). */
export interface CandidateWriter {
  readonly parts: AnswerWriter;
  /** Ends what is open. */
  end(finish: Finish): AnswerEnd;
}

/** What is known at the end of an answer. */
interface AnswerEnd {
  /** The carrier of the state for which no part was left. */
  readonly signature: string | undefined;
  /** What the candidate says besides its content. */
  readonly candidate: JsonObject;
}

/** A writer of one answer; `own` answers come from this dialect, so that nothing of them is lost. */
export function createCandidateWriter(own: boolean, sink: PartSink, context: EncodeResponseContext): CandidateWriter {
  const { losses } = context;
  const sources = createSources();
  const answer: CandidateAnswer = {
    own,
    context,
    losses,
    sink,
    sources,
    hosted: createHostedWriter(sources, losses),
    waiting: [],
    texts: [],
    refusals: [],
  };
  const parts = createAnswerWriter(answer, format);
  return {
    parts,
    end(finish) {
      parts.flush();
      answer.hosted.end();
      const signature = answer.waiting.length === 0 ? undefined : takeSignature(answer, undefined);
      const logprobsResult = encodeLogprobs(answer.texts, own ? undefined : losses);
      if (!own) reportRefusals(answer.refusals, finish, losses);
      const candidate = {
        ...encodeFinish(finish, losses),
        ...sources.encode(),
        ...(logprobsResult !== undefined && { logprobsResult }),
      };
      return { signature, candidate };
    },
  };
}
