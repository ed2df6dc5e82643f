import { refuseFirst } from './errors.js';
import { bindingOf, checkCount, checkGenerate } from './rules/index.js';
import type { Service } from './service.js';
import { createSignedState } from './state.js';

/** The service of the generateContent dialect [G §1]. */
export function createGenerateContentService(): Service {
  const keeper = createSignedState('generateContent');
  return {
    model: 'sim-generate-content',
    idHeader: 'x-request-id',
    callPrefix: '',
    state: {
      keeper,
      key: 'thoughtSignature',
      on: 'answer',
      binding: (part) =>
        bindingOf(part.kind === 'call' ? { functionCall: { name: part.name, args: part.args.value } } : {}),
      isWanted: () => true,
    },
    showsReasoning: false,
    streamsParagraphs: true,
    framing: 'array',
    caches: 'always',
    posts: {
      ':generateContent': 'create',
      ':streamGenerateContent': 'create',
      ':countTokens': 'count',
      ':predict': 'predict',
      ':predictLongRunning': 'predict',
      ':fetchPredictOperation': 'predict',
    },
    check(body, { path, model = '', operation }) {
      const host = /^\/(?:projects|publishers)\//.test(path) ? 'cloud' : 'dev';
      if (operation === 'count') return refuseFirst(checkCount(body, host, true));
      refuseFirst(checkGenerate(body, { model, host, gemini3: false, state: keeper, takesAll: true }));
    },
  };
}
