import { decodeLogprobs, encodeLogprobs } from '../../adapt/index.js';
import type { MediaPart, OpaquePart, RefusalPart, TextPart } from '../../canonical/content.js';
import type { JsonObject, Node, Source } from '../../canonical/node.js';
import { textPart } from '../../canonical/parts.js';
import { isObject } from '../../wire/json.js';
import { sourceAt } from '../../wire/memory.js';
import { check, DIALECT, fault, keysOf, origin, type Reader, remember, sameJson, withExtra } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeAnnotations } from './citations.js';
import { decodeAudio, decodeFile, decodeImage, withMark } from './media.js';

const INPUT_TEXT = keysOf(wire.inputText);

const OUTPUT_TEXT = keysOf(wire.outputText);
const REFUSAL = keysOf(wire.refusal);

/** The content of messages and of outputs of calls. */
export type ContentPart = TextPart | RefusalPart | MediaPart | OpaquePart;

/** What the parts of one message share. */
export interface MessageFields {
  readonly id?: string;
  readonly item?: number;
  readonly phase?: string;
}

const ALONE: MessageFields = {};

// Parts are written as plain literals, field by field: spreading costs more than all the rest of reading them.

/** A content part of a message or of a call's output [R §2.5]. Unknown types come back opaque. */
export function decodeContentPart(
  node: JsonObject,
  ptr: string,
  reader: Reader,
  shared: MessageFields = ALONE,
): ContentPart {
  if (!isObject(node)) throw fault(reader, ptr, 'expected an object');
  return remember(decodeKind(node, ptr, reader, shared), node);
}

function decodeKind(node: JsonObject, ptr: string, reader: Reader, shared: MessageFields): ContentPart {
  switch (node.type) {
    case 'input_text':
      return decodeInputText(node, ptr, reader, shared);
    case 'output_text':
      return decodeOutputText(node, ptr, reader, shared);
    case 'refusal':
      return decodeRefusal(node, ptr, reader, shared);
    case 'input_image':
      return { ...decodeImage(node, ptr, reader), ...shared };
    case 'input_file':
      return { ...decodeFile(node, ptr, reader), ...shared };
    case 'input_audio':
      return { ...decodeAudio(node, ptr, reader), ...shared };
    default:
      if (typeof node.type !== 'string') throw fault(reader, `${ptr}/type`, 'expected the type of a content part');
      return { kind: 'opaque', dialect: DIALECT, type: node.type, raw: node, inMessage: true, ...shared, src: { ptr } };
  }
}

/** A text that came as a bare string. */
export function bareText(text: string, ptr: string, { id, item, phase }: MessageFields = ALONE): TextPart {
  return sharedText(text, sourceAt(ptr), undefined, id, item, phase);
}

function sharedText(
  text: string,
  src: Source,
  ext: Node['ext'],
  id: string | undefined,
  item: number | undefined,
  phase: string | undefined,
): TextPart {
  const part = textPart(text, src, ext);
  part.id = id;
  part.item = item;
  part.phase = phase;
  return part;
}

function decodeInputText(node: JsonObject, ptr: string, reader: Reader, { id, item, phase }: MessageFields): TextPart {
  const { text, prompt_cache_breakpoint: mark } = check(wire.inputText, node, ptr, reader);
  const { ext, src } = origin(node, INPUT_TEXT, ptr);
  return withMark(sharedText(text, src, ext, id, item, phase), mark);
}

function decodeRefusal(node: JsonObject, ptr: string, reader: Reader, { id, item, phase }: MessageFields): RefusalPart {
  const { refusal: text } = check(wire.refusal, node, ptr, reader);
  const { ext, src } = origin(node, REFUSAL, ptr);
  return { kind: 'refusal', text, id, item, phase, ext, src };
}

function decodeOutputText(node: JsonObject, ptr: string, reader: Reader, { id, item, phase }: MessageFields): TextPart {
  const { text, annotations, logprobs } = check(wire.outputText, node, ptr, reader);
  const { ext, src } = origin(node, OUTPUT_TEXT, ptr);
  const part = sharedText(text, src, ext, id, item, phase);
  const cited = annotations && annotations.length > 0 ? withAnnotations(part, annotations, ptr) : part;
  return logprobs && logprobs.length > 0 ? withLogprobs(cited, logprobs) : cited;
}

function withAnnotations(part: TextPart, annotations: readonly JsonObject[], ptr: string): TextPart {
  const { citations, whole } = decodeAnnotations(annotations, part.text, ptr);
  const cited = citations.length > 0 ? { ...part, citations } : part;
  return whole ? cited : withExtra(cited, 'annotations', annotations);
}

function withLogprobs(part: TextPart, logprobs: readonly JsonObject[]): TextPart {
  const tokens = decodeLogprobs(logprobs);
  const told = tokens === undefined ? part : { ...part, logprobs: tokens };
  return sameJson(encodeLogprobs(tokens), logprobs) ? told : withExtra(told, 'logprobs', logprobs);
}
