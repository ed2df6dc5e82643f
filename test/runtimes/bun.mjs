import { handlerFor } from './handler.mjs';

const { SIMULATOR = '', PORT } = process.env;
Bun.serve({ hostname: '127.0.0.1', port: Number(PORT), fetch: handlerFor(SIMULATOR) });
