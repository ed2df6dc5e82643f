import type { Part } from '../../canonical/content.js';
import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { createPartQueue, type PartEvent } from '../../wire/part-queue.js';
import { encodeOwnCitation } from '../content/citations.js';
import { encodePart } from '../content/encode.js';
import { ownNode } from '../content/reasoning.js';
import { estimateInput } from '../edge/count.js';
import { DIALECT, put, rawOf } from '../nodes.js';
import { answerId, betaMembers } from '../response/encode.js';
import { encodeOwnFinish } from '../response/stop.js';
import { betaCounts, encodeForeignUsage, encodeOwnUsage, usageExtras } from '../response/usage.js';
import { createFrames, type Frames, startMessage } from './frames.js';
import { createAnswerWriter } from './writer.js';

/**
 * Writes a stream of this dialect (translation.md 6.2). The first event is held back until something follows it, so that
 * it can hold the input count, or until a heartbeat is due.
 */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const frames = createFrames(context);
  let writer: StreamWriter | undefined;
  let usage: Usage = {};
  let finish: Finish | undefined;
  let over = false;
  let failure: CanonicalError | undefined;

  const begun = (): StreamWriter => {
    writer ??= createForeignWriter(undefined, frames, context);
    if (!frames.started) writer.begin(usage);
    return writer;
  };

  const end = (event: Extract<StreamEvent, { readonly type: 'end' }>): void => {
    over = true;
    try {
      if (finish === undefined) {
        throw new TranslationError('upstream', 'the answer ended without a reason', { code: 'upstream_incomplete' });
      }
      begun().end(finish, event, usage);
    } catch (thrown) {
      failure = TranslationError.from(thrown).toCanonical();
      frames.error(failure);
    }
  };

  const encode = (event: StreamEvent): void => {
    switch (event.type) {
      case 'start':
        usage = mergeUsage(usage, event.usage) ?? usage;
        writer ??=
          event.ext?.[DIALECT] === undefined
            ? createForeignWriter(event, frames, context)
            : createOwnWriter(event, frames);
        return;
      case 'usage':
        usage = mergeUsage(usage, event.usage) ?? usage;
        begun();
        return;
      case 'finish':
        finish = event.finish;
        return;
      case 'end':
        end(event);
        return;
      case 'error':
        over = true;
        frames.error(event.error);
        return;
      case 'ping':
        if (frames.started) frames.ping();
        return;
      case 'loss': {
        const { path, feature, kind, detail } = event.loss;
        context.losses.add(path, feature, kind, detail);
        return;
      }
      case 'opaque':
        return;
      default:
        begun().part(event);
    }
  };

  return {
    encode(event) {
      if (over) return '';
      encode(event);
      return frames.take();
    },
    heartbeat() {
      if (over) return '';
      if (frames.started) frames.ping();
      else begun();
      return frames.take();
    },
    get failure() {
      return failure;
    },
  };
}

/** Writes what a stream is made of. There is one writer for answers of this dialect and one for those of others. */
interface StreamWriter {
  /** Writes the first event of the stream. */
  begin(usage: Usage): void;
  part(event: PartEvent): void;
  /** Closes everything and writes the end. Throws TranslationError for ends that are failures here. */
  end(finish: Finish, event: Extract<StreamEvent, { readonly type: 'end' }>, usage: Usage): void;
}

/** Writes an answer of another service by the rules that hold for a whole one (translation.md 6.7). */
function createForeignWriter(
  start: Extract<StreamEvent, { readonly type: 'start' }> | undefined,
  frames: Frames,
  context: EncodeResponseContext,
): StreamWriter {
  const id = start?.id ?? '';
  const writer = createAnswerWriter(id, frames, context);
  const queue = createPartQueue(writer.part);
  return {
    begin(usage) {
      const { node } = encodeForeignUsage(usage);
      if (usage.input === undefined) {
        node.input_tokens = estimateInput(context.request);
        const detail = 'the stream begins with an estimate, which its end corrects';
        context.losses.add('', 'usage.input', 'invented', detail);
      }
      frames.start({
        ...startMessage(answerId(id, context.nonce), context.model ?? start?.model ?? ''),
        stop_details: null,
        container: null,
        diagnostics: null,
        ...betaMembers(context),
        usage: { ...node, output_tokens: 1, ...usageExtras(usage, start?.tier), ...betaCounts(context) },
      });
    },
    part: queue.push,
    end(finish, { tier, ext = start?.ext, extraCandidates }, usage) {
      queue.flush();
      const { stop, counts } = writer.end(finish, { tier, ext, extraCandidates }, usage, start?.tier);
      const { input_tokens, output_tokens } = counts;
      // The base specification has the counts inside; official clients read those next to it [M §7].
      const delta = { ...stop, container: null, usage: { input_tokens, output_tokens } };
      frames.end(delta, { ...counts, ...betaCounts(context) }, betaMembers(context));
    },
  };
}

/** What belongs into the delta of the last event; the rest is next to it [M §5.2]. */
const IN_DELTA: ReadonlySet<string> = new Set(['container', 'stop_details']);

/** Writes an answer of this dialect as it came: same ids, same state, same blocks. */
function createOwnWriter(start: Extract<StreamEvent, { readonly type: 'start' }>, frames: Frames): StreamWriter {
  let written = false;

  const begin = (head: Part): void => {
    written = false;
    frames.open(headBlock(head));
  };

  const delta = ({ op, value }: Extract<PartEvent, { readonly type: 'part.delta' }>): void => {
    written ||= value !== '';
    if (op === 'text') frames.delta('text_delta', 'text', value);
    else if (op === 'reasoning') frames.delta('thinking_delta', 'thinking', value);
    else if (op === 'args') frames.delta('input_json_delta', 'partial_json', value);
  };

  const finish = (part: Part): void => {
    switch (part.kind) {
      case 'reasoning': {
        const node = part.redacted === true ? undefined : ownNode(part.state);
        if (typeof node?.signature === 'string') frames.delta('signature_delta', 'signature', node.signature);
        break;
      }
      case 'compaction':
        frames.deltaOf({ ...ownNode(part.state), type: 'compaction_delta' });
        break;
      case 'hostedCall':
        frames.delta('input_json_delta', 'partial_json', JSON.stringify(rawOf(part).input ?? {}));
        break;
      case 'call':
        // A call without arguments has one empty fragment [M §5.4].
        if (!written) frames.delta('input_json_delta', 'partial_json', textOf(part.args.value));
        break;
      default:
    }
    frames.close();
  };

  const queue = createPartQueue((event) => {
    switch (event.type) {
      case 'part.start':
        begin(event.part);
        return;
      case 'part.delta':
        delta(event);
        return;
      case 'part.citation':
        frames.deltaOf({ type: 'citations_delta', citation: encodeOwnCitation(event.citation) });
        return;
      case 'part.end':
        finish(event.part);
        return;
      case 'part.state':
      case 'part.logprobs':
        return;
    }
  });

  return {
    begin(usage) {
      const message = startMessage(start.id, start.model);
      const counts = encodeOwnUsage(usage, start.tier);
      frames.start({ ...message, ...start.ext?.[DIALECT], usage: { output_tokens: 1, ...counts } });
    },
    part: queue.push,
    end(ending, event, usage) {
      queue.flush();
      const extras = event.ext?.[DIALECT] ?? {};
      const delta: JsonObject = { ...encodeOwnFinish(ending) };
      const siblings: JsonObject = {};
      for (const key in extras) put(IN_DELTA.has(key) ? delta : siblings, key, extras[key]);
      frames.end(delta, encodeOwnUsage(usage, undefined), siblings);
    },
  };
}

/** A block as it begins: whole, but for what deltas bring. */
function headBlock(head: Part): JsonObject {
  const block = encodePart(head, true);
  switch (head.kind) {
    case 'call':
    case 'hostedCall':
      return { ...block, input: {} };
    case 'reasoning':
      return head.redacted === true ? block : { ...block, thinking: '', signature: '' };
    case 'compaction':
      return { type: 'compaction', content: null };
    case 'text':
      return withoutCitations(block);
    default:
      return block;
  }
}

function withoutCitations(block: JsonObject): JsonObject {
  return Array.isArray(block.citations) ? { ...block, citations: [] } : block;
}

function textOf(value: JsonObject | undefined): string {
  return isObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : '';
}
