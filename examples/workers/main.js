import { createHandler } from 'interlingua/handler';

/** @type {((request: Request) => Promise<Response>) | undefined} */
let handler;

export default {
  fetch(request, env) {
    // Bindings come with the first request, and stay the same for as long as a worker lives.
    handler ??= createHandler({
      // In place of the simulator: { preset: 'anthropic', apiKey: env.ANTHROPIC_API_KEY }
      backends: { sim: { dialect: 'messages', baseUrl: env.INTERLINGUA_URL } },
      models: { 'sim-*': { backend: 'sim' } },
      keys: [{ name: 'me', key: env.MY_KEY }],
      store: {
        get: (key) => env.ANSWERS.get(key),
        set: (key, text, ttlSeconds) => env.ANSWERS.put(key, text, { expirationTtl: ttlSeconds }),
        delete: (key) => env.ANSWERS.delete(key),
      },
    });
    return handler(request);
  },
};
