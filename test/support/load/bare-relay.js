/**
 * What the gateway's speed is measured against: Express and node-fetch, the body read and passed on as it came, the
 * answer too. No limits, no keys, no logs, no clocks, no translation. Takes the backend's URL as its only word.
 */
import { Agent } from 'node:http';
import express from 'express';
import fetch from 'node-fetch';

const [, , backend] = process.argv;
const agent = new Agent({ keepAlive: true });
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.raw({ type: () => true, limit: '64mb' }));
app.use(async (request, response) => {
  const answer = await fetch(backend + request.url, {
    method: request.method,
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body: request.body,
    agent,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  response.status(answer.status).type('application/json').send(bytes);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
