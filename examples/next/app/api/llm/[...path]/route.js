import { createHandler } from 'interlingua/handler';

const handler = createHandler({
  // In place of the simulator: { preset: 'anthropic', apiKey: process.env.ANTHROPIC_API_KEY }
  backends: { sim: { dialect: 'messages', baseUrl: process.env.INTERLINGUA_URL ?? 'http://127.0.0.1:8080' } },
  models: { 'sim-*': { backend: 'sim' } },
  keys: [{ name: 'me', key: process.env.MY_KEY ?? 'a-key-for-this-example' }],
  basePath: '/api/llm',
});

/** Streams may take longer than a function does by itself; on the edge too: `export const runtime = 'edge'`. */
export const maxDuration = 300;
export const dynamic = 'force-dynamic';

export const GET = handler;
export const POST = handler;
export const DELETE = handler;
export const OPTIONS = handler;
