import { dropExtras } from '../../adapt/index.js';
import { type AnswerWriter, createAnswerWriter } from '../../answer/writer.js';
import type { Citation } from '../../canonical/content.js';
import type { CanonicalResponse, Finish } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { encodeForeignAnnotations, encodeOwnAnnotations, isListed } from '../content/citations.js';
import { createCarriers } from '../content/state.js';
import { DIALECT } from '../nodes.js';
import { type AnswerSoFar, encodeForeignFinish, type FinishWord, isCutWord } from '../response/stop.js';
import { readsWhole } from '../tools/calls.js';
import { reportHosted } from '../tools/hosted/encode.js';
import { createAnswerIds } from './ids.js';
import type { MessageAnswer, MessageSink } from './message.js';
import { format } from './parts.js';

/** Writes the message of an answer, whole or as it streams (translation.md 5.1, 6.8). */
export interface MessageWriter {
  readonly parts: AnswerWriter;
  /** Ends everything; gives the word for the end. Throws TranslationError for ends that are failures here. */
  end(finish: Finish, about: AnswerEnd): string | null;
}

/** What the end of an answer brings beside its parts. */
type AnswerEnd = Pick<CanonicalResponse, 'ext' | 'extraCandidates' | 'usage'>;

/** A writer for the answer that its service calls `responseId`; `own` answers come from this dialect, and nothing of them is lost. */
export function createMessageWriter(
  responseId: string,
  own: boolean,
  sink: MessageSink,
  context: EncodeResponseContext,
): MessageWriter {
  const { requestBody: asked } = context;
  const state: MessageAnswer = {
    own,
    sink,
    context,
    losses: context.losses,
    carriers: createCarriers(responseId, context),
    ids: createAnswerIds(responseId, context),
    legacy: asked?.functions !== undefined && asked.tools === undefined,
    texts: new Map(),
    pictures: [],
    drawing: new Map(),
    length: 0,
    calls: 0,
    written: [],
    refused: false,
    said: false,
    thought: false,
    moved: false,
  };
  const parts = createAnswerWriter(state, format);
  return {
    parts,
    end(finish, about) {
      parts.flush();
      return end(state, finish, about);
    },
  };
}

function end(state: MessageAnswer, finish: Finish, about: AnswerEnd): string | null {
  const { own, sink, losses, carriers } = state;
  const word = own ? finish.raw : foreignWord(state, finish);
  // A whole answer has lists for sources beside it.
  const placed = (all: readonly Citation[]): readonly Citation[] =>
    sink.streams ? all : all.filter((citation) => !isListed(citation));
  const annotations = [...state.texts.values()].flatMap(({ part, base, citations }) =>
    own ? encodeOwnAnnotations(part, placed(citations), base) : encodeForeignAnnotations(part, citations, base, losses),
  );
  if (!own) reportCut(state, word);
  if (state.pictures.length > 0) sink.put({ images: state.pictures });
  if (annotations.length > 0) sink.put({ annotations });
  const trailing = own ? undefined : carriers.trailing();
  if (trailing !== undefined) sink.put({ reasoning_details: [trailing] });
  for (const asked of state.drawing.values()) reportHosted(asked, losses);
  if (!own) {
    dropExtras(about, DIALECT, losses);
    if ((about.extraCandidates?.length ?? 0) > 0)
      losses.add('', 'candidates', 'dropped', 'an answer is a single message in the target');
  }
  return word === '' ? null : word;
}

/** Reports the calls that their client takes for whole or cut where they are not; of a last one the wire does not say. */
function reportCut({ written, calls, losses }: MessageAnswer, word: string | null): void {
  for (const { part, text, place } of written) {
    const whole = !isCutWord(word ?? undefined) || readsWhole(part.freeform !== undefined, text, place === calls);
    if (whole !== (part.truncated === true) || (!whole && place === calls)) continue;
    losses.add(part, 'call.truncated', 'approximated', `the call is reported as ${whole ? 'complete' : 'interrupted'}`);
  }
}

function foreignWord(state: MessageAnswer, finish: Finish): FinishWord {
  const so: AnswerSoFar = { refused: state.refused, calls: state.calls > 0, text: state.said };
  const { word, refusal } = encodeForeignFinish(finish, so, state.losses);
  if (refusal !== undefined) state.sink.text('refusal', refusal);
  return word === 'tool_calls' && state.legacy ? 'function_call' : word;
}
