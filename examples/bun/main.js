import { createHandler } from 'interlingua/handler';

const handler = createHandler({
  // In place of the simulator: { preset: 'anthropic', apiKey: process.env.ANTHROPIC_API_KEY }
  backends: { sim: { dialect: 'messages', baseUrl: process.env.INTERLINGUA_URL ?? 'http://127.0.0.1:8080' } },
  models: { 'sim-*': { backend: 'sim' } },
  keys: [{ name: 'me', key: process.env.MY_KEY ?? 'a-key-for-this-example' }],
});

const { url } = Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000), fetch: handler });
console.log(url.href);
