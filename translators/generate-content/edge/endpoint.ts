import { invalid } from '../nodes.js';
import { bareModel, isCloudName } from './models.js';

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
