import type { TextPart, TokenLogprob } from '../../canonical/content.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { createEventParser, type EventParser, isFlat } from '../../wire/event-parser.js';
import { createOpening } from '../../wire/framing.js';
import { isObject, tooDeep } from '../../wire/json.js';
import { createJsonArrayCutter } from '../../wire/json-array.js';
import { createSseCutter } from '../../wire/sse.js';
import { decodeCitations } from '../content/citations.js';
import { decodeError } from '../edge/errors.js';
import { put } from '../nodes.js';
import { asUpstream, incomplete, secondsOf } from '../response/decode.js';
import { dealLogprobs, decodeLogprobs, metadataBag } from '../response/metadata.js';
import { decodeBlock, decodeFinish } from '../response/stop.js';
import { apartUsage, nextUsage } from '../response/usage.js';
import { derivedPairs } from '../tools/hosted/decode.js';
import { addPart, addWhole, createPartReader, endParts, isPlainText, openText, type PartReader } from './assembly.js';

interface Cutter {
  push(chunk: string | Uint8Array): void;
  end(): void;
}

/** What is known of a stream between its chunks. */
interface DecoderState {
  readonly context: DecodeResponseContext;
  readonly emit: EventSink;
  readonly parts: PartReader;
  readonly candidateMeta: JsonObject;
  readonly contentMeta: JsonObject;
  readonly bodyMeta: JsonObject;
  readonly tokens: unknown[];
  readonly topTokens: unknown[];
  started: boolean;
  done: boolean;
  finishReason: string | undefined;
  finishMessage: string | undefined;
  block: Finish | undefined;
  counted: Usage | undefined;
  tier: string | undefined;
  alternatives: boolean;
}

/**
 * Reads a stream in either framing: server-sent events, or one JSON array (by the first character that is no space).
 * The finish is emitted at the end of the bytes, because metadata may follow it; so are the calls of the last run.
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const parts = createPartReader({ losses: context.losses, domain: context.domain, answer: true }, emit);

  const parse = createEventParser({ maxDepth: context.maxEventDepth, isTransient });
  const opening = createOpening();
  let cutter: Cutter | undefined;

  const state: DecoderState = {
    context,
    emit,
    parts,
    candidateMeta: {},
    contentMeta: {},
    bodyMeta: {},
    tokens: [],
    topTokens: [],
    started: false,
    done: false,
    finishReason: undefined,
    finishMessage: undefined,
    block: undefined,
    counted: undefined,
    tier: undefined,
    alternatives: false,
  };

  return {
    push(chunk) {
      if (state.done) return;
      if (cutter === undefined) {
        const opened = opening(chunk);
        if (opened === undefined) return;
        const chosen = createCutter(opened.array, context.maxEventBytes, (data) => onData(state, parse, data));
        cutter = chosen;
        guarded(state, () => {
          for (const piece of opened.pieces) chosen.push(piece);
        });
      } else {
        const chosen = cutter;
        guarded(state, () => chosen.push(chunk));
      }
    },
    end() {
      if (state.done) return;
      guarded(state, () => {
        cutter?.end();
        if (!state.done) finish(state);
      });
    },
  };
}

function fail(state: DecoderState, error: CanonicalError): void {
  if (state.done) return;
  state.done = true;
  state.emit({ type: 'error', error });
}

/** The text that is still open at the end takes its citations and log probabilities along. */
function withMetadata(state: DecoderState, part: TextPart, ix: number): TextPart {
  const citations = decodeCitations(state.candidateMeta, state.parts.texts)
    .filter((placed) => placed.ix === ix)
    .map((placed) => placed.citation);
  for (const citation of citations) state.emit({ type: 'part.citation', ix, citation });
  const logprobs = dealtTokens(state).get(ix) ?? [];
  if (logprobs.length > 0) state.emit({ type: 'part.logprobs', ix, tokens: logprobs });
  return { ...part, ...(citations.length > 0 && { citations }), ...(logprobs.length > 0 && { logprobs }) };
}

/** The log probabilities of each visible text, by its place. */
function dealtTokens(state: DecoderState): ReadonlyMap<number, readonly TokenLogprob[]> {
  if (state.tokens.length === 0) return new Map();
  const decoded = decodeLogprobs({ chosenCandidates: state.tokens, topCandidates: state.topTokens });
  const dealt = dealLogprobs(
    decoded,
    state.parts.texts.map(({ text }) => text),
  );
  return new Map(state.parts.texts.map(({ ix }, index) => [ix, dealt[index] ?? []]));
}

function addCandidate(state: DecoderState, candidate: JsonObject): void {
  const { content } = candidate;
  if (isObject(content)) {
    if (Array.isArray(content.parts)) for (const part of content.parts) if (isObject(part)) addPart(state.parts, part);
    for (const key in content) if (key !== 'parts' && key !== 'role') put(state.contentMeta, key, content[key]);
  }
  for (const key in candidate) {
    const value = candidate[key];
    if (key === 'finishReason' && typeof value === 'string') state.finishReason = value;
    else if (key === 'finishMessage' && typeof value === 'string') state.finishMessage = value;
    else if (key === 'logprobsResult') addTokens(state, value);
    else if (key !== 'content' && key !== 'index' && !isEmpty(value)) state.candidateMeta[key] = value;
  }
}

function addTokens(state: DecoderState, value: unknown): void {
  if (!isObject(value)) return;
  const { chosenCandidates, topCandidates } = value;
  if (Array.isArray(chosenCandidates)) for (const token of chosenCandidates) state.tokens.push(token);
  if (Array.isArray(topCandidates)) for (const token of topCandidates) state.topTokens.push(token);
}

function addChunk(state: DecoderState, body: JsonObject): void {
  if (isObject(body.error)) {
    fail(state, decodeError(0, body, {}));
    return;
  }
  const { candidates, promptFeedback, responseId, modelVersion, createTime } = body;
  // A copy, because the counts are kept.
  const usageMetadata = isObject(body.usageMetadata) ? { ...body.usageMetadata } : undefined;
  const usage = usageMetadata === undefined ? undefined : nextUsage(state.counted, usageMetadata);
  state.counted = usage ?? state.counted;
  if (typeof usageMetadata?.serviceTier === 'string') state.tier = usageMetadata.serviceTier;
  if (!state.started) {
    state.started = true;
    const createdAt = typeof createTime === 'string' ? secondsOf(createTime) : undefined;
    state.emit({
      type: 'start',
      id: typeof responseId === 'string' ? responseId : '',
      model: typeof modelVersion === 'string' ? modelVersion : '',
      ...(createdAt !== undefined && { createdAt }),
      ...(usage !== undefined && { usage }),
      ...(state.tier !== undefined && { tier: state.tier }),
      ext: { generateContent: {} },
    });
  } else if (usage !== undefined) {
    state.emit({ type: 'usage', usage });
  }
  for (const key in body) if (key !== 'candidates' && key !== 'usageMetadata') put(state.bodyMeta, key, body[key]);
  if (usageMetadata !== undefined) state.bodyMeta.usageMetadata = usageMetadata;
  if (isObject(promptFeedback) && typeof promptFeedback.blockReason === 'string') {
    const message = promptFeedback.blockReasonMessage;
    state.block = decodeBlock(promptFeedback.blockReason, typeof message === 'string' ? message : undefined);
  }
  if (!Array.isArray(candidates)) return;
  for (let place = 0; place < candidates.length; place += 1) {
    const candidate: unknown = candidates[place];
    if (!isObject(candidate)) continue;
    if ((candidate.index ?? place) === 0) addCandidate(state, candidate);
    else if (!state.alternatives) {
      state.alternatives = true;
      state.context.losses.add('/candidates/1', 'candidates', 'dropped', 'only the first candidate is returned');
    }
  }
}

/** A chunk of which only a text and counts are taken. */
function isTransient(body: JsonObject): boolean {
  const { candidates, usageMetadata } = body;
  if (!Array.isArray(candidates) || candidates.length !== 1 || !isFlat(body, 'candidates', 'usageMetadata'))
    return false;
  if (isObject(usageMetadata) && !isFlat(usageMetadata)) return false;
  const [candidate] = candidates;
  if (!isObject(candidate) || !isObject(candidate.content) || !isFlat(candidate, 'content')) return false;
  const { parts } = candidate.content;
  if (!Array.isArray(parts) || parts.length !== 1 || !isFlat(candidate.content, 'parts')) return false;
  return isObject(parts[0]) && isPlainText(parts[0]) && isFlat(parts[0]);
}

function onData(state: DecoderState, parse: EventParser, data: string): void {
  if (state.done || data === '[DONE]') return;
  const parsed = parse(data);
  const body = parsed.ok && Array.isArray(parsed.value) ? parsed.value[0] : parsed.ok ? parsed.value : undefined;
  if (!isObject(body)) {
    fail(state, {
      kind: 'upstream',
      message: tooDeep(parsed, state.context.maxEventDepth) ?? 'the backend sent a frame that is not a JSON object',
      code: 'upstream_malformed',
    });
    return;
  }
  addChunk(state, body);
}

function finish(state: DecoderState): void {
  const end = state.finishReason === undefined ? state.block : undefined;
  if (state.finishReason === undefined && end === undefined) {
    fail(state, incomplete().toCanonical());
    return;
  }
  const last = openText(state.parts);
  endParts(state.parts, (part, ix) => withMetadata(state, part, ix));
  for (const [ix, logprobs] of dealtTokens(state)) {
    if (ix !== last && logprobs.length > 0) state.emit({ type: 'part.logprobs', ix, tokens: logprobs });
  }
  for (const part of derivedPairs(state.candidateMeta, state.parts.searched)) addWhole(state.parts, part);
  for (const { ix, citation } of decodeCitations(state.candidateMeta, state.parts.texts)) {
    if (ix !== last) state.emit({ type: 'part.citation', ix, citation });
  }
  state.emit({
    type: 'finish',
    finish: end ?? decodeFinish(state.finishReason ?? '', state.parts.called, state.finishMessage),
  });
  state.done = true;
  const apart = apartUsage(state.counted, state.bodyMeta.usageMetadata);
  if (apart !== undefined) state.emit({ type: 'usage', usage: apart });
  state.emit({
    type: 'end',
    ...(state.tier !== undefined && { tier: state.tier }),
    ext: metadataBag(state.bodyMeta, state.candidateMeta, state.contentMeta),
  });
}

function guarded(state: DecoderState, step: () => void): void {
  try {
    step();
  } catch (thrown) {
    if (thrown instanceof WireError) {
      fail(state, {
        kind: 'upstream',
        message: 'the backend sent a frame that cannot be read',
        code: 'upstream_malformed',
      });
    } else {
      fail(state, asUpstream(thrown).toCanonical());
    }
  }
}

/** Metadata that says nothing yet: `{}` fills the chunks before the last ([G §5.3] note 3). */
function isEmpty(value: unknown): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

function createCutter(array: boolean, maxBytes: number | undefined, onData: (data: string) => void): Cutter {
  if (array) return createJsonArrayCutter(onData, { maxBytes });
  return createSseCutter((_event, data) => onData(data), { maxBytes });
}
