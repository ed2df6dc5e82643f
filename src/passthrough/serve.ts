import { dialects, type Edit, type JsonObject } from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';
import type { Target } from '../config/index.js';
import {
  type Attempt,
  callWithRetry,
  checkModels,
  type GenerationRequest,
  type OwnPlan,
  tryEach,
} from '../exchange/index.js';
import { Failure, isObject } from '../ground/index.js';
import { type ClientCall, OffloadRequest, type Served, writeForm } from '../http/index.js';
import { callerHeaders, checkModelName, keepBetas, relayedBody, relayedQuery } from '../protocol/index.js';
import { relayBytes } from './answer.js';
import { modelIn, openBody, type RelayedBody } from './body.js';
import { servicePath } from './families.js';
import type { PassthroughServices } from './services.js';

/** What is special about a route. */
export interface Relayed {
  /** A verb on a model, for routes whose path names one. */
  readonly named?: { readonly model: string; readonly verb: string };
  /** The client's error where no backend serves it. */
  readonly unserved?: () => Failure;
}

/**
 * Relays a request that nothing here translates to a backend of its own dialect: that of the model it names, else the one
 * that the configuration names for such (http.md#routes-that-are-not-translated). Rejects with the client's error.
 */
export async function relayRoute(
  gateway: PassthroughServices,
  call: ClientCall,
  { named, unserved }: Relayed = {},
): Promise<Served> {
  const path = named === undefined ? servicePath(call.dialect, call.path) : '';
  if (path === undefined) throw noRoute(call);
  const body = await openBody(gateway, call, path);
  if (body instanceof OffloadRequest) return body;
  const given = named?.model ?? modelIn(body);
  // What is not read may name any model.
  const unseen = given === undefined || body.form === 'stream';
  if (unseen && call.key?.models !== undefined) throw forModelsOnly();
  const model = given === undefined ? '' : checkModelName(given, '/model');
  const json = body.form === 'json' ? body.json : { value: undefined, text: '' };
  checkModels(call, { model, json });
  const found = targetsOf(gateway, call, model);
  if (found.length === 0) throw unserved?.() ?? noBackend(call);
  // What was read from the client's connection cannot be sent again.
  const targets = body.form === 'stream' ? found.slice(0, 1) : found;
  const ask: GenerationRequest = { json, model, stream: false, framing: 'sse' };
  return tryEach({ gateway, call, ask, decoded: untranslated }, targets, (attempt) =>
    planOf(attempt, body, named === undefined ? path : verbPath(attempt, named.verb)),
  );
}

function untranslated(): never {
  throw new Error('a relayed request is not translated');
}

/** The targets of a model whose first endpoint speaks the client's dialect; without any, the one place for such requests. */
function targetsOf({ config, targets }: PassthroughServices, call: ClientCall, model: string): readonly Target[] {
  const fitting = ({ dialect, simulator }: Target['backend']): boolean => dialect === call.dialect && !simulator;
  const found = model === '' ? [] : targets.draw(model).filter(({ backend }) => fitting(backend));
  if (found.length > 0) return found;
  const name = config.passthrough[call.dialect];
  const backend = name === undefined ? undefined : config.backends[name];
  return backend === undefined ? [] : [{ backend, model, profile: undefined, said: {}, weight: undefined }];
}

function verbPath({ backend, target }: Attempt, verb: string): string {
  const path = dialects[backend.config.dialect].endpoint('create', { model: target.model, stream: false });
  return path.replace(/:generateContent$/, `:${verb}`);
}

function planOf(attempt: Attempt, body: RelayedBody, path: string): OwnPlan {
  const { call, backend } = attempt;
  const { header, edits } = keepBetas(backend.config, call.request.headers);
  const caller = { headers: call.request.headers, query: call.query };
  const content = contentOf(attempt, body, edits);
  const sent: BackendAsk = {
    method: methodOf(call),
    path: relayedQuery(path, call.query, backend.config),
    kind: 'others',
    body: content.body,
    headers: { ...callerHeaders(caller, backend.config, header), ...stepHeaders(call), ...content.headers },
  };
  return {
    kind: 'own',
    attempt,
    sent,
    losses: { list: [] },
    send: async () => {
      try {
        return await callWithRetry(attempt, sent);
      } catch (thrown) {
        throw body.form === 'stream' ? (body.upload.failure ?? thrown) : thrown;
      }
    },
    deliver: (answered) => relayBytes(attempt, answered),
  };
}

type Content = Pick<BackendAsk, 'body' | 'headers'>;

/** Changes to the members of a body. */
type Edits = Readonly<Record<string, Edit>>;

function contentOf(attempt: Attempt, body: RelayedBody, edits: Edits): Content {
  const { call, backend, target, ask } = attempt;
  switch (body.form) {
    case 'none':
      return {};
    case 'json':
      return {
        body: relayedBody(
          { json: ask.json, asked: ask.model, model: target.model },
          backend.config,
          { ...edits, ...renamedRequests(attempt) },
          'create',
        ),
      };
    case 'fields': {
      const fields = body.fields.fields.map(([name, text]) => ({ name, text: name === 'model' ? target.model : text }));
      const files = body.fields.files.map(({ declared, ...file }) => ({ ...file, mime: declared }));
      const { type, length, pieces } = writeForm([...fields, ...files]);
      return { body: pieces, headers: { 'content-type': type, 'content-length': String(length) } };
    }
    case 'stream': {
      const headers: Record<string, string> = {};
      for (const name of ['content-type', 'content-length', 'content-encoding'] as const) {
        const value = call.request.headers[name];
        if (value !== undefined) headers[name] = value;
      }
      return { body: body.upload.open(), headers: { 'content-type': 'application/octet-stream', ...headers } };
    }
  }
}

/** Lists of requests repeat the name of their model in each of them. */
function renamedRequests({ ask, call, target }: Attempt): Edits {
  const { value } = ask.json;
  const { resource, repeatedInLists } = dialects[call.dialect].requestFields.model;
  const name = resource(target.model);
  const isOther = (one: unknown): one is JsonObject => isObject(one) && one.model !== undefined && one.model !== name;
  const changes = repeatedInLists.flatMap((key) => {
    const list = isObject(value) ? value[key] : undefined;
    if (!Array.isArray(list) || !list.some(isOther)) return [];
    const renamed = list.map((one: unknown) => (isOther(one) ? { ...one, model: name } : one));
    return [[key, { json: JSON.stringify(renamed) }] as const];
  });
  return Object.fromEntries(changes);
}

/** Headers that say which part of a file is meant. */
function stepHeaders({ request }: ClientCall): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && (name === 'range' || name === 'if-range' || name.startsWith('x-goog-upload-'))) {
      kept[name] = value;
    }
  }
  return kept;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function methodOf({ request }: ClientCall): BackendAsk['method'] {
  return METHODS.find((method) => method === request.method) ?? 'GET';
}

function forModelsOnly(): Failure {
  return new Failure({
    kind: 'permission',
    message: 'this API key may only use routes that name a model, in JSON or a form',
  });
}

function noRoute({ request, path }: ClientCall): Failure {
  const message = `unknown route ${request.method} ${path.slice(0, 200)}: it is not relayed`;
  return new Failure({ kind: 'not_found', status: 404, message });
}

function noBackend({ request, route = '', dialect }: ClientCall): Failure {
  const message = `no backend of this gateway serves ${request.method} ${route}; to relay it to one, write passthrough: { ${dialect}: BACKEND } in the configuration`;
  return new Failure({ kind: 'not_found', status: 404, message });
}
