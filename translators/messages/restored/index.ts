import type { JsonObject } from '../../canonical/node.js';
import type { HostRestorer } from '../../dialect.js';
import type { HostFeature } from '../../target/host-words.js';
import { createEventFilter } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';

/** The restorer of answers of a host; `hides`: without thoughts. Undefined where they pass as they come. */
export function createHostRestorer(unsupported: ReadonlySet<HostFeature>, hides: boolean): HostRestorer | undefined {
  const lists = unsupported.has('contentList');
  if (!lists && !hides) return undefined;
  return {
    answer(body) {
      const listed = lists && body.content === null ? [] : body.content;
      const shown = hides ? mapNodes(listed, (block) => (isThought(block) ? [] : block)) : listed;
      return withMember(body, 'content', shown);
    },
    ...(hides && { stream: () => createEventFilter({ index: 'index', node: 'content_block' }, isThought) }),
  };
}

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}
