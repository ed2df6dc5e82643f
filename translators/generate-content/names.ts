import type { RootRules } from '../schema/index.js';
import { invalid } from './spelling.js';

/** What the schema of a function's parameters is held to ([G §4] rule 16). */
export const PARAMETERS: RootRules = { combinators: 'wrap', names: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/ };

/** Mark of a function whose schema, kept as it came, stood in this field and not in `parameters`. */
export const JSON_SCHEMA_FIELD = 'field:parametersJsonSchema';

/** The name of a model without the collection it stands in; a doubled prefix is accepted ([G §8]). */
export function bareModel(name: string): string {
  return name.replace(/^(?:models\/)+/, '');
}

/** Collections that a resource name may begin with instead of `models` ([G §1]). */
const COLLECTIONS = /^(?:projects|publishers|tunedModels|dynamic)\//;

/**
 * The path of a model below the version: `models/ID` for an id, names of resources in other collections as they are
 * ([G §1]). Every segment is encoded; an id is one segment whatever it holds. Throws `invalid_request` for names that could leave their place in the path.
 */
function modelPath(model: string): string {
  const name = bareModel(model);
  const segments = name.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw invalid('the model name is no resource name', '/model');
  }
  return COLLECTIONS.test(name)
    ? segments.map((segment) => encodeURIComponent(segment)).join('/')
    : `models/${encodeURIComponent(name)}`;
}

/** Names of the enterprise host begin with one of these ([G §1]). */
export function isCloudName(model: string): boolean {
  return /^(?:projects|publishers)\//.test(model);
}

/** Path and query of a call below the service root. */
export function endpoint(
  operation: 'create' | 'count' | 'models',
  { model, stream }: { model: string; stream: boolean },
): string {
  if (operation === 'models') return '/v1beta/models';
  const version = isCloudName(model) ? 'v1beta1' : 'v1beta';
  const verb = operation === 'count' ? 'countTokens' : stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return `/${version}/${modelPath(model)}:${verb}`;
}
