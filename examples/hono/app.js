import { Hono } from 'hono';
import { createHandler } from 'interlingua/handler';

const handler = createHandler({
  // In place of the simulator: { preset: 'anthropic', apiKey: process.env.ANTHROPIC_API_KEY }
  backends: { sim: { dialect: 'messages', baseUrl: process.env.INTERLINGUA_URL ?? 'http://127.0.0.1:8080' } },
  models: { 'sim-*': { backend: 'sim' } },
  keys: [{ name: 'me', key: process.env.MY_KEY ?? 'a-key-for-this-example' }],
  basePath: '/llm',
  onExchange: ({ id, model, outcome, ms }) => console.log(id, model, outcome, ms),
});

export const app = new Hono();
app.get('/', (context) => context.text('The gateway is at /llm'));
app.all('/llm/*', ({ req }) => handler(req.raw));
