import type { ConfigInput } from '../config/index.js';
import { AWS_CREDENTIALS, bedrockAt, vertexAt } from './clouds.js';
import { type Draft, type TargetInput, unweighted } from './draft.js';
import { type Fields, fieldsOf } from './fields.js';
import {
  addressOf,
  faultOfPlace,
  keyFor,
  nameFor,
  type Provider,
  placeOf,
  providerNames,
  providerOf,
} from './providers.js';
import { noteRest } from './rest.js';
import { retriesOf } from './retries.js';

type BackendInput = ConfigInput['backends'][string];

/** Settings of a config for all targets inside it. */
interface Inherited {
  readonly model?: string;
  readonly settings: Pick<BackendInput, 'retries' | 'timeouts'>;
}

/** A config of Portkey refers to no variables. */
export const PORTKEY_REFERENCES = { pattern: /(?!)/g };

/** Reads a gateway config of Portkey. It names no models: what clients ask for goes to its targets. */
export function importPortkey(source: Fields, draft: Draft): void {
  const strategy = source.map('strategy');
  if (strategy.text('mode') === 'conditional') conditional(source, strategy, draft);
  else draft.model('*', targetsOf(source, { settings: {} }, draft));
  noteRest([source], draft, REASONS);
}

/** Requests go to the target of their model. */
function conditional(source: Fields, strategy: Fields, draft: Draft): void {
  const inherited = inheritedOf(source, { settings: {} }, draft);
  const named = new Map<string, readonly TargetInput[]>();
  source.list('targets').forEach((entry, index) => {
    const fields = fieldsOf(entry);
    named.set(fields.text('name') ?? `target-${index}`, targetsOf(fields, inherited, draft));
    noteRest([fields], draft, REASONS);
  });
  for (const entry of strategy.list('conditions')) {
    const condition = fieldsOf(entry);
    const query = condition.map('query');
    const asked = query.map('params.model', 'model');
    const one = query.text('params.model', 'model') ?? asked.text('$eq');
    const models = [
      ...(one === undefined ? [] : [one]),
      ...asked.list('$in').flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ];
    const then = condition.text('then');
    const targets = named.get(then ?? '');
    if (query.names().length === 1 && models.length > 0 && targets !== undefined)
      // The first that holds is taken.
      for (const model of models.filter((name) => draft.targetsOf(name) === undefined)) draft.model(model, targets);
    else draft.note(entry.path, 'no place', 'targets are chosen by the name of the model alone');
  }
  const otherwise = strategy.text('default');
  if (otherwise === undefined) return;
  const targets = named.get(otherwise);
  if (targets === undefined) draft.note(strategy.at('default'), 'no place', `${otherwise} is no target here`);
  else draft.model('*', targets);
}

/** The targets of a config, or of a target that is one. */
function targetsOf(fields: Fields, before: Inherited, draft: Draft): readonly TargetInput[] {
  const inherited = inheritedOf(fields, before, draft);
  const children = fields.list('targets').map(fieldsOf);
  if (children.length === 0) return targetOf(fields, inherited, draft);
  const strategy = fields.map('strategy');
  const mode = strategy.text('mode') ?? 'single';
  const plans = children.map((child) => ({
    child,
    weight: child.number('weight'),
    targets: targetsOf(child, inherited, draft),
  }));
  for (const { child } of plans) {
    child.text('name');
    noteRest([child], draft, REASONS);
  }
  const [first, ...others] = plans;
  if (first === undefined) return [];
  switch (mode) {
    case 'loadbalance': {
      const shared = plans.filter(({ weight }) => weight === undefined || weight > 0);
      for (const { child, targets } of plans) {
        if (targets.length > 1) draft.note(child.path, 'changed', 'its further targets are fallbacks of all');
      }
      for (const { child } of plans.filter((plan) => !shared.includes(plan)))
        draft.note(child.at('weight'), 'changed', 'without a weight it is a fallback');
      const heads = shared.flatMap(({ weight, targets: [head] }) =>
        head === undefined ? [] : [{ ...head, weight: weight ?? 1 }],
      );
      const tails = plans.flatMap((plan) => (shared.includes(plan) ? plan.targets.slice(1) : plan.targets));
      return [...heads, ...tails.map(unweighted)];
    }
    case 'fallback': {
      for (const { child, targets } of others) {
        if (targets.some(({ weight }) => weight !== undefined))
          draft.note(child.path, 'changed', 'fallbacks are tried in order, without weights');
      }
      return [...first.targets, ...others.flatMap(({ targets }) => targets.map(unweighted))];
    }
    case 'single':
      for (const { child } of others)
        draft.note(child.path, 'no place', 'the strategy is single: the first target is the one that is used');
      return first.targets;
    default:
      draft.note(strategy.at('mode'), 'no place', `there is no strategy ${mode} here: targets are tried in order`);
      return plans.flatMap(({ targets }) => targets.map(unweighted));
  }
}

function inheritedOf(fields: Fields, before: Inherited, draft: Draft): Inherited {
  const retry = fields.map('retry');
  const wait = fields.number('request_timeout', 'requestTimeout');
  const model = fields.map('override_params', 'overrideParams').text('model') ?? before.model;
  return {
    ...(model !== undefined && { model }),
    settings: {
      ...before.settings,
      ...retriesOf(retry, 'attempts', draft),
      // In milliseconds, until an answer begins.
      ...(wait !== undefined && wait > 0 && { timeouts: { firstByte: wait / 1000 } }),
    },
  };
}

/** One target, or none where nobody knows what it calls. */
function targetOf(fields: Fields, { model: full, settings }: Inherited, draft: Draft): readonly TargetInput[] {
  // Its catalogue of models has the name of a provider in front.
  const [, slug, rest] = /^@([^/]+)\/(.+)$/.exec(full ?? '') ?? [];
  const named = fields.text('provider');
  const virtual =
    fields.text('virtual_key', 'virtualKey') ?? slug ?? (named?.startsWith('@') ? named.slice(1) : undefined);
  const vendor = named !== undefined && !named.startsWith('@') ? named : vendorIn(virtual ?? '');
  const provider = vendor === undefined ? undefined : providerOf(vendor);
  const address = fields.text('custom_host', 'customHost');
  const deployment = fields.text('deployment_id', 'deploymentId', 'azure_deployment_id', 'azureDeploymentId');
  const model = deployment ?? rest ?? full;
  if (provider === undefined && address === undefined) {
    draft.note(
      fields.path === '' ? 'provider' : fields.path,
      'no place',
      `${vendor ?? virtual ?? 'it'} names no known host: add a backend for it`,
    );
    fields.close();
    return [];
  }
  const where = provider === undefined ? undefined : cloudOf(fields, provider, model, draft);
  const place: BackendInput =
    where ?? placeOf(provider, address && addressOf(address, fields.at('custom_host'), draft), 'chatCompletions');
  const fault = faultOfPlace(place);
  if (fault !== undefined) {
    draft.note(fields.path === '' ? 'provider' : fields.path, 'no place', fault);
    fields.close();
    return [];
  }
  const apiKey = keyOf(fields, place, vendor, virtual, draft);
  const backend = draft.backend(nameFor(place, vendor), {
    ...place,
    ...(apiKey !== undefined && { apiKey }),
    ...settings,
  });
  return [{ backend, ...(model !== undefined && { model }) }];
}

function keyOf(
  fields: Fields,
  place: BackendInput,
  vendor: string | undefined,
  virtual: string | undefined,
  draft: Draft,
): string | undefined {
  if ('auth' in place) return undefined;
  const text = fields.text('api_key', 'apiKey');
  if (text !== undefined || virtual === undefined)
    return keyFor(place, vendor, { text, path: fields.at('api_key') }, draft);
  const variable = virtual.toUpperCase().replace(/\W+/g, '_');
  draft.note(
    fields.at('virtual_key'),
    'changed',
    `Portkey keeps the key of ${virtual}: set the variable ${variable} to it`,
  );
  return draft.variable(variable);
}

/** The vendor that a name which somebody gave a virtual key holds. */
function vendorIn(slug: string): string | undefined {
  const found = providerNames.filter((name) => slug.toLowerCase().includes(name));
  return found.toSorted((a, b) => b.length - a.length)[0];
}

function cloudOf(
  fields: Fields,
  { preset }: Provider,
  model: string | undefined,
  draft: Draft,
): BackendInput | undefined {
  if (preset === 'azure') {
    const resource = fields.text('resource_name', 'resourceName', 'azure_resource_name', 'azureResourceName');
    if (fields.text('api_version', 'apiVersion', 'azure_api_version', 'azureApiVersion') !== undefined)
      draft.note(
        fields.at('api_version'),
        'changed',
        'the address has no version: a query in baseUrl, such as ?api-version=, sends one',
      );
    return resource === undefined ? undefined : { preset, baseUrl: `https://${resource}.openai.azure.com` };
  }
  if (preset === 'bedrock') {
    for (const name of fields.names().filter((one) => /^aws_?(?:access|secret|session)/i.test(one))) {
      fields.take(name);
      draft.note(fields.at(name), 'no place', AWS_CREDENTIALS);
    }
    return bedrockAt(fields.text('aws_region', 'awsRegion') ?? draft.variable('AWS_REGION'), model ?? '');
  }
  if (preset !== 'vertex') return undefined;
  const project = fields.text('vertex_project_id', 'vertexProjectId') ?? draft.variable('GOOGLE_CLOUD_PROJECT');
  return vertexAt(project, fields.text('vertex_region', 'vertexRegion'), model);
}

/** Why settings have no place, by the end of their paths. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)cache\b/, 'answers are not kept for other requests; prompt caches of services are used'],
  [/on_status_codes$/i, 'which failures go to the next target is known of the dialects'],
  [/override_?params\./i, 'requests say it themselves'],
  [/guardrails|hooks/i, 'there are no guardrails'],
  [/forward_?headers/i, 'headers of backends stand in the file'],
  [/retry\./, 'the waits that a service asks for are kept'],
  [/weight$/, 'weights count where a strategy is loadbalance'],
];
