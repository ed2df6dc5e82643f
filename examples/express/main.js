import express from 'express';
import { createGateway, loadConfig } from 'interlingua';

// Without a configuration and keys of services: the simulator.
const gateway = createGateway(loadConfig());

const app = express();
app.get('/', (_request, response) => response.send('The gateway is at /llm'));
// No body parser in front of it: it reads bodies itself.
app.use('/llm', gateway.app);

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/llm`);
});
process.once('SIGTERM', async () => {
  server.close();
  await gateway.close();
});
