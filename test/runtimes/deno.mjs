import { handlerFor } from './handler.mjs';

Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT')) }, handlerFor(Deno.env.get('SIMULATOR')));
