import type { JsonObject } from '../../canonical/node.js';
import type { HostRestorer } from '../../dialect.js';
import type { HostFeature } from '../../target/host-words.js';
import { isObject } from '../../wire/json.js';
import { createEventFilter } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';

/** The restorer of answers to `sent`; undefined where answers pass as they come. */
export function createHostRestorer(sent: JsonObject, unsupported: ReadonlySet<HostFeature>): HostRestorer | undefined {
  const lists = unsupported.has('contentList');
  const hides = unsupported.has('thinkingOff') && isObject(sent.thinking) && sent.thinking.type === 'disabled';
  if (!lists && !hides) return undefined;
  return {
    answer(body) {
      const listed = lists && body.content === null ? { ...body, content: [] } : body;
      if (!hides) return listed;
      return withMember(
        listed,
        'content',
        mapNodes(listed.content, (block) => (isThought(block) ? [] : block)),
      );
    },
    ...(hides && { stream: () => createEventFilter({ index: 'index', node: 'content_block' }, isThought) }),
  };
}

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}
