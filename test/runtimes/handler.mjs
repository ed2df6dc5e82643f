import { createHandler } from 'interlingua/handler';

const MODELS = ['sim-messages', 'sim-responses', 'sim-generate-content', 'sim-chat-completions'];
const DIALECTS = ['messages', 'responses', 'generateContent', 'chatCompletions'];

/** The handler that each runtime serves: the simulator at `url`, a backend for each dialect, and a store in memory. */
export function handlerFor(url) {
  const texts = new Map();
  return createHandler({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: url }])),
    models: Object.fromEntries(MODELS.map((model, index) => [model, { backend: DIALECTS[index] }])),
    keys: [{ name: 'tests', key: 'a-key-of-the-runtimes' }],
    store: {
      get: async (key) => texts.get(key),
      set: async (key, text) => void texts.set(key, text),
      delete: async (key) => void texts.delete(key),
    },
  });
}
