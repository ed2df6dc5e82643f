import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../context.js';
import type { HostFeature } from '../../target/host-words.js';
import { documentAsText, searchResultAsText, textFor } from '../as-text.js';
import { fitHostMedia } from '../fit.js';
import type { HostStep } from './form.js';

const MEDIA: readonly HostFeature[] = ['documents', 'images', 'imageUrls'];

/** What a host has to know to take media. */
type MediaContext = Pick<EncodeRequestContext, 'losses' | 'omitMedia' | 'media' | 'mediaPath'>;

/**
 * What becomes of a part at a host without documents or pictures: the very part, alone, where it takes it. Throws
 * TranslationError `unsupported` for media that is not to be omitted.
 */
function mediaAtHost(part: Part, context: MediaContext, unsupported: ReadonlySet<string>): readonly Part[] {
  const fit = (child: Part): readonly Part[] => mediaAtHost(child, context, unsupported);
  switch (part.kind) {
    case 'media':
      return [fitHostMedia(part, context, unsupported)];
    case 'result': {
      const parts = part.parts.flatMap(fit).filter(isContent);
      return [isSame(parts, part.parts) ? part : { ...part, parts }];
    }
    case 'textdoc':
      return unsupported.has('documents') ? documentAsText(part, 'user', context, fit) : [part];
    case 'searchResult':
      return unsupported.has('documents') ? [searchResultAsText(part, 'user', context)] : [part];
    default:
      return [part];
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** A request whose media a host can take, part by part: the very request where the host has all of it. */
export function withHostMedia(request: CanonicalRequest, context: EncodeRequestContext): CanonicalRequest {
  const { unsupported } = context.target;
  if (!MEDIA.some((feature) => unsupported.has(feature))) return request;
  const fitAll = <T extends { readonly parts: readonly Part[] }>(node: T): T =>
    node.parts.some(holdsMedia)
      ? { ...node, parts: node.parts.flatMap((part) => mediaAtHost(part, context, unsupported)) }
      : node;
  return { ...request, instructions: request.instructions.map(fitAll), turns: request.turns.map(fitAll) };
}

const HOLDERS: ReadonlySet<Part['kind']> = new Set(['media', 'result', 'textdoc', 'searchResult']);

function holdsMedia({ kind }: Part): boolean {
  return HOLDERS.has(kind);
}

type Content = Extract<Part, { readonly kind: 'result' }>['parts'][number];

/** What becomes of the content of a result is content again. */
function isContent(part: Part): part is Content {
  return part.kind === 'text' || part.kind === 'opaque' || holdsMedia(part);
}

/** The same for a body of the host's own dialect. Throws as {@link mediaAtHost} does. */
export const withPlainMedia: HostStep = (body, fitting) => {
  const { form, unsupported } = fitting;
  return form.mapParts(body, fitting, (node, path) => {
    const part = form.readMedia(node, path, fitting);
    const fitted = part === undefined ? [] : mediaAtHost(part, fitting, unsupported);
    if (part === undefined || fitted[0] === part) return node;
    const nodes = (fitted.length === 0 ? [textFor(part, '[empty document]')] : fitted).map(form.writePart);
    return [...nodes.slice(0, -1), withMark(nodes.at(-1) ?? node, node[form.mark], form.mark)];
  });
};

/** The mark as it came: it may hold more than the model has. */
function withMark(node: JsonObject, mark: unknown, key: string): JsonObject {
  return mark === undefined ? node : { ...node, [key]: mark };
}
