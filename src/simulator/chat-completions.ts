import { invalid, refuseFirst } from './errors.js';
import { checkBetas, checkMessages } from './rules/index.js';
import type { Service } from './service.js';
import { createSignedState } from './state.js';

const VERSIONS: readonly (string | undefined)[] = ['2023-06-01', '2026-10-21'];

/** The service of the messages dialect [M §1.1]. */
export function createChatCompletionsService(): Service {
  const keeper = createSignedState('chatCompletions');
  return {
    model: 'sim-chat-completions',
    idHeader: 'request-id',
    callPrefix: 'toolu_',
    state: {
      keeper,
      key: 'signature',
      on: 'reasoning',
      binding: (part) => (part.kind === 'reasoning' ? part.text.join('\n\n') : ''),
      isWanted: () => true,
    },
    showsReasoning: true,
    streamsParagraphs: false,
    framing: 'sse',
    caches: 'marked',
    posts: { '/messages': 'create', '/messages/count_tokens': 'count' },
    check(body, { requestHeaders, query, operation }) {
      const { 'anthropic-version': version, 'anthropic-beta': betas } = requestHeaders;
      if (version === undefined) throw invalid('anthropic-version: header is required');
      if (!VERSIONS.includes(version)) throw invalid(`anthropic-version: "${version}" is not a valid version`);
      const beta = betas !== undefined || query.get('beta') === 'true';
      const counting = operation === 'count';
      refuseFirst(checkMessages(body, { version, beta, generation: 'any', state: keeper, counting }));
      refuseFirst(checkBetas(body, betas));
    },
  };
}
