import type { Part } from '../canonical/content.js';
import type { Turn } from '../canonical/request.js';

/** Which rare parts a conversation contains. Steps for such parts alone are skipped where there are none. */
export interface Contents {
  /** Media, including those within results and documents. */
  readonly media: boolean;
  /** Hosted calls or their results. */
  readonly hosted: boolean;
  /** Calls of built-in tools of clients. */
  readonly clientCalls: boolean;
  readonly toolChanges: boolean;
}

/** The contents of `turns`, by one look at every part. */
export function contentsOf(turns: readonly Turn[]): Contents {
  const contents = { media: false, hosted: false, clientCalls: false, toolChanges: false };
  for (const { parts } of turns) {
    for (const part of parts) {
      switch (part.kind) {
        case 'text':
          break;
        case 'call':
          if (part.family !== undefined) contents.clientCalls = true;
          break;
        case 'result':
        case 'textdoc':
          if (!contents.media && holdsMedia(part.parts)) contents.media = true;
          break;
        case 'media':
          contents.media = true;
          break;
        case 'hostedCall':
        case 'hostedResult':
          contents.hosted = true;
          break;
        case 'toolChange':
          contents.toolChanges = true;
          break;
        default:
      }
    }
  }
  return contents;
}

/** A result may contain a document with media in it. */
function holdsMedia(parts: readonly Part[]): boolean {
  for (const part of parts) {
    if (part.kind === 'media' || (part.kind === 'textdoc' && holdsMedia(part.parts))) return true;
  }
  return false;
}
