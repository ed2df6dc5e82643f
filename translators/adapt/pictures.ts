import type { MediaPart, Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import { ptrOf } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { EncodeRequestContext } from '../context.js';
import { sniffMime } from '../wire/sniff.js';
import type { Contents } from './contents.js';

/**
 * The request with every picture called what its bytes are, whatever the client called it (translation.md 2.6, hard case
 * MED-02): services refuse what is called wrong, while the client's own reads the bytes. The very same request where
 * nothing is called wrong. Throws TranslationError `invalid_request` at the place of what is no picture.
 */
export function nameTruePictures(
  request: CanonicalRequest,
  contents: Contents,
  { losses, mediaPath }: EncodeRequestContext,
): CanonicalRequest {
  if (!contents.media && !request.instructions.some(({ parts }) => parts.some(({ kind }) => kind === 'media')))
    return request;
  const named = (part: Part): Part => {
    if (part.kind === 'media') {
      const picture = truePicture(part, mediaPath?.(part));
      if (picture !== part) noteName(part, picture, losses);
      return picture;
    }
    return part.kind === 'result' || part.kind === 'textdoc' ? holder(part) : part;
  };
  const holder = <T extends { readonly parts: readonly Part[] }>(node: T): T => {
    const parts = changed(node.parts, named);
    return parts === node.parts ? node : { ...node, parts };
  };
  const turns = changed(request.turns, holder);
  const instructions = changed(request.instructions, holder);
  const same = turns === request.turns && instructions === request.instructions;
  return same ? request : { ...request, turns, instructions };
}

/**
 * A picture in base64, called what its bytes are; so is a file that nobody called anything. Other media are given back as
 * they are. `path` leads from the part to its bytes, for the error.
 */
export function truePicture(part: MediaPart, path = ''): MediaPart {
  const unnamed = part.class === 'file' && part.mime === undefined;
  if (part.data.from !== 'base64' || (part.class !== 'image' && !unnamed)) return part;
  const mime = sniffMime(part.data.base64);
  if (mime === part.mime && mime !== undefined) return part;
  if (mime?.startsWith('image/') === true) return { ...part, class: 'image', mime };
  if (unnamed && mime !== undefined) return { ...part, class: 'document', mime };
  throw new TranslationError('invalid_request', unnamed ? 'the type of the file is required' : reasonOf(part), {
    path: `${ptrOf(part)}${path}`,
  });
}

function reasonOf({ data, mime }: MediaPart): string {
  if (data.from === 'base64' && data.base64 === '') return 'the picture is empty';
  return mime === undefined ? 'the bytes are no picture' : `the bytes are no picture, although called ${mime}`;
}

function noteName(part: MediaPart, named: MediaPart, losses: Losses): void {
  const detail = `called ${named.mime}, which its bytes are`;
  if (part.class !== named.class) losses.add(part, 'part.media', 'moved', detail);
  else losses.add(part, 'part.media.mime', part.mime === undefined ? 'invented' : 'moved', detail);
}

/** The list with every item changed; the very same list when none was. */
function changed<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let out: T[] | undefined;
  list.forEach((item, index) => {
    const next = change(item);
    if (next === item) return;
    out ??= [...list];
    out[index] = next;
  });
  return out ?? list;
}
