import type { JsonObject } from '../../canonical/node.js';
import type { HostRestorer } from '../../dialect.js';
import type { HostLack } from '../../target/host-words.js';
import { isObject } from '../../wire/json.js';
import { createLeftOut } from '../../wire/left-out.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';

/** The restorer of answers to `sent`; undefined where answers pass as they come. */
export function createHostRestorer(sent: JsonObject, lacks: ReadonlySet<HostLack>): HostRestorer | undefined {
  const lists = lacks.has('contentList');
  const hides = lacks.has('thinkingOff') && isObject(sent.thinking) && sent.thinking.type === 'disabled';
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
    ...(hides && { stream: withoutThoughts }),
  };
}

/** The events of one stream without blocks of thinking: the others have the places that are left. */
function withoutThoughts(): (event: JsonObject) => JsonObject | readonly JsonObject[] {
  const gone = createLeftOut();
  return (event) => {
    const { index, content_block: block } = event;
    if (typeof index !== 'number') return event;
    if (isObject(block) && isThought(block)) gone.drop(index);
    return gone.has(index) ? [] : withMember(event, 'index', gone.placeOf(index));
  };
}

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}
