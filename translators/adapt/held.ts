import type { Part } from '../canonical/content.js';
import type { Turn } from '../canonical/request.js';

/** Which rare parts a conversation holds. Steps that are about such parts alone are left out where there are none. */
export interface Held {
  /** Media, also within results and documents. */
  readonly media: boolean;
  /** Hosted calls or their results. */
  readonly hosted: boolean;
  /** Calls of built-in tools of clients. */
  readonly clientCalls: boolean;
  readonly toolChanges: boolean;
}

/** What of these is in some of `turns`: one look at every part. */
export function heldIn(turns: readonly Turn[]): Held {
  const held = { media: false, hosted: false, clientCalls: false, toolChanges: false };
  for (const { parts } of turns) {
    for (const part of parts) {
      switch (part.kind) {
        case 'text':
          break;
        case 'call':
          if (part.family !== undefined) held.clientCalls = true;
          break;
        case 'result':
        case 'textdoc':
          if (!held.media && holdsMedia(part.parts)) held.media = true;
          break;
        case 'media':
          held.media = true;
          break;
        case 'hostedCall':
        case 'hostedResult':
          held.hosted = true;
          break;
        case 'toolChange':
          held.toolChanges = true;
          break;
        default:
      }
    }
  }
  return held;
}

/** What a result holds may be a document, with media in it. */
function holdsMedia(parts: readonly Part[]): boolean {
  for (const part of parts) {
    if (part.kind === 'media' || (part.kind === 'textdoc' && holdsMedia(part.parts))) return true;
  }
  return false;
}
