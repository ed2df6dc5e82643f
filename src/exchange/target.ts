import type { Backends } from '../backend/index.js';
import { atEndpoint, type Config, endpointFor, type Target, type Targets } from '../config/index.js';
import { type ClientCall, sharerOf } from '../http/index.js';

/**
 * The targets of a request in the order in which they are tried, each by the endpoint of the client's own dialect where its host has one: drawn
 * once per request.
 */
export function pickTargets(targets: Targets, call: ClientCall, model: string): readonly Target[] {
  call.targets ??= targets.draw(model).map((target) => forClient(target, call));
  return call.targets;
}

function forClient(target: Target, { surface, dialect }: ClientCall): Target {
  const { backend } = target;
  if (surface !== undefined || backend.endpoints.length === 0) return target;
  const own = endpointFor(backend, dialect);
  return own === undefined ? target : atEndpoint(target, own);
}

type Caller = { readonly gateway: { readonly backends: Backends; readonly config: Config }; readonly call: ClientCall };

/** The same, with those behind the others that asked to be left alone for a while. */
export function availableFirst(caller: Caller, targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets;
  const cooling = targets.filter((target) => isCooling(caller, target));
  return cooling.length === 0 ? targets : [...targets.filter((target) => !cooling.includes(target)), ...cooling];
}

export function isCooling({ gateway, call }: Caller, { backend, model }: Target): boolean {
  return gateway.backends.get(backend.name).cooling.has(model, sharerOf(gateway.config, call));
}
