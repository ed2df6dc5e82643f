import { type HostFitting, type HostForm, readable } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { type Changed, mapNodes, withMember } from '../../wire/shared-copies.js';
import { decodeBlock } from '../content/decode.js';
import { encodePart } from '../content/encode.js';
import { familyOfCall, familyOfTool } from '../tools/at-hosts.js';
import { readChoice } from '../tools/choice.js';

/** How bodies of this dialect hold what hosts may not support. */
export const FORM: HostForm = {
  history: 'messages',
  mark: 'cache_control',
  readChoice,
  familyOfTool,
  familyOfCall,
  mapCalls: mapBlocks,
  mapParts: mapBlocks,
  readMedia,
  writePart: (part) => encodePart(part, true),
};

/**
 * A body with some blocks of its messages changed, those in results of tools among them. A message of which no block is
 * left goes as well: the service reads those around it as one ([M §3.6]).
 */
export function mapBlocks(
  body: JsonObject,
  { places }: HostFitting,
  change: (block: JsonObject, path: string) => Changed,
): JsonObject {
  const mapContent = (node: JsonObject, path: string, each: typeof change): unknown =>
    mapNodes(node.content, (block, index) => each(block, `${path}/content/${index}`));
  return places.map(body, 'messages', (message, path) => {
    const content = mapContent(message, path, (block, at) =>
      change(block.type === 'tool_result' ? withMember(block, 'content', mapContent(block, at, change)) : block, at),
    );
    const isEmptied = Array.isArray(content) && content.length === 0 && content !== message.content;
    return isEmptied ? [] : withMember(message, 'content', content);
  });
}

/** Documents and search results are looked at only for hosts without them; those of text that cannot be read are left to the host. */
function readMedia(block: JsonObject, path: string, { unsupported, losses }: HostFitting): Part | undefined {
  const { type, source } = block;
  const isDocument = type === 'document' || type === 'search_result';
  if (type !== 'image' && !(isDocument && unsupported.has('documents'))) return undefined;
  const read = (): Part => decodeBlock(block, path, 'user', { losses, domain: '', clientTools: new Map() });
  const isText =
    type === 'search_result' || (isObject(source) && (source.type === 'text' || source.type === 'content'));
  return isDocument && isText ? readable(read) : read();
}
