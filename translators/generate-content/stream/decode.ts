import type { TextPart, TokenLogprob } from '../../canonical/content.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { createOpening } from '../../wire/framing.js';
import { isObject, parseJson, tooDeep } from '../../wire/json.js';
import { createJsonArrayCutter } from '../../wire/json-array.js';
import { createSseCutter } from '../../wire/sse.js';
import { decodeCitations } from '../content/citations.js';
import { decodeError } from '../edge/errors.js';
import { put } from '../nodes.js';
import { asUpstream, incomplete, secondsOf } from '../response/decode.js';
import { dealLogprobs, decodeLogprobs, metadataBag } from '../response/metadata.js';
import { decodeBlock, decodeFinish } from '../response/stop.js';
import { nextUsage } from '../response/usage.js';
import { derivedPairs } from '../tools/hosted/decode.js';
import { createPartReader } from './parts.js';

interface Cutter {
  push(chunk: string | Uint8Array): void;
  end(): void;
}

/**
 * Reads a stream in either framing: server-sent events, or one JSON array (by the first character that is no space).
 * The finish is told at the end of the bytes, because metadata may follow it; so are the calls of the last run.
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const parts = createPartReader({ losses: context.losses, domain: context.domain, answer: true }, emit);
  const candidateMeta: JsonObject = {};
  const contentMeta: JsonObject = {};
  const bodyMeta: JsonObject = {};
  const tokens: unknown[] = [];
  const topTokens: unknown[] = [];
  const opening = createOpening();
  let cutter: Cutter | undefined;
  let started = false;
  let done = false;
  let finishReason: string | undefined;
  let finishMessage: string | undefined;
  let block: Finish | undefined;
  let counted: Usage | undefined;
  let tier: string | undefined;
  let alternatives = false;

  const fail = (error: CanonicalError): void => {
    if (done) return;
    done = true;
    emit({ type: 'error', error });
  };

  /** The text that is still open at the end takes its citations and log probabilities along. */
  const withMetadata = (part: TextPart, ix: number): TextPart => {
    const citations = decodeCitations(candidateMeta, parts.texts)
      .filter((placed) => placed.ix === ix)
      .map((placed) => placed.citation);
    for (const citation of citations) emit({ type: 'part.citation', ix, citation });
    const logprobs = dealtTokens().get(ix) ?? [];
    if (logprobs.length > 0) emit({ type: 'part.logprobs', ix, tokens: logprobs });
    return { ...part, ...(citations.length > 0 && { citations }), ...(logprobs.length > 0 && { logprobs }) };
  };

  /** The log probabilities of each visible text, by its place. */
  const dealtTokens = (): ReadonlyMap<number, readonly TokenLogprob[]> => {
    if (tokens.length === 0) return new Map();
    const decoded = decodeLogprobs({ chosenCandidates: tokens, topCandidates: topTokens });
    const dealt = dealLogprobs(
      decoded,
      parts.texts.map(({ text }) => text),
    );
    return new Map(parts.texts.map(({ ix }, index) => [ix, dealt[index] ?? []]));
  };

  const addCandidate = (candidate: JsonObject): void => {
    const { content } = candidate;
    const { parts: list, role: _role, ...more } = isObject(content) ? content : {};
    if (Array.isArray(list)) for (const part of list) if (isObject(part)) parts.add(part);
    for (const key in more) put(contentMeta, key, more[key]);
    for (const key in candidate) {
      const value = candidate[key];
      if (key === 'finishReason' && typeof value === 'string') finishReason = value;
      else if (key === 'finishMessage' && typeof value === 'string') finishMessage = value;
      else if (key === 'logprobsResult') addTokens(value);
      else if (key !== 'content' && key !== 'index' && !isEmpty(value)) candidateMeta[key] = value;
    }
  };

  const addTokens = (value: unknown): void => {
    if (!isObject(value)) return;
    const { chosenCandidates, topCandidates } = value;
    if (Array.isArray(chosenCandidates)) for (const token of chosenCandidates) tokens.push(token);
    if (Array.isArray(topCandidates)) for (const token of topCandidates) topTokens.push(token);
  };

  const addChunk = (body: JsonObject): void => {
    if (isObject(body.error)) {
      fail(decodeError(0, body, {}));
      return;
    }
    const { candidates, usageMetadata, promptFeedback, responseId, modelVersion, createTime } = body;
    const usage = usageMetadata === undefined ? undefined : nextUsage(counted, usageMetadata);
    counted = usage ?? counted;
    if (isObject(usageMetadata) && typeof usageMetadata.serviceTier === 'string') tier = usageMetadata.serviceTier;
    if (!started) {
      started = true;
      const createdAt = typeof createTime === 'string' ? secondsOf(createTime) : undefined;
      emit({
        type: 'start',
        id: typeof responseId === 'string' ? responseId : '',
        model: typeof modelVersion === 'string' ? modelVersion : '',
        ...(createdAt !== undefined && { createdAt }),
        ...(usage !== undefined && { usage }),
        ...(tier !== undefined && { tier }),
        ext: { generateContent: {} },
      });
    } else if (usage !== undefined) {
      emit({ type: 'usage', usage });
    }
    for (const key in body) if (key !== 'candidates') put(bodyMeta, key, body[key]);
    if (isObject(promptFeedback) && typeof promptFeedback.blockReason === 'string') {
      const message = promptFeedback.blockReasonMessage;
      block = decodeBlock(promptFeedback.blockReason, typeof message === 'string' ? message : undefined);
    }
    if (!Array.isArray(candidates)) return;
    candidates.forEach((candidate: unknown, place) => {
      if (!isObject(candidate)) return;
      if ((candidate.index ?? place) === 0) addCandidate(candidate);
      else if (!alternatives) {
        alternatives = true;
        context.losses.add('/candidates/1', 'candidates', 'dropped', 'only the first candidate is returned');
      }
    });
  };

  const onData = (data: string): void => {
    if (done || data === '[DONE]') return;
    const parsed = parseJson(data, context.maxEventDepth);
    const body = parsed.ok && Array.isArray(parsed.value) ? parsed.value[0] : parsed.ok ? parsed.value : undefined;
    if (!isObject(body)) {
      fail({
        kind: 'upstream',
        message: tooDeep(parsed, context.maxEventDepth) ?? 'the backend sent a frame that is not a JSON object',
        code: 'upstream_malformed',
      });
      return;
    }
    addChunk(body);
  };

  const finish = (): void => {
    const end = finishReason === undefined ? block : undefined;
    if (finishReason === undefined && end === undefined) {
      fail(incomplete().toCanonical());
      return;
    }
    const last = parts.openText;
    parts.end(withMetadata);
    for (const [ix, logprobs] of dealtTokens()) {
      if (ix !== last && logprobs.length > 0) emit({ type: 'part.logprobs', ix, tokens: logprobs });
    }
    for (const part of derivedPairs(candidateMeta, parts.searched)) parts.whole(part);
    for (const { ix, citation } of decodeCitations(candidateMeta, parts.texts)) {
      if (ix !== last) emit({ type: 'part.citation', ix, citation });
    }
    emit({ type: 'finish', finish: end ?? decodeFinish(finishReason ?? '', parts.called, finishMessage) });
    done = true;
    emit({ type: 'end', ...(tier !== undefined && { tier }), ext: metadataBag(bodyMeta, candidateMeta, contentMeta) });
  };

  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (thrown) {
      if (thrown instanceof WireError) {
        fail({ kind: 'upstream', message: 'the backend sent a frame that cannot be read', code: 'upstream_malformed' });
      } else {
        fail(asUpstream(thrown).toCanonical());
      }
    }
  };

  return {
    push(chunk) {
      if (done) return;
      const opened = cutter === undefined ? opening(chunk) : { array: false, pieces: [chunk] };
      if (opened === undefined) return;
      cutter ??= createCutter(opened.array, context.maxEventBytes, onData);
      const chosen = cutter;
      guarded(() => {
        for (const piece of opened.pieces) chosen.push(piece);
      });
    },
    end() {
      if (done) return;
      guarded(() => {
        cutter?.end();
        if (!done) finish();
      });
    },
  };
}

/** Metadata that says nothing yet: `{}` fills the chunks before the last ([G §5.3] note 3). */
function isEmpty(value: unknown): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

function createCutter(array: boolean, maxBytes: number | undefined, onData: (data: string) => void): Cutter {
  if (array) return createJsonArrayCutter(onData, { maxBytes });
  return createSseCutter((_event, data) => onData(data), { maxBytes });
}
