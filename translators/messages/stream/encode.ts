import { type AnswerStream, createEncoder, type Start } from '../../answer/encoder.js';
import { createAnswerWriter } from '../../answer/writer.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { answerId, betaMembers } from '../answer/envelope.js';
import { createBlockWriter } from '../answer/writer.js';
import { estimateInput } from '../edge/count.js';
import { DIALECT, put } from '../nodes.js';
import { encodeOwnFinish } from '../response/stop.js';
import { betaCounts, encodeForeignUsage, encodeOwnUsage, usageExtras } from '../response/usage.js';
import { createFrames, type Frames, startMessage } from './frames.js';
import { ownFormat } from './own.js';

/** An answer that has begun. */
type Begun = Pick<AnswerStream, 'part' | 'end'>;

/**
 * Writes a stream of this dialect (translation.md 6.2). The first event is held back until something follows it, so that
 * it can hold the input count, or until a heartbeat is due.
 */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const frames = createFrames(context);
  let answer: Begun | undefined;
  const stream: AnswerStream = {
    begins: 'usage',
    take: frames.take,
    begin(start, usage = {}) {
      const isOwn = start.ext?.[DIALECT] !== undefined;
      answer = isOwn ? beginOwn(start, usage, frames, context) : beginForeign(start, usage, frames, context);
    },
    part: (event) => answer?.part(event),
    end: (finish, end, usage, bag) => answer?.end(finish, end, usage, bag),
    error: frames.error,
    ping() {
      if (answer !== undefined) frames.ping();
    },
    heartbeat(begun) {
      if (begun) frames.ping();
    },
  };
  return createEncoder(stream);
}

/** An answer of another service, by the rules that hold for a whole one (translation.md 6.7). */
function beginForeign(start: Start, usage: Usage, frames: Frames, context: EncodeResponseContext): Begun {
  const { node } = encodeForeignUsage(usage);
  if (usage.input === undefined) {
    node.input_tokens = estimateInput(context.request);
    const detail = 'the stream starts with an estimate that its end corrects';
    context.losses.add('', 'usage.input', 'invented', detail);
  }
  const writer = createBlockWriter(start.id, frames, context);
  frames.start({
    ...startMessage(answerId(start.id, context.nonce), context.model ?? start.model),
    stop_details: null,
    container: null,
    diagnostics: null,
    ...betaMembers(context),
    usage: { ...node, output_tokens: 1, ...usageExtras(usage, start.tier), ...betaCounts(context) },
  });
  return {
    part: (event) => writer.parts.write(event),
    end(finish, { tier, extraCandidates }, counted = {}, ext) {
      const { stop, counts } = writer.end(finish, { tier, ext, extraCandidates }, counted, start.tier);
      const { input_tokens, output_tokens } = counts;
      // The base specification has the counts inside; official clients read those next to it [M §7].
      const delta = { ...stop, container: null, usage: { input_tokens, output_tokens } };
      frames.end(delta, { ...counts, ...betaCounts(context) }, betaMembers(context));
    },
  };
}

/** What belongs into the delta of the last event; the rest is next to it [M §5.2]. */
const IN_DELTA: ReadonlySet<string> = new Set(['container', 'stop_details']);

/** An answer of this dialect, as it came. */
function beginOwn(start: Start, usage: Usage, frames: Frames, { losses }: EncodeResponseContext): Begun {
  const parts = createAnswerWriter({ own: true, losses, frames }, ownFormat);
  frames.start({
    ...startMessage(start.id, start.model),
    ...start.ext?.[DIALECT],
    usage: { output_tokens: 1, ...encodeOwnUsage(usage, start.tier) },
  });
  return {
    part: (event) => parts.write(event),
    end(finish, { ext }, counted = {}) {
      parts.flush();
      const extras = ext?.[DIALECT] ?? {};
      const delta: JsonObject = { ...encodeOwnFinish(finish) };
      const siblings: JsonObject = {};
      for (const key in extras) put(IN_DELTA.has(key) ? delta : siblings, key, extras[key]);
      frames.end(delta, encodeOwnUsage(counted, undefined), siblings);
    },
  };
}
