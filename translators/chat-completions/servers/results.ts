import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

const MEDIA: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file', 'video_url']);

/**
 * Messages for a server that takes no media in the results of tools [H §3.2]: the texts stay, and what is seen or heard follows in
 * one message of the user behind all results. The very list where no result holds any. Paths of losses are those of the list.
 */
export function withResultsOfText(messages: readonly unknown[], losses: Losses): readonly unknown[] {
  if (!messages.some((message) => mediaIn(message).length > 0)) return messages;
  const out: unknown[] = [];
  let moved: JsonObject[] = [];
  const settle = (): void => {
    if (moved.length > 0)
      out.push({ role: 'user', content: [{ type: 'text', text: 'Media returned by the tool:' }, ...moved] });
    moved = [];
  };
  messages.forEach((message, index) => {
    if (!isObject(message) || message.role !== 'tool') settle();
    const media = mediaIn(message);
    if (!isObject(message) || media.length === 0) {
      out.push(message);
      return;
    }
    losses.add(`/messages/${index}`, 'result.media', 'moved', 'the media follows the results');
    const rest = (Array.isArray(message.content) ? message.content : []).filter(
      (part: unknown) => !(isObject(part) && media.includes(part)),
    );
    out.push({ ...message, content: rest.length === 0 ? '[media below]' : rest });
    moved.push(...media);
  });
  settle();
  return out;
}

function mediaIn(message: unknown): JsonObject[] {
  if (!isObject(message) || message.role !== 'tool' || !Array.isArray(message.content)) return [];
  return message.content.filter(isObject).filter(({ type }) => MEDIA.has(type));
}
