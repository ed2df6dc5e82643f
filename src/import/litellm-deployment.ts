import { type ConfigInput, profileNameFault } from '../config/index.js';
import { dialectsOf, presets } from '../presets/index.js';
import { AWS_CREDENTIALS, bedrockAt, GOOGLE_CREDENTIALS, vertexAt } from './clouds.js';
import type { Draft, TargetInput } from './draft.js';
import { type Fields, fieldsOf } from './fields.js';
import { factsOf } from './litellm-facts.js';
import {
  addressOf,
  faultOfPlace,
  headersOf,
  keyFor,
  nameFor,
  type Provider,
  placeOf,
  providerOf,
} from './providers.js';
import { retriesOf } from './retries.js';

type BackendInput = ConfigInput['backends'][string];

/** What holds for all deployments. */
export type Shared = Pick<BackendInput, 'timeouts' | 'retries' | 'breaker' | 'concurrency'>;

/** A deployment of a model group. */
export interface Deployment {
  readonly name: string;
  readonly id: string | undefined;
  readonly target: TargetInput;
  /** Its part of the calls of its group. */
  readonly share: number | undefined;
  /** Lower ones are tried first. */
  readonly order: number;
}

/** Its client waits so long for the next piece of an answer, the first one too. */
export function timeoutsOf(seconds: number | undefined): Pick<BackendInput, 'timeouts'> {
  return seconds === undefined || seconds <= 0 ? {} : { timeouts: { firstByte: seconds, idle: seconds } };
}

/** Modes of models for conversations. */
const CONVERSES = new Set(['chat', 'responses', 'completion']);

/** An entry of `model_list`; undefined for one that has no place, which is reported. */
export function deploymentOf(entry: Fields, shared: Shared, draft: Draft): Deployment | undefined {
  const name = entry.text('model_name') ?? '';
  const params = entry.map('litellm_params');
  const info = entry.map('model_info');
  const leave = (message: string): undefined => {
    entry.close();
    draft.note(entry.path, 'no place', message);
  };
  const mode = info.text('mode');
  if (mode !== undefined && !CONVERSES.has(mode))
    return leave(
      `${name} is a model for ${mode}: such routes are passed on by passthrough, or served by media backends`,
    );
  const full = params.text('model') ?? '';
  const named = params.text('custom_llm_provider');
  const { vendor, model } = split(full, named);
  const address = params.text('api_base', 'base_url');
  const provider = providerOf(vendor);
  if (name === '') return leave('it has no model_name');
  if (full === '' || (provider === undefined && address === undefined))
    return leave(
      vendor === ''
        ? `${full === '' ? 'it names no model' : `nobody knows the vendor of ${full}`}`
        : `${vendor} is no known host, and api_base names none`,
    );
  if (provider === undefined)
    draft.note(
      params.at('model'),
      'changed',
      `${vendor || full} is no known host: taken for a server of chatCompletions`,
    );
  const backend = backendOf({ vendor, provider, address, model }, params, shared, draft);
  if (typeof backend === 'string') return leave(`${vendor || full}: ${backend}`);
  const base = info.text('base_model')?.replace(/^.*\//, '');
  const knows = dialectsFor(backend).some(
    (dialect) => base !== undefined && profileNameFault(base, dialect) === undefined,
  );
  if (base !== undefined && !knows) draft.note(info.at('base_model'), 'no place', `no known model is called ${base}`);
  const share = params.number('weight') ?? params.number('rpm') ?? params.number('tpm');
  for (const limit of ['rpm', 'tpm'])
    if (params.number(limit) !== undefined)
      draft.note(
        params.at(limit),
        'changed',
        'is the weight where several share a name; limits are those of keys (requestsPerMinute, tokensPerMinute)',
      );
  const pattern = model.endsWith('*') && model !== '*';
  const target = {
    backend: draft.backend(nameFor(backend, vendor), backend),
    // A pattern of theirs has the vendor in front, which ours is not asked for.
    model: pattern ? '*' : model,
    ...(knows && { profile: base }),
    ...factsOf(params, info, draft),
  };
  return { name, id: info.text('id'), target, share, order: params.number('order') ?? 1 };
}

function dialectsFor({ preset, dialect }: BackendInput) {
  return dialect !== undefined
    ? [dialect]
    : preset !== undefined
      ? dialectsOf(presets[preset as keyof typeof presets])
      : [];
}

/** `vendor/model`, or the name of a model whose vendor it shows. */
function split(full: string, named: string | undefined): { readonly vendor: string; readonly model: string } {
  const [, first = '', rest = ''] = /^([^/]+)\/(.+)$/.exec(full) ?? [];
  if (named !== undefined) return { vendor: named, model: first === named ? rest : full };
  if (first !== '') return { vendor: first, model: rest.replace(/^(?:responses|chat|converse|invoke)\//, '') };
  const vendor = VENDORS.find(([pattern]) => pattern.test(full))?.[1] ?? '';
  return { vendor, model: full };
}

const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|chatgpt-|o\d|codex-|ft:gpt)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
];

interface Where {
  readonly vendor: string;
  readonly provider: Provider | undefined;
  readonly address: string | undefined;
  readonly model: string;
}

/** A backend, or why there is none. */
function backendOf(where: Where, params: Fields, shared: Shared, draft: Draft): BackendInput | string {
  const { vendor, provider, address } = where;
  const place =
    cloudPlace(where, params, draft) ??
    placeOf(provider, address && addressOf(address, params.at('api_base'), draft), 'chatCompletions');
  const fault = place === 'nowhere' ? 'it has no vertex_project' : faultOfPlace(place);
  if (place === 'nowhere' || fault !== undefined) return fault ?? '';
  const apiKey =
    'auth' in place
      ? undefined
      : keyFor(place, vendor, { text: params.text('api_key'), path: params.at('api_key') }, draft);
  const named = params.names().includes('extra_headers') ? 'extra_headers' : 'headers';
  const given = fieldsOf({ value: params.take(named), path: params.at(named) });
  const headers = headersOf(
    Object.fromEntries([
      ...given.rest().map(({ value, path }) => [path.slice(given.path.length + 1), value]),
      ...organization(params),
    ]),
    given.path,
    nameFor(place, vendor),
    draft,
  );
  if (params.text('api_version') !== undefined)
    draft.note(
      params.at('api_version'),
      'changed',
      'the address has no version: a query in baseUrl, such as ?api-version=, sends one',
    );
  const most = params.number('max_parallel_requests');
  return {
    ...place,
    ...(apiKey !== undefined && { apiKey }),
    ...(headers && { headers }),
    ...shared,
    ...timeoutsOf(params.number('timeout')),
    ...retriesOf(params, 'max_retries', draft),
    ...(most !== undefined && most >= 1 && { concurrency: most }),
  };
}

function organization(params: Fields): [string, string][] {
  const found = params.text('organization');
  return found === undefined ? [] : [['OpenAI-Organization', found]];
}

/** Clouds, whose addresses are made of regions and projects. */
function cloudPlace(
  { provider, address, model }: Where,
  params: Fields,
  draft: Draft,
): BackendInput | 'nowhere' | undefined {
  if (provider?.preset === 'bedrock') {
    const region = params.text('aws_region_name', 'region_name');
    for (const name of params.names().filter((one) => one.startsWith('aws_') && one !== 'aws_region_name')) {
      params.take(name);
      draft.note(params.at(name), 'no place', AWS_CREDENTIALS);
    }
    const place = bedrockAt(region === undefined ? draft.variable('AWS_REGION') : draft.reference(region), model);
    return address === undefined ? place : { ...place, baseUrl: draft.reference(address) };
  }
  if (provider?.preset !== 'vertex') return undefined;
  if (params.take('vertex_credentials') !== undefined)
    draft.note(params.at('vertex_credentials'), 'no place', GOOGLE_CREDENTIALS);
  const project = params.text('vertex_project');
  const location = params.text('vertex_location');
  return project === undefined
    ? 'nowhere'
    : vertexAt(draft.reference(project), location && draft.reference(location), model);
}
