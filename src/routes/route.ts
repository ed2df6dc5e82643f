import type { ClientCall, Counted } from '../http/index.js';
import type { RouteServices } from './services.js';

/** One place of the HTTP surface. */
export interface Route {
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** The path as the documentation has it. */
  readonly path: string;
  /** Every form of the path that clients use. */
  readonly pattern: RegExp;
  /** Needs no key. */
  readonly open?: boolean;
  /** A POST counts towards the limits of the caller's key. */
  readonly counts?: Exclude<Counted, 'read'>;
  /** A GET counts towards them as a request that reads. */
  readonly reads?: true;
  /** What the pattern fits although it is meant for no route. */
  excludes?(call: ClientCall): boolean;
  serve(gateway: RouteServices, call: ClientCall): Promise<void> | void;
}

/**
 * The prefixes under which clients look for everything, or none: versions (contract.md 4), and the roots of services that
 * speak as another does [H §1.1].
 */
const VERSION = String.raw`\/(?:(?:v1|v1beta|v1beta1|v1alpha)\/|(?:openai|openai\/v1|v1beta\/openai|api\/v1)\/)?`;

/**
 * A pattern for a path below any version prefix, with or without a trailing slash. `rest` is the source of a RegExp. Paths
 * have no runs of slashes ({@link oneSlashEach}): a pattern that allowed for them would be quadratic in their length.
 */
export function belowVersion(rest: string): RegExp {
  return new RegExp(`^${VERSION}${rest}\\/?$`);
}

/** A path with one slash where clients that join its parts carelessly send several. */
export function oneSlashEach(path: string): string {
  return path.replace(/\/{2,}/g, '/');
}

/** The text of a path segment or of several; undefined when its percent-encoding is broken. */
export function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The text of the first group of a route's pattern in the path of a call; '' when its percent-encoding is broken. */
export function segmentOf(call: ClientCall, pattern: RegExp): string {
  return decodeSegment(pattern.exec(call.path)?.[1] ?? '') ?? '';
}
