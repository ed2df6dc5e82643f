import { MEDIA_BELOW, MOVED_MEDIA, type ResultForm, withMediaBehind } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';

const MEDIA: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file', 'video_url']);

const RESULTS: ResultForm = {
  content: 'content',
  isResult: ({ role }) => role === 'tool',
  isMedia: ({ type }) => MEDIA.has(type),
  leftOf: (parts) => (parts.length === 0 ? MEDIA_BELOW : parts),
  follow: (moved) => [{ role: 'user', content: [{ type: 'text', text: MOVED_MEDIA }, ...moved] }],
};

/**
 * Messages for a server that takes no media in the results of tools [H §3.2]: the texts stay, and what is seen or heard follows in
 * one message of the user behind all results. The very list where no result holds any. Paths of losses are those of the list.
 */
export function withResultsOfText(messages: unknown, losses: Losses): unknown {
  return withMediaBehind(messages, RESULTS, (made, _result, index) => {
    losses.add(`/messages/${index}`, 'result.media', 'moved', 'the media follows the results');
    return made;
  });
}
