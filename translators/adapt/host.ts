import type { Part } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { EncodeRequestContext } from '../context.js';
import type { HostFeature } from '../target/host-words.js';
import { documentAsText, searchResultAsText } from './as-text.js';
import { fitHostMedia } from './fit.js';

const MEDIA: readonly HostFeature[] = ['documents', 'images', 'imageUrls'];

/** What a host has to know to take media. */
type MediaContext = Pick<EncodeRequestContext, 'losses' | 'omitMedia' | 'media' | 'mediaPath'>;

/**
 * What becomes of a part at a host that lacks documents or pictures: the very part, alone, where it takes it. Throws
 * TranslationError `unsupported` for media that is not to be omitted.
 */
export function mediaAtHost(part: Part, context: MediaContext, unsupported: ReadonlySet<string>): readonly Part[] {
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

/** A request whose media a host can take, part by part: the very request where the host lacks none. */
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

/**
 * Losses of the settings of a body that was encoded of `request`, told where that has them. What was nowhere in it was
 * added by the encoder, so that nothing is lost with it.
 */
export function lossesAtSource({ at = {}, output, reasoning, toolChoice }: CanonicalRequest, losses: Losses): Losses {
  const paths: Readonly<Record<string, string | undefined>> = {
    ...at,
    toolChoice: toolChoice?.src?.ptr,
    'toolChoice.parallel': toolChoice?.src?.at?.parallel ?? toolChoice?.src?.ptr,
    'output.schema': output?.src?.ptr,
    'output.format': output?.src?.ptr,
    'reasoning.effort': at['reasoning.effort'] ?? reasoning?.src?.ptr,
    'reasoning.show': at['reasoning.show'] ?? reasoning?.src?.ptr,
    'reasoning.mode': reasoning?.src?.ptr,
  };
  return {
    list: losses.list,
    add(_path, feature, kind, detail) {
      const path = paths[feature] ?? (feature.startsWith('ext.') ? '' : undefined);
      if (path !== undefined) losses.add(path, feature, kind, detail);
    },
  };
}
