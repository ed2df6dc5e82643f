import type { MediaPart, Part, ResultPart, TextDocPart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { sniffMime } from '../wire/magic.js';

/** Where the bytes of a picture stand below its part. */
const PLACES: Readonly<Record<string, (part: MediaPart) => string>> = {
  messages: () => '/source',
  responses: ({ src }) => (src?.shape?.includes('input_file') === true ? '/file_data' : '/image_url'),
  generateContent: ({ mime }) => (mime === undefined ? '/inlineData/mimeType' : ''),
};

/**
 * The request with every picture called what its bytes are, whatever the client called it (translation.md 2.6, hard case
 * MED-02): services refuse what is called wrong, while the client's own reads the bytes. The very same request where
 * nothing is called wrong. Throws TranslationError `invalid_request` at the place of what is no picture.
 */
export function nameTruePictures(request: CanonicalRequest, losses: Losses): CanonicalRequest {
  const place = PLACES[request.source];
  const media = (part: MediaPart): MediaPart => {
    const named = truePicture(part, place?.(part));
    if (named !== part) noteName(part, named, losses);
    return named;
  };
  const document = (part: TextDocPart): TextDocPart => {
    const parts = changed(part.parts, (child) => (child.kind === 'media' ? media(child) : child));
    return parts === part.parts ? part : { ...part, parts };
  };
  const result = (part: ResultPart): ResultPart => {
    const parts = changed(part.parts, (child) => {
      if (child.kind === 'media') return media(child);
      return child.kind === 'textdoc' ? document(child) : child;
    });
    return parts === part.parts ? part : { ...part, parts };
  };
  const any = (part: Part): Part => {
    if (part.kind === 'media') return media(part);
    if (part.kind === 'result') return result(part);
    return part.kind === 'textdoc' ? document(part) : part;
  };
  const holder = <T extends { readonly parts: readonly Part[] }>(node: T): T => {
    const parts = changed(node.parts, any);
    return parts === node.parts ? node : { ...node, parts };
  };
  const turns = changed(request.turns, holder);
  const instructions = changed(request.instructions, holder);
  const same = turns === request.turns && instructions === request.instructions;
  return same ? request : { ...request, turns, instructions };
}

/**
 * A picture in base64, called what its bytes are; so is a file that nobody called anything. Other media are given back as
 * they are. `place` is where the bytes stand below the part, for the error.
 */
export function truePicture(part: MediaPart, place = ''): MediaPart {
  const unnamed = part.class === 'file' && part.mime === undefined;
  if (part.data.from !== 'base64' || (part.class !== 'image' && !unnamed)) return part;
  const mime = sniffMime(part.data.base64);
  if (mime === part.mime && mime !== undefined) return part;
  if (mime?.startsWith('image/') === true) return { ...part, class: 'image', mime };
  if (unnamed && mime !== undefined) return { ...part, class: 'document', mime };
  throw new TranslationError('invalid_request', unnamed ? 'the type of the file is required' : reasonOf(part), {
    path: `${part.src?.ptr ?? ''}${place}`,
  });
}

function reasonOf({ data, mime }: MediaPart): string {
  if (data.from === 'base64' && data.base64 === '') return 'the picture is empty';
  return mime === undefined ? 'the bytes are no picture' : `the bytes are no picture, although called ${mime}`;
}

function noteName({ class: kind, mime, src }: MediaPart, named: MediaPart, losses: Losses): void {
  const path = src?.ptr ?? '';
  const detail = `called ${named.mime}, which its bytes are`;
  if (kind !== named.class) losses.add(path, 'part.media', 'moved', detail);
  else losses.add(path, 'part.media.mime', mime === undefined ? 'invented' : 'moved', detail);
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
