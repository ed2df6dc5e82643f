import { type Config, configFile, loadConfig } from '../config.js';
import { errorMessage } from '../error-code.js';
import type { Address, GatewayServer } from '../index.js';
import { type Command, complain, print, textOf, UsageError } from './command.js';

/** `interlingua serve`: runs the gateway until it is told to stop. */
export const serve: Command = {
  name: 'serve',
  summary: 'Runs the gateway.',
  usage: '[--config FILE] [--host H] [--port N] [--insecure]',
  options: {
    config: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    insecure: { type: 'boolean' },
  },
  help: [
    '--config FILE  configuration; default: INTERLINGUA_CONFIG, else interlingua.yaml, .yml or .json here, else the',
    '               services whose keys are in the environment, else the built-in simulator',
    '--host H       address to listen on; default 127.0.0.1',
    '--port N       port to listen on, 0 picks a free one; default 8080',
    '--insecure     listen beyond this machine although no keys are configured',
  ],
  async run(values) {
    const file = configFile(textOf(values, 'config'));
    const config = loadConfig(textOf(values, 'config'));
    // Loaded here, so that commands that need no server start at once.
    const { createGateway } = await import('../index.js');
    const gateway = createGateway(config);
    const address = await gateway.listen({
      host: textOf(values, 'host'),
      port: portOf(textOf(values, 'port')),
      insecure: values.insecure === true,
    });
    endOnFault();
    print(`interlingua listening on ${address.url}`);
    if (file === undefined) for (const line of welcome(config, address)) print(line);
    await stopSignal(gateway);
    return 0;
  },
};

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not ${text}`);
}

/** Which models there are, and a call to try. */
function welcome({ models, backends }: Config, { url }: Address): string[] {
  const names = Object.keys(models);
  const exact = names.find((name) => !name.includes('*'));
  const simulated = Object.values(backends).every(({ simulator }) => simulator);
  const call =
    exact === undefined
      ? `curl ${url}/v1/models`
      : `curl ${url}/v1/responses -H 'content-type: application/json' -d '{"model":"${exact}","input":"Hello"}'`;
  return [`models: ${names.join(', ')}${simulated ? ' (the built-in simulator)' : ''}`, `try: ${call}`];
}

/** A fault that nobody caught leaves the process in an unknown state: one line says so, and a supervisor starts anew. */
function endOnFault(): void {
  process.on('uncaughtException', (error) => {
    complain(`interlingua: ended by a fault of its own: ${errorMessage(error)}`);
    process.exit(1);
  });
}

/** Resolves when the gateway has stopped after SIGTERM or SIGINT; a second signal does not wait. */
function stopSignal(gateway: GatewayServer): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(1);
      stopping = true;
      complain('interlingua: stopping; open exchanges may finish');
      gateway.close().then(resolve, resolve);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
