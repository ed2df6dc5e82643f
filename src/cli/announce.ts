import type { Config } from '../config/index.js';
import { conversing } from '../dialects/index.js';
import { andOthers } from '../ground/index.js';
import type { Address } from '../index.js';
import { print } from './command.js';

/** Says that connections are accepted; without a configuration file also which models there are, and a call to try. */
export function announce({ models, backends }: Config, { url }: Pick<Address, 'url'>, trial: boolean): void {
  print(`interlingua listening on ${url}`);
  if (!trial) return;
  const names = Object.keys(models);
  const exact = names.find((name) => !name.includes('*'));
  const simulated = Object.values(backends).every(({ simulator }) => simulator);
  const call =
    exact === undefined
      ? `curl ${url}/v1/models`
      : `curl ${url}/v1/responses -H 'content-type: application/json' -d '{"model":"${exact}","input":"Hello"}'`;
  const shown = conversing(names).map((name) => (name === '*' ? 'any other name' : name));
  print(
    `models: ${names.length === 1 && names[0] === '*' ? 'any name' : andOthers(shown, names.length)}${simulated ? ' (the built-in simulator)' : ''}`,
  );
  for (const { name, dialect, endpoints } of Object.values(backends)) {
    const spoken = [dialect, ...endpoints.map((endpoint) => endpoint.dialect)];
    if (spoken.length > 1)
      print(`endpoints of ${name}: ${spoken.join(', ')}; each request takes the one that loses least`);
  }
  print(`try: ${call}`);
}
