import { TranslationError } from '../canonical/errors.js';
import { isObject, type Json, type JsonObject, parseJson, tooDeep } from '../wire/json.js';
import type { ImageFrame } from './events.js';
import { failureOf, mannerOf, toolImage, toolUsage } from './image-tool.js';

/** Reads a streamed answer of a text model that calls the image tool (media.md 5.3). */
export interface ToolStream {
  /** Takes the data of one event. Throws TranslationError (`upstream`) for what is no JSON, or nests too deeply. */
  event(data: string): void;
  /** The answer said its last word. */
  readonly done: boolean;
  /** Why there is no finished picture; undefined when there is one, or nothing was said yet. */
  readonly failure: TranslationError | undefined;
}

const PARTIAL = 'response.image_generation_call.partial_image';
const LAST: ReadonlySet<Json | undefined> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** A reader that gives every picture, interim and finished, to `emit`. An event may nest `maxEventDepth` levels, by default 128. */
export function createToolStream(emit: (frame: ImageFrame) => void, maxEventDepth?: number): ToolStream {
  let done = false;
  let failure: TranslationError | undefined;
  /** A finished item, for services whose last event does not repeat it. */
  let made: JsonObject | undefined;

  const finish = (response: JsonObject): void => {
    const items = Array.isArray(response.output) ? response.output.filter(isObject) : [];
    const item = items.find((one) => toolImage(one) !== undefined) ?? made;
    const image = item === undefined ? undefined : toolImage(item);
    done = true;
    if (image?.base64 === undefined || response.status === 'failed') failure = failureOf(response, items);
    else emit({ base64: image.base64, usage: toolUsage(response), manner: mannerOf(item) });
  };

  return {
    event(data) {
      if (done || data === '[DONE]') return;
      const parsed = parseJson(data, maxEventDepth);
      if (!parsed.ok) {
        throw new TranslationError(
          'upstream',
          tooDeep(parsed, maxEventDepth) ?? 'the backend sent an event that is no JSON',
        );
      }
      const event = parsed.value;
      if (!isObject(event)) return;
      const { type, item, response, partial_image_b64: base64, partial_image_index: index } = event;
      if (type === PARTIAL && typeof base64 === 'string') {
        emit({ base64, index: typeof index === 'number' ? index : 0, manner: mannerOf(event) });
      } else if (type === 'response.output_item.done' && isObject(item) && toolImage(item) !== undefined) {
        made = item;
      } else if (type === 'error') {
        done = true;
        failure = failureOf({ error: isObject(event.error) ? event.error : event }, []);
      } else if (LAST.has(type)) {
        finish(isObject(response) ? response : {});
      }
    },
    get done() {
      return done;
    },
    get failure() {
      return failure;
    },
  };
}
