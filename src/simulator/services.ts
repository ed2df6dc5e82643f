import { type DialectId, dialects, type Headers } from '../../translators/index.js';

/** What the service of a dialect has of its own: where its routes are, and what it does beside what is said there. */
export interface Service {
  readonly model: string;
  /** How its answers name themselves. */
  readonly idHeader: string;
  readonly callPrefix: string;
  /** The key of its opaque state in the node that carries it. */
  readonly stateKey: string;
  /** Where that state is: on the reasoning, or on the first part that the client acts on. */
  readonly signs: 'reasoning' | 'answer';
  /** Reasoning is shown unless the request says otherwise. */
  readonly shows: boolean;
  /** Framing of streams that are not asked for as events. */
  readonly framing: 'sse' | 'array';
  /** The prefix of a prompt is kept where the request marks it, or always. */
  readonly caches: 'marked' | 'always';
}

/** The services; a new dialect is an entry here and its paths below. */
export const SERVICES: Readonly<Record<DialectId, Service>> = {
  messages: {
    model: 'sim-messages',
    idHeader: 'request-id',
    callPrefix: 'toolu_',
    stateKey: 'signature',
    signs: 'reasoning',
    shows: true,
    framing: 'sse',
    caches: 'marked',
  },
  responses: {
    model: 'sim-responses',
    idHeader: 'x-request-id',
    callPrefix: 'call_',
    stateKey: 'encrypted_content',
    signs: 'reasoning',
    shows: false,
    framing: 'sse',
    caches: 'always',
  },
  generateContent: {
    model: 'sim-generate-content',
    idHeader: 'x-request-id',
    callPrefix: '',
    stateKey: 'thoughtSignature',
    signs: 'answer',
    shows: false,
    framing: 'array',
    caches: 'always',
  },
};

/** What is asked of a service, and in which dialect. */
export interface Route {
  readonly dialect: DialectId;
  readonly to: 'create' | 'count' | 'images' | 'videos' | 'predict' | 'models' | undefined;
  /** Where the path names it. */
  readonly model?: string;
  /** Where the path says so. */
  readonly stream?: boolean;
}

/** What is posted to, by the path or by the verb on a model. */
const POSTED: Readonly<Record<string, readonly [dialect: DialectId, to: Route['to']]>> = {
  '/messages': ['messages', 'create'],
  '/messages/count_tokens': ['messages', 'count'],
  '/responses': ['responses', 'create'],
  '/responses/input_tokens': ['responses', 'count'],
  '/images/generations': ['responses', 'images'],
  '/images/edits': ['responses', 'images'],
  '/images/variations': ['responses', 'images'],
  ':generateContent': ['generateContent', 'create'],
  ':streamGenerateContent': ['generateContent', 'create'],
  ':countTokens': ['generateContent', 'count'],
  ':predict': ['generateContent', 'predict'],
  ':predictLongRunning': ['generateContent', 'predict'],
  ':fetchPredictOperation': ['generateContent', 'predict'],
};

const MODELS = '/models/';

/** A request by its path; model lists, which two dialects have under one path, by the headers too. */
export function routeOf(method: string, path: string, version: string, headers: Headers): Route {
  if (path === '/videos' || path.startsWith('/videos/')) return { dialect: 'responses', to: 'videos' };
  const end = path.lastIndexOf(':');
  const place = `${path}/`.lastIndexOf(MODELS);
  const verb = end > place && place >= 0 ? path.slice(end) : undefined;
  const [dialect = listedBy(path, version, headers), to] = POSTED[verb ?? path] ?? [];
  const name = path.slice(place + MODELS.length, verb === undefined ? undefined : end);
  const model = place < 0 || name === '' ? {} : { model: decodeURIComponent(name) };
  if (method === 'POST')
    return { dialect, to, ...model, ...(verb !== undefined && { stream: verb.startsWith(':stream') }) };
  if (method !== 'GET' || verb !== undefined || place < 0) return { dialect, to: undefined };
  return path.includes('/operations/')
    ? { dialect: 'generateContent', to: 'predict' }
    : { dialect, to: 'models', ...model };
}

/** The framing of a stream that is asked for in this way. */
export function framingOf(dialect: DialectId, query: URLSearchParams): 'sse' | 'array' {
  return query.get('alt') === 'sse' ? 'sse' : SERVICES[dialect].framing;
}

function listedBy(path: string, version: string, headers: Headers): DialectId {
  if (path.startsWith('/messages')) return 'messages';
  if (path.startsWith('/responses') || path.startsWith('/images')) return 'responses';
  if (/:[a-zA-Z]+$|^\/(?:projects|publishers)\//.test(path)) return 'generateContent';
  if (headers['anthropic-version'] !== undefined) return 'messages';
  const google = headers['x-goog-api-key'] ?? headers['x-goog-api-client'];
  return google !== undefined || /^\/v1(?:beta|alpha)/.test(version) ? 'generateContent' : 'responses';
}

/** The model list of a service, or what it says of one model. */
export function modelBody({ dialect, model }: Route, query: Headers): object {
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
    ? models.encodeList([about(SERVICES[dialect].model)], query)
    : models.encodeModel(about(model));
}

/** Unix seconds: the first day of 2026. */
const CREATED = 1_767_225_600;
