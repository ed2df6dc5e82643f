import { gatewayDialects } from '../dialects/index.js';
import { presets } from '../presets/index.js';
import type { Environment } from './environment.js';
import type { ConfigInput } from './schema.js';

type Backends = ConfigInput['backends'];
type Models = NonNullable<ConfigInput['models']>;

/** The configuration of a start without a file (configuration.md): the keys in the environment decide. */
export function defaultInput(environment: Environment): ConfigInput {
  const served = gatewayDialects.flatMap(({ service }) => {
    const { variable = '' } = presets[service.preset];
    const key = service.models.length === 0 ? '' : (environment[variable] ?? '');
    return key === '' ? [] : [{ service, key }];
  });
  return { ...(served.length === 0 ? simulatedInput() : servedInput(served)), usage: {} };
}

/** The simulator under the name of one model for each dialect. */
function simulatedInput(): ConfigInput {
  const backends: Backends = {};
  const models: Models = {};
  for (const { id, simulated } of gatewayDialects) {
    backends[simulated] = { dialect: id, simulator: true };
    models[simulated] = { backend: simulated };
  }
  for (const { simulated, simulatedMedia } of gatewayDialects) {
    for (const name of simulatedMedia) models[name] = { backend: simulated };
  }
  return { backends, models };
}

/** A dialect whose service is called, and its key there. */
interface Served extends Pick<(typeof gatewayDialects)[number], 'service'> {
  readonly key: string;
}

function servedInput(served: readonly Served[]): ConfigInput {
  const backends: Backends = {};
  const models: Models = {};
  for (const { service, key } of served) {
    const backend = service.preset;
    backends[backend] = { preset: backend, apiKey: key };
    for (const pattern of service.models) models[pattern] = { backend };
    for (const [name, model] of Object.entries(service.neutral)) models[name] = { backend, model };
  }
  const only = served.length === 1 ? served[0] : undefined;
  if (only !== undefined) models['*'] = { backend: only.service.preset };
  return { backends, models };
}
