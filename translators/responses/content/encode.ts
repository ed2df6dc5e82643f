import { encodeLogprobs } from '../../adapt/index.js';
import type { OpaquePart, Part, RefusalPart, TextPart } from '../../canonical/content.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { bagOf, CLIENT, complete, fault, type Printer, remembered } from '../nodes.js';
import { encodeAnnotations } from './citations.js';
import { encodeMark, encodeMedia } from './media.js';

/** A part of a user's, system's or developer's message, or of a call's output. */
export function encodeInputPart(part: Part, printer: Printer): JsonObject {
  const form = printer.native ? remembered(part) : undefined;
  if (form !== undefined) return form;
  switch (part.kind) {
    case 'text':
      return encodeInputText(part, printer);
    case 'media':
      return encodeMedia(part, printer);
    case 'opaque':
      return part.raw;
    case 'refusal':
      return printer.native ? encodeRefusal(part) : { type: 'input_text', text: part.text };
    case 'textdoc':
    case 'searchResult':
    case 'call':
    case 'result':
    case 'hostedCall':
    case 'hostedResult':
    case 'reasoning':
    case 'ref':
    case 'compaction':
    case 'approval':
    case 'toolChange':
    case 'handover':
      throw fault(CLIENT, ptrOf(part), `a ${part.kind} part is not allowed here`);
    default:
      return part satisfies never;
  }
}

function encodeInputText(part: TextPart, printer: Printer): JsonObject {
  const mark = encodeMark(part, printer);
  const fields: JsonObject = { type: 'input_text', text: part.text };
  if (mark !== undefined) fields.prompt_cache_breakpoint = mark;
  return complete(fields, part);
}

/** A part of an assistant's message. */
export function encodeOutputPart(part: TextPart | RefusalPart | OpaquePart, printer: Printer): JsonObject {
  const form = printer.native ? remembered(part) : undefined;
  if (form !== undefined) return form;
  switch (part.kind) {
    case 'text':
      return encodeOutputText(part);
    case 'refusal':
      return encodeRefusal(part);
    case 'opaque':
      return part.raw;
    default:
      return part satisfies never;
  }
}

/** `annotations` is always an array: strict hosts refuse its absence (hard case STA-02). */
function encodeOutputText(part: TextPart): JsonObject {
  const annotations = bagOf(part)?.annotations ?? encodeAnnotations(part);
  const fields: JsonObject = { type: 'output_text', text: part.text, annotations };
  if (part.logprobs !== undefined) fields.logprobs = encodeLogprobs(part.logprobs);
  return complete(fields, part);
}

function encodeRefusal(part: RefusalPart): JsonObject {
  return complete({ type: 'refusal', refusal: part.text }, part);
}
