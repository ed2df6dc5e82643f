import { TranslationError } from '../canonical/errors.js';
import type { StreamEvent } from '../canonical/events.js';
import { mergeUsage } from '../canonical/fold.js';
import type { Finish, Usage } from '../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../dialect.js';
import { createFrames } from './frames.js';
import { DIALECT } from './nodes.js';
import { createForeignWriter } from './stream-foreign.js';
import { createOwnWriter } from './stream-own.js';
import type { StreamWriter } from './stream-writer.js';

/**
 * Writes a stream of this dialect (translation.md 6.2). The first event is held back until something follows it, so that
 * it can tell the input count, or until a heartbeat is due.
 */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const frames = createFrames(context);
  let writer: StreamWriter | undefined;
  let usage: Usage = {};
  let finish: Finish | undefined;
  let over = false;

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
      frames.error(TranslationError.from(thrown).toCanonical());
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
  };
}
