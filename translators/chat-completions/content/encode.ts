import type { MediaPart, Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { finish, remembered } from '../nodes.js';
import { encodeMedia, type MediaForms } from './media.js';

/** How parts of other dialects are written. */
export interface Printer {
  /** How files and sound are given to this server. */
  readonly forms: MediaForms;
  /** The keys that cache marks are sent under, with the marks, by the parts that have them. */
  readonly marks: ReadonlyMap<Part, JsonObject>;
  /** Detail of pictures that say none. */
  readonly detail?: string | undefined;
}

/** A part of a message's content. Without a printer it is of this dialect and written as it came; others have been fitted. */
export function encodePart(part: Part, printer?: Printer): JsonObject {
  const form = printer === undefined ? remembered(part) : undefined;
  return form ?? { ...encodeKind(part, printer), ...printer?.marks.get(part) };
}

function encodeKind(part: Part, printer: Printer | undefined): JsonObject {
  const own = printer === undefined;
  switch (part.kind) {
    case 'text':
      return finish({ type: 'text', text: part.text }, part, own);
    case 'refusal':
      return finish({ type: 'refusal', refusal: part.text }, part, own);
    case 'media':
      return encodeMedia(withDetail(part, printer), printer?.forms);
    case 'opaque':
      return part.raw;
    case 'call':
    case 'result':
    case 'textdoc':
    case 'searchResult':
    case 'hostedCall':
    case 'hostedResult':
    case 'reasoning':
    case 'ref':
    case 'compaction':
    case 'approval':
    case 'toolChange':
    case 'handover':
      throw new TypeError(`a ${part.kind} part does not stand in the content of a message`);
    default:
      return part satisfies never;
  }
}

function withDetail(part: MediaPart, printer: Printer | undefined): MediaPart {
  const { detail } = printer ?? {};
  return detail === undefined || part.class !== 'image' || part.detail !== undefined ? part : { ...part, detail };
}
