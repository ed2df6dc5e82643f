import { invalid, refuseFirst } from './errors.js';
import { checkChatCompletions, objectsOf } from './rules/index.js';
import type { Service } from './service.js';
import { createSignedState } from './state.js';

/**
 * The service of the chat completions dialect [H §1.1]. It reasons in the open, as most servers of the dialect do, and
 * its reasoning comes with the opaque text that one of them has beside it [H §3.3].
 */
export function createChatCompletionsService(): Service {
  const keeper = createSignedState('chatCompletions');
  return {
    model: 'sim-chat-completions',
    idHeader: 'x-request-id',
    callPrefix: 'call_',
    state: {
      keeper,
      key: 'reasoning_opaque',
      on: 'reasoning',
      binding: (part) => (part.kind === 'reasoning' ? part.text.join('\n\n') : ''),
      isWanted: () => true,
    },
    showsReasoning: true,
    streamsParagraphs: false,
    framing: 'sse',
    caches: 'always',
    posts: { '/chat/completions': 'create' },
    check(body) {
      refuseFirst(checkChatCompletions(body));
      for (const [index, { reasoning_opaque: state }] of objectsOf(body.messages).entries()) {
        if (typeof state !== 'string' || keeper.check(state) === 'valid') continue;
        throw invalid("Invalid 'reasoning_opaque': it was not issued here.", `messages[${index}].reasoning_opaque`);
      }
    },
  };
}
