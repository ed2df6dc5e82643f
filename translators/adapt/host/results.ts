import type { JsonObject } from '../../canonical/node.js';
import { mapNodes, nodesIn } from '../../wire/shared-copies.js';

/** How a dialect writes results of tools, and what takes the place of media in them. */
export interface ResultForm {
  /** The member of a result that holds its parts. */
  readonly content: string;
  isResult(node: JsonObject): boolean;
  isMedia(part: JsonObject): boolean;
  /** What a result holds without its media. */
  leftOf(parts: readonly unknown[]): unknown;
  /** The nodes that hold media, behind a run of results. */
  follow(moved: readonly JsonObject[]): readonly JsonObject[];
  /** The words in front of the media of each result. Absent: none. */
  text?(words: string): JsonObject;
}

/** The words in front of media that a tool returned. */
export const MOVED_MEDIA = 'Media returned by the tool:';

/** The words of a result that held nothing but media. */
export const MEDIA_BELOW = '[media below]';

/**
 * A list of nodes in which the media of results follows the run of results that they are in: the very list where none holds any.
 * `keep` is given each result that was made anew, with the one that it was made of and its place in the list.
 */
export function withMediaBehind(
  list: unknown,
  { content, isResult, isMedia, leftOf, follow, text }: ResultForm,
  keep: (made: JsonObject, result: JsonObject, index: number) => JsonObject,
): unknown {
  let moved: JsonObject[] = [];
  const settled = (): readonly JsonObject[] => {
    const media = moved;
    moved = [];
    return media.length === 0 ? [] : follow(media);
  };
  const out = mapNodes(list, (node, index) => {
    if (!isResult(node)) return moved.length === 0 ? node : [...settled(), node];
    const media = nodesIn(node[content]).filter(isMedia);
    if (media.length === 0) return node;
    if (text !== undefined) moved.push(text(MOVED_MEDIA));
    moved.push(...media);
    const left = mapNodes(node[content], (part) => (isMedia(part) ? [] : part));
    return keep({ ...node, [content]: Array.isArray(left) ? leftOf(left) : left }, node, index);
  });
  return moved.length === 0 || !Array.isArray(out) ? out : [...out, ...settled()];
}
