/**
 * The prefixes under which clients look for everything, or none: versions (http.md#tolerance), and the roots of services that
 * speak as another does [H §1.1].
 */
const VERSION = String.raw`\/(?:(?:v1|v1beta|v1beta1|v1alpha)\/|(?:openai|openai\/v1|v1beta\/openai|api\/v1)\/)?`;

/**
 * A pattern for a path below any version prefix, with or without a trailing slash. `rest` is the source of a RegExp. Paths
 * have no runs of slashes ({@link plainPath}): a pattern that allowed for them would be quadratic in their length.
 */
export function belowVersion(rest: string): RegExp {
  return new RegExp(`^${VERSION}${rest}\\/?$`);
}

/** A version behind another: clients append their own to a base URL that has one already. */
const REPEATED = /^(\/(?:openai|api))?(?:\/v1(?:beta1?|alpha)?)+(\/v1(?:beta1?|alpha)?\/)/;

/**
 * A path as it is meant by clients that join its parts carelessly: one slash where they send several, and of a run of
 * versions in front the last.
 */
export function plainPath(path: string): string {
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
  return single.replace(REPEATED, '$1$2');
}

/** The text of a path segment or of several; undefined when its percent-encoding is broken. */
export function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
