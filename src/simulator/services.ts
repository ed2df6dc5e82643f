import { type DialectId, dialects, type Headers } from '../../translators/index.js';
import { createChatCompletionsService } from './chat-completions.js';
import { createGenerateContentService } from './generate-content.js';
import type { Exchange } from './http.js';
import { createMessagesService } from './messages.js';
import { createResponsesService } from './responses.js';
import type { Service } from './service.js';

/** The services of one simulator. */
export type Services = Readonly<Record<DialectId, Service>>;

export function createServices(): Services {
  return {
    messages: createMessagesService(),
    responses: createResponsesService(),
    generateContent: createGenerateContentService(),
    chatCompletions: createChatCompletionsService(),
  };
}

const MODELS = '/models/';

/**
 * What is asked, of which service, by the path; for model lists, which three services have under one path, by the headers,
 * and by the version that the roots of one service end in.
 */
export function routeOf(
  services: Services,
  method: string,
  path: string,
  version: string,
  headers: Headers,
): Pick<Exchange, 'dialect' | 'operation' | 'model' | 'stream'> {
  const end = path.lastIndexOf(':');
  const start = `${path}/`.lastIndexOf(MODELS);
  const verb = end > start && start >= 0 ? path.slice(end) : undefined;
  const dialect = dialectOf(path, version, headers);
  const name = path.slice(start + MODELS.length, verb === undefined ? undefined : end);
  const model = start < 0 || name === '' ? undefined : decodeURIComponent(name).replace(/^models\//, '');
  const route = { dialect, model, stream: verb?.startsWith(':stream') };
  const key = verb ?? path;
  const { posts } = services[dialect];
  if (method === 'POST' && Object.hasOwn(posts, key)) return { ...route, operation: posts[key] };
  if (/^\/videos(?:\/|$)/.test(path)) return { ...route, operation: 'videos' };
  if (/^\/responses\/./.test(path)) return { ...route, operation: 'stored' };
  if (method !== 'GET' || verb !== undefined || start < 0) return { ...route, operation: undefined };
  return { ...route, operation: path.includes('/operations/') ? 'predict' : 'models' };
}

function dialectOf(path: string, version: string, headers: Headers): DialectId {
  if (/:[a-zA-Z]+$|^\/(?:projects|publishers)\//.test(path)) return 'generateContent';
  if (path.startsWith('/messages')) return 'messages';
  if (path.startsWith('/chat/')) return 'chatCompletions';
  if (/^\/(?:responses|images|videos)(?:\/|$)/.test(path)) return 'responses';
  if (headers['anthropic-version'] !== undefined) return 'messages';
  const google = headers['x-goog-api-key'] ?? headers['x-goog-api-client'];
  if (google !== undefined || /^\/v1(?:beta|alpha)/.test(version)) return 'generateContent';
  return version === '' && path.startsWith('/models') ? 'chatCompletions' : 'responses';
}

/** Unix seconds: the first day of 2026. */
const CREATED = 1_767_225_600;

/** The model list of a service, or its entry for one model. */
export function encodeModels(services: Services, { dialect, model, query }: Exchange): object {
  const about = (id: string) => ({
    id,
    displayName: `Simulated model ${id}`,
    createdAt: CREATED,
    owner: 'interlingua',
    inputLimit: 1_048_576,
    outputLimit: 65_536,
  });
  const { models } = dialects[dialect];
  return model === undefined
    ? models.encodeList([about(services[dialect].model)], Object.fromEntries(query))
    : models.encodeModel(about(model));
}
