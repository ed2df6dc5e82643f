import type { MediaPart, Part } from '../canonical/content.js';
import { ptrOf } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Profile } from '../target/words.js';

/** What the host has to supply before a request can be encoded for a profile. */
export interface Requirements {
  /** URLs of media that the target takes only inline, with their places. */
  readonly media: readonly { readonly url: string; readonly path: string }[];
  /** URLs of media that go on to the target, which opens them itself: a host may want to look at them before. */
  readonly handedOn: readonly { readonly url: string; readonly path: string }[];
  /** Ids of stored answers and items that the request names: their items belong in the option `state` when it is decoded. */
  readonly state: readonly { readonly id: string; readonly path: string }[];
}

/** What `request` needs from its host for a target of this profile (translation.md 0.13). */
export function requirements(request: CanonicalRequest, profile: Pick<Profile, 'urlMedia'>): Requirements {
  const media: { url: string; path: string }[] = [];
  const handedOn: { url: string; path: string }[] = [];
  const state: { id: string; path: string }[] = [];
  const previous = request.state?.previousId;
  if (previous !== undefined) state.push({ id: previous, path: request.at?.['state.previousId'] ?? '' });
  const look = (part: Part): void => {
    if (part.kind === 'ref') state.push({ id: part.id, path: ptrOf(part) });
    else if (part.kind === 'media') collect(part, profile.urlMedia.includes(part.class) ? handedOn : media);
    else if (part.kind === 'result' || part.kind === 'textdoc') part.parts.forEach(look);
  };
  for (const turn of request.turns) turn.parts.forEach(look);
  for (const instruction of request.instructions) instruction.parts.forEach(look);
  return { media, handedOn, state };
}

function collect(part: MediaPart, into: { url: string; path: string }[]): void {
  const { data } = part;
  if (data.from === 'url') into.push({ url: data.url, path: ptrOf(part) });
}
