import { VERSION } from '../ground/index.js';
import { FILTERS } from '../live/index.js';
import { FIGURES } from '../usage/index.js';
import type { Route } from './route.js';

/** A JSON Schema as OpenAPI 3.1 has it. */
type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const MAP: Schema = { type: 'object', additionalProperties: true };
const list = (items: Schema): Schema => ({ type: 'array', items });
const words = (...words: string[]): Schema => ({ type: 'string', enum: words });
/** An object; what it has beyond these members is the dialect's own affair. */
const open = (properties: Readonly<Record<string, Schema>>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: true,
});

/** Bodies under the names that the services' own descriptions give them, with the members that everybody needs. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  CreateMessageParams: open(
    {
      ...{ model: TEXT, max_tokens: { type: 'integer', minimum: 1 }, messages: list(MAP), stream: FLAG },
      ...{ system: { type: ['string', 'array'] }, tools: list(MAP), tool_choice: MAP, thinking: MAP, metadata: MAP },
    },
    ...['model', 'max_tokens', 'messages'],
  ),
  Message: open(
    {
      ...{ id: TEXT, type: { const: 'message' }, role: { const: 'assistant' }, model: TEXT, content: list(MAP) },
      ...{ stop_reason: { type: ['string', 'null'] }, usage: MAP },
    },
    ...['id', 'type', 'role', 'model', 'content', 'usage'],
  ),
  CountMessageTokensParams: open({ model: TEXT, messages: list(MAP) }, 'model', 'messages'),
  CountMessageTokensResponse: open({ input_tokens: COUNT }, 'input_tokens'),
  CreateResponse: open(
    {
      ...{
        model: TEXT,
        input: { type: ['string', 'array'] },
        instructions: { type: ['string', 'null'] },
        stream: FLAG,
      },
      ...{ store: FLAG, previous_response_id: { type: ['string', 'null'] }, tools: list(MAP), background: FLAG },
    },
    'model',
  ),
  Response: open(
    { id: TEXT, object: { const: 'response' }, status: TEXT, model: TEXT, output: list(MAP), usage: MAP },
    ...['id', 'object', 'output'],
  ),
  CreateChatCompletionRequest: open(
    {
      ...{ model: TEXT, messages: { ...list(MAP), minItems: 1 }, stream: FLAG, stream_options: MAP, tools: list(MAP) },
      ...{ tool_choice: { type: ['string', 'object'] }, max_completion_tokens: COUNT, response_format: MAP },
    },
    ...['model', 'messages'],
  ),
  CreateChatCompletionResponse: open(
    { id: TEXT, object: { const: 'chat.completion' }, created: COUNT, model: TEXT, choices: list(MAP), usage: MAP },
    ...['id', 'object', 'created', 'model', 'choices'],
  ),
  GenerateContentRequest: open(
    { contents: list(MAP), systemInstruction: MAP, tools: list(MAP), toolConfig: MAP, generationConfig: MAP },
    'contents',
  ),
  GenerateContentResponse: open({ candidates: list(MAP), usageMetadata: MAP, modelVersion: TEXT, responseId: TEXT }),
  CountTokensRequest: open({ contents: list(MAP), generateContentRequest: MAP }),
  CountTokensResponse: open({ totalTokens: COUNT }, 'totalTokens'),
  CreateImageRequest: open({ prompt: TEXT, model: TEXT, n: COUNT, size: TEXT, quality: TEXT }, 'prompt'),
  CreateImageEditRequest: open({ image: {}, prompt: TEXT, model: TEXT, mask: {}, n: COUNT, size: TEXT }, 'image'),
  CreateImageVariationRequest: open({ image: {}, model: TEXT, n: COUNT, size: TEXT }, 'image'),
  ImagesResponse: open({ created: COUNT, data: list(MAP), usage: MAP }, 'created'),
  CreateVideoBody: open({ prompt: TEXT, model: TEXT, seconds: {}, size: TEXT }, 'prompt'),
  VideoResource: open({ id: TEXT, status: TEXT, model: TEXT, progress: { type: 'number' } }, 'id', 'status'),
  ListModelsResponse: open({ data: list({ $ref: '#/components/schemas/Model' }) }),
  Model: open({ id: TEXT }),
  LearnedRestrictions: open({ learned: list(MAP), forgotten: COUNT }),
  UsageReport: open(
    {
      ...{ since: TEXT, until: { type: ['string', 'null'] }, by: list(TEXT), currency: { const: 'USD' } },
      ...{ rows: list({ $ref: '#/components/schemas/UsageFigures' }) },
      ...{ total: { $ref: '#/components/schemas/UsageFigures' } },
    },
    ...['since', 'until', 'by', 'currency', 'rows', 'total'],
  ),
  UsageFigures: open(Object.fromEntries(FIGURES.map((name) => [name, { type: 'number', minimum: 0 }])), ...FIGURES),
  LiveExchange: open(
    {
      ...{ n: COUNT, at: { type: 'string', format: 'date-time' }, id: TEXT, key: TEXT, client: TEXT, route: TEXT },
      ...{ asked: MAP, answered: MAP, status: COUNT, outcome: TEXT, attempts: list(MAP), losses: MAP, times: MAP },
      ...{ tokens: MAP, cost: { type: 'number', minimum: 0 }, bodies: FLAG },
    },
    ...['n', 'at', 'id', 'route', 'asked', 'outcome', 'times'],
  ),
  LiveExchanges: open(
    { run: TEXT, bodies: FLAG, exchanges: list({ $ref: '#/components/schemas/LiveExchange' }) },
    ...['run', 'bodies', 'exchanges'],
  ),
  LiveDetail: open({ exchange: { $ref: '#/components/schemas/LiveExchange' }, request: MAP, answer: MAP }, 'exchange'),
  Loss: open(
    {
      ...{ path: TEXT, feature: TEXT, detail: TEXT },
      kind: words('dropped', 'approximated', 'moved', 'invented'),
    },
    ...['path', 'feature', 'kind', 'detail'],
  ),
};

/** The bodies of a route: what is sent, and what comes back. Those of other routes are the backend's own affair. */
const BODIES: Readonly<Record<string, readonly [request: string | undefined, answer: string]>> = {
  '/v1/messages': ['CreateMessageParams', 'Message'],
  '/v1/messages/count_tokens': ['CountMessageTokensParams', 'CountMessageTokensResponse'],
  '/v1/responses': ['CreateResponse', 'Response'],
  '/v1/responses/{id}': [undefined, 'Response'],
  '/v1/responses/{id}/cancel': [undefined, 'Response'],
  '/v1/chat/completions': ['CreateChatCompletionRequest', 'CreateChatCompletionResponse'],
  '/openai/deployments/{model}/chat/completions': ['CreateChatCompletionRequest', 'CreateChatCompletionResponse'],
  '/v1beta/models/{model}:generateContent': ['GenerateContentRequest', 'GenerateContentResponse'],
  '/v1beta/models/{model}:streamGenerateContent': ['GenerateContentRequest', 'GenerateContentResponse'],
  '/v1beta/models/{model}:countTokens': ['CountTokensRequest', 'CountTokensResponse'],
  '/v1/images/generations': ['CreateImageRequest', 'ImagesResponse'],
  '/v1/images/edits': ['CreateImageEditRequest', 'ImagesResponse'],
  '/v1/images/variations': ['CreateImageVariationRequest', 'ImagesResponse'],
  '/v1/videos': ['CreateVideoBody', 'VideoResource'],
  '/v1/videos/{id}': [undefined, 'VideoResource'],
  '/usage': [undefined, 'UsageReport'],
  '/live': [undefined, 'LiveExchanges'],
  '/live/{n}': [undefined, 'LiveDetail'],
  '/v1/models': [undefined, 'ListModelsResponse'],
  '/v1/models/{id}': [undefined, 'Model'],
  '/learned-restrictions': [undefined, 'LearnedRestrictions'],
};

/** Routes that answer in other types than JSON alone. */
const FORMS_OF_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  '/usage': ['application/json', 'text/csv'],
  '/live': ['application/json', 'text/event-stream'],
};

/** What routes take in their query. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/v1/models': { detail: FLAG },
  '/learned-restrictions': { backend: TEXT, model: TEXT },
  '/usage': { by: TEXT, since: TEXT, until: TEXT, format: words('json', 'csv') },
  '/live': Object.fromEntries(FILTERS.map((name) => [name, list(TEXT)])),
};

/** Routes that take a form with files beside JSON. */
const FORMS: ReadonlySet<string> = new Set(['/v1/images/edits', '/v1/images/variations', '/v1/videos']);

const schemaOf = (name: string | undefined): Schema =>
  name === undefined ? {} : { $ref: `#/components/schemas/${name}` };

/** The description of these routes in OpenAPI 3.1. */
export function describeRoutes(routes: readonly Route[], base: string): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace('*', '{rest}');
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const parameters = [
      ...named.map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
      ...Object.entries(QUERIES[path] ?? {}).map(([name, schema]) => ({ name, in: 'query', schema })),
    ];
    const item: Record<string, unknown> = { ...paths[path], ...(parameters.length > 0 && { parameters }) };
    for (const method of route.methods) item[method.toLowerCase()] ??= operationOf(route, method);
    paths[path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'interlingua',
      version: VERSION,
      description: 'One conversation in four dialects. Answers to `stream: true` are server-sent events.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }],
    security: [{ bearer: [] }, { xApiKey: [] }, { xGoogApiKey: [] }, { queryKey: [] }, {}],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        xGoogApiKey: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
        queryKey: { type: 'apiKey', in: 'query', name: 'key' },
      },
    },
  };
}

function operationOf({ path, open: isOpen }: Route, method: string): Schema {
  const [request, answer] = BODIES[path] ?? [];
  const body = method === 'POST' && request !== undefined;
  const types = FORMS.has(path) ? ['application/json', 'multipart/form-data'] : ['application/json'];
  const content = (name: string | undefined, of: readonly string[]) =>
    Object.fromEntries(of.map((type) => [type, { schema: schemaOf(name) }]));
  return {
    operationId: `${method} ${path}`.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, ''),
    ...(isOpen === true && { security: [] }),
    ...(body && { requestBody: { required: true, content: content(request, types) } }),
    responses: {
      200: {
        description: 'The answer',
        ...(answer !== undefined && { content: content(answer, FORMS_OF_ANSWERS[path] ?? ['application/json']) }),
      },
      default: { description: 'An error, in the shape of the dialect of the route' },
    },
  };
}
