import type { HostFitting, HostStep } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { type Changed, mapNodes, withMember } from '../../wire/shared-copies.js';

/** Rewrites a body at the members of one unsupported feature; shares all others. */
export type Fit = HostStep;

/**
 * A body with some blocks of its messages changed, those in results of tools among them. A message of which no block is
 * left goes as well: the service reads those around it as one ([M §3.6]).
 */
export function mapBlocks(
  body: JsonObject,
  { places }: HostFitting,
  change: (block: JsonObject, path: string) => Changed,
): JsonObject {
  const messages = mapNodes(body.messages, (message) => {
    const path = `${places.of(message)}/content`;
    const content = mapNodes(message.content, (block, index) => {
      const at = `${path}/${index}`;
      const inner =
        block.type === 'tool_result'
          ? withMember(
              block,
              'content',
              mapNodes(block.content, (part, place) => change(part, `${at}/content/${place}`)),
            )
          : block;
      return change(inner, at);
    });
    if (content === message.content) return message;
    if (Array.isArray(content) && content.length === 0) return [];
    return places.keep({ ...message, content }, message);
  });
  return withMember(body, 'messages', messages);
}
