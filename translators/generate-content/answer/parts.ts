import { packState } from '../../adapt/index.js';
import { NO_STATE, oneIssuer, PARAGRAPH, reportThoughts, shownPiece, shownThoughts } from '../../answer/thoughts.js';
import type { Answer, AnswerFormat, PartHandler, Writing } from '../../answer/writer.js';
import type {
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/content.js';
import type { Feature } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import type { StateEntry } from '../../canonical/state.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { reportCitations } from '../content/citations.js';
import { encodePart } from '../content/encode.js';
import type { SourceCollector } from '../content/grounding.js';
import { signatureIn } from '../content/reasoning.js';
import { DIALECT } from '../nodes.js';
import { reportLogprobs } from '../response/metadata.js';
import { encodeForeignCall } from '../tools/calls.js';
import { isDerived } from '../tools/hosted/derived.js';
import { addDerived, type HostedWriter } from '../tools/hosted/encode.js';

/** Where the wire parts of an answer go: into chunks of a stream, or into the list of a whole answer. */
export interface PartSink {
  /** A text or a thought, or a piece of one; its signature stands on the first piece. */
  text(text: string, thought: boolean, signature: string | undefined): void;
  part(node: JsonObject): void;
}

/** What is known of an answer between its parts. */
export interface CandidateAnswer extends Answer {
  readonly context: EncodeResponseContext;
  readonly sink: PartSink;
  /** What the parts so far say about sources, and the text that citations point into. */
  readonly sources: SourceCollector;
  readonly hosted: HostedWriter;
  /** State that goes out with the next part that can carry it. */
  waiting: StateEntry[];
  readonly texts: (TextPart | RefusalPart)[];
  /** The paths of refusals. */
  readonly refusals: string[];
}

const text: PartHandler<CandidateAnswer, TextPart | RefusalPart> = {
  delta: (answer, writing, { value }) => writeText(answer, writing, value, false),
  end(answer, writing, part) {
    const { own, losses, sources, texts, refusals } = answer;
    const blank = part.text === '' && writing.state === undefined;
    if (!writing.opened && !blank) writePiece(answer, writing, part.text, false);
    if (!writing.held) defer(answer, writing.state);
    texts.push(part);
    if (blank) return;
    const citations = part.kind === 'text' ? part.citations : undefined;
    if (!own) {
      reportCitations(citations, ptrOf(part), losses);
      if (hasPhase(part)) losses.add(part, 'part.phase', 'dropped', 'text has no phase in the target');
      if (part.kind === 'text') reportLogprobs(part, losses);
    }
    if (part.kind === 'refusal') refusals.push(ptrOf(part));
    sources.text(writing.ix, part.text, citations);
  },
};

const reasoning: PartHandler<CandidateAnswer, ReasoningPart> = {
  delta(answer, writing, delta) {
    const piece = delta.value === '' ? undefined : shownPiece(writing, delta);
    if (piece !== undefined) writeText(answer, writing, piece, true);
  },
  end(answer, writing, part) {
    const thoughts = writing.opened ? [] : shownThoughts(part);
    for (const [index, thought] of thoughts.entries())
      writeText(answer, writing, index === 0 ? thought : PARAGRAPH + thought, true);
    if (answer.own) return;
    reportThoughts(part, answer.losses);
    const { state = [] } = writing;
    if (answer.context.asIssuer === true || state.some((entry) => entry.dialect === DIALECT)) return;
    defer(answer, state.length > 0 ? state : [NO_STATE]);
  },
};

/** A part that comes at once. `foreign` gives one of another service as a part here, or reports it. */
function whole<P extends Part>(
  foreign: (answer: CandidateAnswer, part: P, writing: Writing) => JsonObject | undefined,
): PartHandler<CandidateAnswer, P> {
  return {
    end(answer, writing, part) {
      const node = answer.own ? encodeOwn(answer, part, writing) : foreign(answer, part, writing);
      if (node !== undefined) answer.sink.part(node);
    },
  };
}

function lost(feature: Feature, detail: string): PartHandler<CandidateAnswer> {
  return whole(({ losses }, part) => {
    losses.add(part, feature, 'dropped', detail);
    return undefined;
  });
}

const formless = whole(({ losses }, part) => {
  losses.add(part, 'part.opaque', 'dropped', `a ${part.kind} part has no form here`);
  return undefined;
});

/** Among the parts stand runs of code, and pictures that were made. State waits for what follows. */
const hosted = whole<HostedCallPart | HostedResultPart>((answer, part, { state }) => {
  const node = answer.hosted.encode(part);
  const signed = node && sign(answer, node, undefined);
  defer(answer, state);
  return signed;
});

/** How each kind of part becomes parts of the one candidate (translation.md 4.3, 5.1). */
export const format: AnswerFormat<CandidateAnswer> = {
  dialect: DIALECT,
  kinds: {
    text,
    refusal: text,
    reasoning,
    call: whole((answer, part, { state }) => {
      const node = encodeForeignCall(part, answer.context);
      return node && sign(answer, node, state);
    }),
    media: whole((answer, part, { state }) => {
      if (part.mime === undefined)
        answer.losses.add(part, 'part.media.mime', 'approximated', 'unknown type; sent as a file');
      const node = encodePart({ ...part, state: undefined }, false);
      return node && sign(answer, node, state);
    }),
    hostedCall: hosted,
    hostedResult: hosted,
    opaque: whole(({ losses }, part) => {
      if (part.dialect === DIALECT) return part.raw;
      losses.add(part, 'part.opaque', 'dropped', `a ${part.type} part of the ${part.dialect} dialect`);
      return undefined;
    }),
    compaction: whole((answer, part, { state }) => {
      answer.losses.add(part, 'part.compaction', 'dropped', 'a summary of another service');
      defer(answer, state);
      return undefined;
    }),
    handover: lost('handover', 'another model took over'),
    approval: lost('part.approval', 'clients of this dialect cannot be asked for consent'),
    result: formless,
    textdoc: formless,
    searchResult: formless,
    ref: formless,
    toolChange: formless,
  },
  citation({ own, sources, losses }, { ix, citation }) {
    if (sources.late(ix, citation) && !own) reportCitations([citation], '', losses);
  },
};

/** The signature of what goes out now: its own state, behind everything that waits. */
export function takeSignature(answer: CandidateAnswer, entries: readonly StateEntry[] | undefined): string | undefined {
  const native = entries?.find((entry) => entry.dialect === DIALECT);
  if (native !== undefined) return signatureIn(native);
  if (answer.waiting.length === 0 && (entries === undefined || entries.length === 0)) return undefined;
  const all = [...answer.waiting, ...(entries ?? [])];
  answer.waiting = [];
  return packState(oneIssuer(all), answer.losses);
}

function sign(answer: CandidateAnswer, node: JsonObject, entries: readonly StateEntry[] | undefined): JsonObject {
  const thoughtSignature = takeSignature(answer, entries);
  return thoughtSignature === undefined ? node : { ...node, thoughtSignature };
}

/** Lets state wait that has no part to go out with. */
function defer({ own, waiting }: CandidateAnswer, entries: readonly StateEntry[] = []): void {
  if (!own) waiting.push(...entries);
}

function writeText(answer: CandidateAnswer, writing: Writing, value: string, thought: boolean): void {
  if (value !== '') writePiece(answer, writing, value, thought);
}

/** A text or a piece of one. Thoughts of other services carry no signature: their state waits for the next part. */
function writePiece(answer: CandidateAnswer, writing: Writing, value: string, thought: boolean): void {
  const signs = !writing.opened && (answer.own || !thought);
  const signature = signs ? takeSignature(answer, writing.state) : undefined;
  if (signs && writing.state !== undefined) writing.held = true;
  writing.opened = true;
  answer.sink.text(value, thought, signature);
}

/** A part as it came. What was read out of metadata goes there again. */
function encodeOwn({ sources }: CandidateAnswer, part: Part, { state }: Writing): JsonObject | undefined {
  if (!isDerived(part)) return encodePart(part.state === state ? part : { ...part, state }, true);
  addDerived(part, sources);
  return undefined;
}
