import type { CallPart, HostedCallPart, HostedResultPart, Part, ReasoningPart, TextPart } from '../canonical/content.js';
import type { CanonicalError } from '../canonical/errors.js';
import type { EventSink } from '../canonical/events.js';
import type { JsonObject } from '../canonical/node.js';
import type { Finish } from '../canonical/response.js';
import type { DecodeResponseContext, StreamDecoder } from '../dialect.js';
import { WireError } from '../wire/errors.js';
import { createJsonArrayCutter } from '../wire/json-array.js';
import { isObject, parseJson } from '../wire/json.js';
import { createSseCutter } from '../wire/sse.js';
import { decodeFailure } from './errors.js';
import { decodeCitations, derivedPairs, type PlacedText } from './grounding.js';
import { decodeLogprobs, metadataBag } from './metadata.js';
import { decodePart, nodeEntry, type ReadContext, servedCall, servedResult } from './part-decode.js';
import { createPartialArgs, type PartialArgs } from './partial-args.js';
import { asUpstream, incomplete, secondsOf } from './response.js';
import { decodeBlock, decodeFinish } from './stop.js';
import { decodeUsage } from './usage.js';

/** A text or thought that chunks append to. */
interface OpenText {
  readonly ix: number;
  readonly thought: boolean;
  readonly ptr: string;
  text: string;
  /** A signed empty part followed: more text begins a new part. */
  sealed: boolean;
}

/** A call that may still be updated, or turn out to be answered by the service. */
interface OpenCall {
  part: CallPart;
  readonly node: JsonObject;
  readonly partial?: PartialArgs;
  answer?: { readonly node: JsonObject; readonly ptr: string };
}

/** A hosted call whose result may follow. */
interface OpenHosted {
  readonly ix: number;
  readonly part: HostedCallPart;
  readonly node: JsonObject;
}

interface Cutter {
  push(chunk: string | Uint8Array): void;
  end(): void;
}

const PARTS = '/candidates/0/content/parts';

/**
 * Reads a stream in either framing: server-sent events, or one JSON array (by the first character that is no space).
 * The finish is told at the end of the bytes, because metadata may follow it; so are the calls of the last run.
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const read: ReadContext = { losses: context.losses, domain: context.domain, answer: true };
  const candidateMeta: JsonObject = {};
  const bodyMeta: JsonObject = {};
  const texts: PlacedText[] = [];
  const tokens: JsonObject[] = [];
  const topTokens: unknown[] = [];
  let cutter: Cutter | undefined;
  let started = false;
  let done = false;
  let next = 0;
  let wireIndex = 0;
  let open: OpenText | undefined;
  let hosted: OpenHosted | undefined;
  let calls: OpenCall[] = [];
  let called = false;
  let searched = false;
  let finishReason: string | undefined;
  let finishMessage: string | undefined;
  let block: Finish | undefined;
  let tier: string | undefined;
  let alternatives = false;

  const fail = (error: CanonicalError): void => {
    if (done) return;
    done = true;
    emit({ type: 'error', error });
  };

  const whole = (part: Part): number => {
    const ix = next;
    next += 1;
    emit({ type: 'part.start', ix, part });
    emit({ type: 'part.end', ix, part });
    return ix;
  };

  const closeText = (last: boolean): void => {
    if (open === undefined) return;
    const { ix, thought, text, ptr } = open;
    open = undefined;
    if (thought) {
      emit({ type: 'part.end', ix, part: { kind: 'reasoning', text: [text], src: { ptr } } });
      return;
    }
    texts.push({ ix, text });
    const part: TextPart = { kind: 'text', text, src: { ptr } };
    emit({ type: 'part.end', ix, part: last ? withMetadata(part, ix) : part });
  };

  /** The text that is still open at the end takes its citations and log probabilities along. */
  const withMetadata = (part: TextPart, ix: number): TextPart => {
    const citations = decodeCitations(candidateMeta, texts)
      .filter((placed) => placed.ix === ix)
      .map((placed) => placed.citation);
    for (const citation of citations) emit({ type: 'part.citation', ix, citation });
    const logprobs = decodeLogprobs({ chosenCandidates: tokens, topCandidates: topTokens });
    if (logprobs.length > 0) emit({ type: 'part.logprobs', ix, tokens: logprobs });
    return { ...part, ...(citations.length > 0 && { citations }), ...(logprobs.length > 0 && { logprobs }) };
  };

  const lateTokens = (): void => {
    const ix = texts.at(-1)?.ix;
    const logprobs = decodeLogprobs({ chosenCandidates: tokens, topCandidates: topTokens });
    if (ix !== undefined && logprobs.length > 0) emit({ type: 'part.logprobs', ix, tokens: logprobs });
  };

  const closeHosted = (): void => {
    if (hosted === undefined) return;
    const { ix, part, node } = hosted;
    hosted = undefined;
    const ended: Part = { ...part, state: [nodeEntry('hosted', [node], read)] };
    emit({ type: 'part.end', ix, part: ended });
  };

  const flushCalls = (): void => {
    if (calls.length === 0) return;
    const flushed = calls;
    calls = [];
    for (const { part, partial, node, answer } of flushed) {
      const call: CallPart = partial === undefined ? part : { ...part, args: { value: partial.value } };
      if (answer === undefined) emitCall(call);
      else emitServed(call, node, answer);
    }
  };

  const emitCall = (part: CallPart): void => {
    const ix = next;
    next += 1;
    called = true;
    emit({ type: 'part.start', ix, part: { ...part, args: { value: {} } } });
    const value = JSON.stringify(part.args.value ?? {});
    if (value !== '{}') emit({ type: 'part.delta', ix, op: 'args', value });
    emit({ type: 'part.end', ix, part });
  };

  /** A call that the service answered itself, with its answer. */
  const emitServed = (call: CallPart, node: JsonObject, answer: NonNullable<OpenCall['answer']>): void => {
    const callId = call.callId === '' ? `served_${next}` : call.callId;
    const { state: _state, ...made } = servedCall(call, callId);
    whole({ ...made, src: { ptr: made.src?.ptr ?? '', raw: node } });
    const result = servedResult(answer.node, callId, answer.ptr);
    whole({ ...result, state: [nodeEntry('hosted', [node, answer.node], read)] });
  };

  const settle = (): void => {
    closeText(false);
    closeHosted();
    flushCalls();
  };

  const addText = (text: string, thought: boolean, ptr: string): void => {
    if (text === '') return;
    if (open === undefined || open.thought !== thought || open.sealed) {
      settle();
      open = { ix: next, thought, text: '', ptr, sealed: false };
      next += 1;
      const head: Part = thought ? { kind: 'reasoning', text: [], src: { ptr } } : { kind: 'text', text: '', src: { ptr } };
      emit({ type: 'part.start', ix: open.ix, part: head });
    }
    open.text += text;
    emit({ type: 'part.delta', ix: open.ix, op: thought ? 'reasoning' : 'text', value: text });
  };

  /** A part with a signature, or with more than text, is a part of its own. */
  const addSigned = (part: TextPart | ReasoningPart): void => {
    if (part.kind === 'text' && part.text === '' && open?.thought === false && calls.length === 0) {
      open.sealed = true;
      texts.push({ ix: whole(part), text: '' });
      return;
    }
    settle();
    const ix = next;
    next += 1;
    const text = part.kind === 'text' ? part.text : part.text.join('');
    const head: Part = part.kind === 'text' ? { ...part, text: '' } : { ...part, text: [] };
    emit({ type: 'part.start', ix, part: head });
    if (text !== '') emit({ type: 'part.delta', ix, op: part.kind === 'text' ? 'text' : 'reasoning', value: text });
    emit({ type: 'part.end', ix, part });
    if (part.kind === 'text') texts.push({ ix, text });
  };

  const addCall = (node: JsonObject, ptr: string): void => {
    const inner = node.functionCall ?? node.function_call;
    if (!isObject(inner)) throw incomplete();
    const { partialArgs, willContinue, ...plain } = inner;
    const pieces = partialArgs ?? inner.partial_args;
    if (typeof inner.name !== 'string' || inner.name === '') {
      calls.findLast((call) => call.partial !== undefined)?.partial?.add(pieces);
      return;
    }
    closeText(false);
    closeHosted();
    const isPartial = pieces !== undefined || willContinue !== undefined || inner.will_continue !== undefined;
    const { partial_args: _pieces, will_continue: _continue, ...bare } = plain;
    const part = decodePart(isPartial ? { ...node, functionCall: bare } : node, ptr, read);
    if (part.kind !== 'call') return;
    const known = part.callId === '' ? undefined : calls.find((call) => call.part.callId === part.callId);
    if (known !== undefined) {
      known.part = { ...part, state: part.state ?? known.part.state };
      return;
    }
    if (!isPartial) {
      calls.push({ part, node });
      return;
    }
    const partial = createPartialArgs();
    if (isObject(part.args.value)) Object.assign(partial.value, part.args.value);
    partial.add(pieces);
    calls.push({ part, node, partial });
  };

  const addHosted = (part: HostedCallPart | HostedResultPart, node: JsonObject): void => {
    const id = part.callId === '' ? `hosted_${wireIndex}` : part.callId;
    if (part.kind === 'hostedCall') {
      settle();
      searched ||= part.family === 'webSearch';
      const head = { ...part, callId: id };
      hosted = { ix: next, part: head, node };
      next += 1;
      emit({ type: 'part.start', ix: hosted.ix, part: head });
      return;
    }
    closeText(false);
    flushCalls();
    const call = hosted;
    if (call !== undefined && (part.callId === '' || part.callId === call.part.callId)) {
      hosted = undefined;
      emit({ type: 'part.end', ix: call.ix, part: call.part });
      whole({ ...part, callId: call.part.callId, state: [nodeEntry('hosted', [call.node, node], read)] });
      return;
    }
    closeHosted();
    whole({ ...part, callId: id, state: [nodeEntry('hosted', [node], read)] });
  };

  const addPart = (node: JsonObject): void => {
    const ptr = `${PARTS}/${wireIndex}`;
    const { text, thought } = node;
    if (typeof text === 'string' && isPlainText(node)) addText(text, thought === true, ptr);
    else if (node.functionCall !== undefined || node.function_call !== undefined) addCall(node, ptr);
    else addOther(decodePart(node, ptr, read), node, ptr);
    wireIndex += 1;
  };

  const addOther = (part: Part, node: JsonObject, ptr: string): void => {
    switch (part.kind) {
      case 'text':
      case 'reasoning':
        return addSigned(part);
      case 'hostedCall':
      case 'hostedResult':
        return addHosted(part, node);
      case 'result': {
        const call = calls.find(
          (candidate) =>
            candidate.answer === undefined &&
            (part.callId === '' ? candidate.part.name === part.name : candidate.part.callId === part.callId),
        );
        if (call !== undefined) call.answer = { node, ptr };
        return;
      }
      default:
        settle();
        whole(part);
    }
  };

  const addCandidate = (candidate: JsonObject): void => {
    const { content } = candidate;
    const list = isObject(content) ? content.parts : undefined;
    if (Array.isArray(list)) for (const part of list) if (isObject(part)) addPart(part);
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
    if (Array.isArray(value.chosenCandidates)) tokens.push(...value.chosenCandidates.filter(isObject));
    if (Array.isArray(value.topCandidates)) topTokens.push(...value.topCandidates);
  };

  const addChunk = (body: JsonObject): void => {
    if (isObject(body.error)) return fail(decodeFailure(0, body, {}));
    const { candidates, usageMetadata, promptFeedback, responseId, modelVersion, createTime } = body;
    const usage = usageMetadata === undefined ? undefined : decodeUsage(usageMetadata);
    if (!started) {
      started = true;
      const createdAt = typeof createTime === 'string' ? secondsOf(createTime) : undefined;
      emit({
        type: 'start',
        id: typeof responseId === 'string' ? responseId : '',
        model: typeof modelVersion === 'string' ? modelVersion : '',
        ...(createdAt !== undefined && { createdAt }),
        ...(usage !== undefined && { usage }),
        ext: { generateContent: {} },
      });
    } else if (usage !== undefined) {
      emit({ type: 'usage', usage });
    }
    if (isObject(usageMetadata) && typeof usageMetadata.serviceTier === 'string') tier = usageMetadata.serviceTier;
    for (const key in body) if (key !== 'candidates') bodyMeta[key] = body[key];
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
        context.losses.add('/candidates/1', 'candidates', 'dropped', 'only the first answer is told');
      }
    });
  };

  const onData = (data: string): void => {
    if (done || data === '[DONE]') return;
    const parsed = parseJson(data);
    const body = parsed.ok && Array.isArray(parsed.value) ? parsed.value[0] : parsed.ok ? parsed.value : undefined;
    if (!isObject(body)) {
      fail({ kind: 'upstream', message: 'the backend sent a frame that is no JSON object', code: 'upstream_malformed' });
      return;
    }
    addChunk(body);
  };

  const finish = (): void => {
    const end = finishReason === undefined ? block : undefined;
    if (finishReason === undefined && end === undefined) return fail(incomplete().toCanonical());
    const openIx = open?.thought === false ? open.ix : undefined;
    if (openIx === undefined && tokens.length > 0) lateTokens();
    closeText(true);
    closeHosted();
    flushCalls();
    for (const part of derivedPairs(candidateMeta, searched)) whole(part);
    for (const { ix, citation } of decodeCitations(candidateMeta, texts)) {
      if (ix !== openIx) emit({ type: 'part.citation', ix, citation });
    }
    emit({ type: 'finish', finish: end ?? decodeFinish(finishReason ?? '', called, finishMessage) });
    done = true;
    emit({ type: 'end', ...(tier !== undefined && { tier }), ext: metadataBag(bodyMeta, candidateMeta) });
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
      cutter ??= chooseCutter(chunk, context.maxEventBytes, onData);
      const chosen = cutter;
      if (chosen !== undefined) guarded(() => chosen.push(chunk));
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

/** Nothing but text and the thought flag. */
function isPlainText(node: JsonObject): boolean {
  for (const key in node) if (key !== 'text' && key !== 'thought') return false;
  return true;
}

/** Metadata that says nothing yet: `{}` fills the chunks before the last ([G §5.3] note 3). */
function isEmpty(value: unknown): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

/** The cutter for a body that begins with `chunk`; undefined while only white space came. */
function chooseCutter(
  chunk: string | Uint8Array,
  maxBytes: number | undefined,
  onData: (data: string) => void,
): Cutter | undefined {
  const first = firstCode(chunk);
  if (first === undefined) return undefined;
  if (first === 0x5b) return createJsonArrayCutter(onData, { maxBytes });
  return createSseCutter((_event, data) => onData(data), { maxBytes });
}

function firstCode(chunk: string | Uint8Array): number | undefined {
  const blanks = typeof chunk === 'string' ? TEXT_BLANKS : BYTE_BLANKS;
  for (let at = 0; at < chunk.length; at += 1) {
    const code = typeof chunk === 'string' ? chunk.charCodeAt(at) : (chunk[at] ?? 0);
    if (!blanks.has(code)) return code;
  }
  return undefined;
}

/** White space and the byte order mark, as characters and as bytes. */
const TEXT_BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xfeff]);
const BYTE_BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
