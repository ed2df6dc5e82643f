import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

const anyObject = s.custom<JsonObject>(isObject, 'expected an object');
export const anyList = s.custom<readonly unknown[]>(Array.isArray, 'expected an array');
const content = s.custom<string | readonly unknown[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or an array of parts',
);

const word = s.nullish(s.string());

/** Marks up to which a prompt is cached: of the vendor of the protocol [H §2.1], and of hosts of other models [H §3.2]. */
const marks = { prompt_cache_breakpoint: s.nullish(anyObject), cache_control: s.nullish(anyObject) };

export const text = s.object({ type: s.literal('text'), text: s.string(), ...marks });
export const refusal = s.object({ type: s.literal('refusal'), refusal: s.string() });
/** Some servers take the bare address in place of the object [H §3.2]. */
export const imageUrl = s.object({
  type: s.literal('image_url'),
  image_url: s.union([s.string(), s.object({ url: s.string(), detail: word })]),
  ...marks,
});
export const inputAudio = s.object({
  type: s.literal('input_audio'),
  input_audio: s.object({ data: s.string(), format: word }),
  ...marks,
});
export const file = s.object({
  type: s.literal('file'),
  file: s.object({ file_id: word, filename: word, file_data: word }),
  ...marks,
});
export const videoUrl = s.object({ type: s.literal('video_url'), video_url: s.object({ url: s.string() }), ...marks });
export const audioUrl = s.object({ type: s.literal('audio_url'), audio_url: s.object({ url: s.string() }), ...marks });
export const documentUrl = s.object({
  type: s.literal('document_url'),
  document_url: s.string(),
  document_name: word,
  ...marks,
});

/** What every message has [H §3.1]. */
const common = { role: s.string(), content: s.nullish(content), name: word };
export const message = s.object(common);
export const assistantMessage = s.object({
  ...common,
  refusal: word,
  tool_calls: s.nullish(s.array(anyObject)),
  function_call: s.nullish(anyObject),
  audio: s.nullish(anyObject),
  images: s.nullish(anyList),
  annotations: s.nullish(anyList),
  prefix: s.nullish(s.boolean()),
});
export const toolMessage = s.object({ ...common, tool_call_id: word });

/** A call in a message. Which member says what is called, its type tells; a few servers leave that out. */
export const call = s.object({
  id: word,
  type: word,
  function: s.nullish(anyObject),
  custom: s.nullish(anyObject),
});
/** `arguments` is a text that the model wrote; a few servers give the object itself [H §7.3]. */
export const functionCall = s.object({
  name: s.string(s.minLength(1, 'must not be empty')),
  arguments: s.nullish(s.union([s.string(), anyObject])),
});
export const customCall = s.object({ name: s.string(s.minLength(1, 'must not be empty')), input: word });
