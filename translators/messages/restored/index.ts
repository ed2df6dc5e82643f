import type { HostFitting } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostRestorer } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { createEventFilter } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';

/** The restorer of answers to `sent`; undefined where they pass as they come. */
export function createHostRestorer(
  _body: JsonObject,
  sent: JsonObject,
  { unsupported }: HostFitting,
): HostRestorer | undefined {
  const lists = unsupported.has('contentList');
  const hides = unsupported.has('thinkingOff') && isThinkingOff(sent);
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

/** Whether a body asks for no thinking. */
export function isThinkingOff({ thinking }: JsonObject): boolean {
  return isObject(thinking) && thinking.type === 'disabled';
}

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}
