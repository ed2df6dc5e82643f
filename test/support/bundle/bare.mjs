/**
 * Bundles `interlingua/fetch` for a browser and runs it where there is nothing but web standards: a conversation, a stream and
 * an estimate are asked for. Prints what was answered and sent as JSON.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

const PROGRAM = `
import { createFetch } from 'interlingua/fetch';

const sent = [];
const answers = [
  new Response(JSON.stringify({ id: 'm', type: 'message', role: 'assistant', model: 'c', content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 2 } }), { headers: { 'content-type': 'application/json' } }),
  new Response('', { headers: { 'content-type': 'text/event-stream' } }),
  new Response('', { status: 404 }),
];
const ask = createFetch({ to: 'messages', baseUrl: 'https://api.anthropic.com', apiKey: 'key', model: 'claude-haiku-4-5',
  fetch: async (url, init) => { sent.push([url, init.headers['x-api-key'], JSON.parse(init.body).model]); return answers[sent.length - 1]; } });
const post = (url, body) => ask(url, { method: 'POST', body: JSON.stringify(body) });
const chat = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] };
globalThis.outcome = (async () => {
  const whole = await (await post('https://api.openai.com/v1/chat/completions', chat)).json();
  const broken = await post('https://api.openai.com/v1/chat/completions', { ...chat, stream: true });
  const count = await post('https://api.openai.com/v1/responses/input_tokens', { model: 'any', input: 'Hello there' });
  return JSON.stringify({ sent, text: whole.choices[0].message.content, broken: broken.status, estimate: count.headers.get('x-interlingua-estimate'), tokens: (await count.json()).input_tokens });
})();
`;

const WEB = [
  ...['AbortController', 'AbortSignal', 'Blob', 'DOMException', 'Headers', 'ReadableStream', 'Request', 'Response'],
  ...[
    'TextDecoder',
    'TextEncoder',
    'TransformStream',
    'URL',
    'URLSearchParams',
    'atob',
    'btoa',
    'crypto',
    'performance',
  ],
  ...['setTimeout', 'clearTimeout', 'queueMicrotask', 'structuredClone'],
];

const { outputFiles } = await build({
  stdin: { contents: PROGRAM, resolveDir: root },
  bundle: true,
  platform: 'browser',
  format: 'iife',
  write: false,
  logLevel: 'silent',
});
const context = vm.createContext(Object.fromEntries(WEB.map((name) => [name, globalThis[name]])));
vm.runInContext(outputFiles[0].text, context);
console.log(await context.outcome);
