import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { type JsonObject, objectOf, objectsOf } from '../../../src/simulator/rules/index.js';
import { type FakeBackend, type FakeDialectName, type Reply, startFakeBackend } from '../fake-backend/index.js';
import { errorBodyOf } from '../hosts/errors.js';
import { countTokens } from '../services/tokens.js';
import { headersOf, listen, shut } from '../sockets.js';
import { type Asked, askedOf } from './asked.js';
import { type Endpoint, type Manners, type Refusal, SERVERS } from './manners.js';

/** The only model of the servers. */
export const MODEL = 'tiny';
const WINDOW = 8192;

/** A server that answers what it is asked, as far as its manners let it. */
export interface AnsweringServer {
  readonly url: string;
  /** Method and path of all calls, with the caps of tokens that they asked for. */
  readonly calls: readonly {
    readonly line: string;
    readonly body: JsonObject;
    readonly headers: Readonly<Record<string, string>>;
  }[];
  close(): Promise<void>;
}

const PATHS: readonly (readonly [RegExp, FakeDialectName])[] = [
  [/^\/v1\/chat\/completions$/, 'chatCompletions'],
  [/^\/v1\/messages$/, 'messages'],
  [/^\/v1\/responses$/, 'responses'],
  [/^\/v1beta\/models\/[^/]+:(?:stream)?[gG]enerateContent/, 'generateContent'],
];

/** Starts a server of servers.yaml; an anonymous one shows by nothing which it is. */
export async function startAnswering(name: string, isAnonymous = false): Promise<AnsweringServer> {
  const manners = SERVERS[name];
  if (manners === undefined) throw new Error(`nothing is known of ${name}`);
  const calls: AnsweringServer['calls'][number][] = [];
  const fakes = new Map<FakeDialectName, FakeBackend>();
  for (const [dialect, endpoint] of Object.entries(manners.dialects) as [FakeDialectName, Endpoint][]) {
    const fake = await startFakeBackend(dialect, { strict: false });
    fake.script(({ body }) => replyOf(dialect, body, endpoint));
    fakes.set(dialect, fake);
  }
  const server = createServer(async (incoming, response) => {
    const raw = await readText(incoming);
    const { method = '', url = '' } = incoming;
    const path = url.replace(/\?.*$/, '');
    const body = raw === '' ? {} : objectOf(JSON.parse(raw));
    calls.push({ line: `${method} ${path}`, body, headers: headersOf(incoming) });
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...(!isAnonymous && manners.headers) });
      response.end(JSON.stringify(value));
    };
    if (method === 'GET') return json(...gotOf(manners, path, isAnonymous));
    if (path === manners.counts) return json(200, { input_tokens: countTokens(raw) });
    const dialect = PATHS.find(([pattern]) => pattern.test(path))?.[1];
    const fake = dialect && fakes.get(dialect);
    if (dialect === undefined || fake === undefined) return json(404, { detail: 'Not Found' });
    const refusal = refusalOf(manners, dialect, body);
    if (refusal !== undefined) return json(refusal.status, errorOf(manners, dialect, refusal));
    pass(incoming, raw, response, fake.url + url, endpointOf(manners, dialect));
  });
  const url = await listen(server);
  return {
    url,
    calls,
    async close() {
      await shut(server);
      await Promise.all([...fakes.values()].map((fake) => fake.close()));
    },
  };
}

const NOTHING: Endpoint = { shows: { ignored: [], refused: [], other: [] } };

function endpointOf({ dialects }: Manners, dialect: FakeDialectName): Endpoint {
  return dialects[dialect] ?? NOTHING;
}

function gotOf({ owner, list, listless, routes = {} }: Manners, path: string, isAnonymous: boolean): [number, unknown] {
  if (path === '/v1/models' && !listless) {
    const entry = { id: MODEL, object: 'model', created: 1_700_000_000, owned_by: isAnonymous ? 'somebody' : owner };
    return [200, { object: 'list', data: [{ ...entry, ...(!isAnonymous && list) }] }];
  }
  const found = isAnonymous ? undefined : routes[path];
  return found === undefined ? [404, { detail: 'Not Found' }] : [200, found];
}

function refusalOf(
  manners: Manners,
  dialect: FakeDialectName,
  body: JsonObject,
): Pick<Refusal, 'status' | 'says'> | undefined {
  const found = endpointOf(manners, dialect).refuses?.find((refusal) => fits(body, refusal));
  if (found !== undefined) return found;
  const caps = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];
  const cap = caps.find((name) => Number(body[name]) > WINDOW);
  if (cap === undefined || manners.cap === undefined) return undefined;
  return { status: 400, says: manners.cap.replaceAll('%cap', cap).replaceAll('%n', String(body[cap])) };
}

function fits(body: JsonObject, { at, ...rule }: Refusal): boolean {
  const values = at.split('.').reduce<readonly unknown[]>(
    (nodes, key) =>
      nodes.flatMap((node) => {
        if (key === '*') return Array.isArray(node) ? node : [];
        const object = objectOf(node);
        return key in object ? [object[key]] : [];
      }),
    [body],
  );
  if ('is' in rule) return values.includes(rule.is);
  // Functions of messages need no type.
  return 'not' in rule ? values.some((value) => value !== rule.not) : values.length > 0;
}

function errorOf(
  { form }: Manners,
  dialect: FakeDialectName,
  { status, says }: Pick<Refusal, 'status' | 'says'>,
): object {
  if (form === 'detail') return { detail: says };
  if (form === 'python') {
    const message = `${says}\n\n  File "/PATH", line 376, in create_chat_completion\n    POST /v1/chat/completions`;
    return { error: { message, type: 'internal_server_error', param: null, code: null } };
  }
  if (form === 'litellm') return { error: { message: says, type: null, param: null, code: String(status) } };
  return errorBodyOf(form, dialect)(status, says);
}

/** Hands a call to the fake of its dialect; what the server does not do of the answer is left out of it. */
function pass(
  incoming: IncomingMessage,
  raw: string,
  response: ServerResponse,
  url: string,
  { ignores = [] }: Endpoint,
): void {
  const outgoing = request(url, { method: 'POST', headers: incoming.headers }, async (answer) => {
    const { 'content-length': _length, ...headers } = answer.headers;
    const text = await readText(answer);
    response.writeHead(answer.statusCode ?? 502, headers);
    response.end(asServerAnswers(text, objectOf(JSON.parse(raw)), ignores));
  });
  outgoing.on('error', (error) => response.destroy(error));
  outgoing.end(raw);
}

function asServerAnswers(text: string, body: JsonObject, ignores: NonNullable<Endpoint['ignores']>): string {
  if (ignores.includes('cut')) return uncut(text);
  if (ignores.includes('streamUsage')) return unbilled(text);
  const has = (one: 'logprobs' | 'n', isAsked: boolean): boolean => isAsked && !ignores.includes(one);
  const isTold = body.logprobs === true || body.top_logprobs !== undefined;
  const [isProbable, isTwice] = [has('logprobs', isTold), has('n', Number(body.n) > 1)];
  if (!text.startsWith('{') || !(isProbable || isTwice)) return text;
  const whole = objectOf(JSON.parse(text));
  if (Array.isArray(whole.output))
    return text.replaceAll('"logprobs":[]', `"logprobs":${JSON.stringify(PROBABLE.content)}`);
  const choices = objectsOf(whole.choices).map((choice) => (isProbable ? { ...choice, logprobs: PROBABLE } : choice));
  return JSON.stringify({ ...whole, choices: isTwice ? [...choices, ...choices] : choices });
}

const PROBABLE = { content: [{ token: 'one', logprob: -0.1, bytes: null, top_logprobs: [] }] };

function uncut(text: string): string {
  return text
    .replaceAll('response.incomplete', 'response.completed')
    .replaceAll('"status":"incomplete"', '"status":"completed"')
    .replaceAll('"incomplete_details":{"reason":"max_output_tokens"}', '"incomplete_details":null');
}

function unbilled(text: string): string {
  if (!text.startsWith('data:')) return text;
  return text
    .split('\n\n')
    .filter((frame) => !frame.includes('"choices":[]'))
    .map((frame) => frame.replace(/,"usage":(?:null|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/, ''))
    .join('\n\n');
}

const NUMBERS =
  'One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty';

/** What the model says. */
function replyOf(dialect: FakeDialectName, body: JsonObject, { ignores = [] }: Endpoint): Reply {
  const asked = askedOf(dialect, body, ignores);
  const usage = { input: countTokens(asked.prompt) + 8 + seen(body, ignores) };
  const { tools, choice, schema, hasResult } = asked;
  const isCustom =
    JSON.stringify(body.tools ?? []).includes('"custom":{') ||
    /"type":"custom","name":"note"/.test(JSON.stringify(body.tools ?? []));
  const wanted = Array.isArray(choice)
    ? choice[0]
    : choice === 'required' || (choice === 'auto' && isNeedy(asked))
      ? tools[0]
      : undefined;
  if (wanted !== undefined && tools.includes(wanted) && !hasResult && !(isCustom && ignores.includes('customTools')))
    return { kind: 'calls', calls: [{ name: wanted }], usage };
  if (schema !== undefined) return { kind: 'json', value: valueFor(schema), usage };
  return spoken(asked, usage);
}

/** Whether the prompt makes the model call a tool by itself. */
function isNeedy({ prompt, hasResult }: Asked): boolean {
  return /tool|weather/i.test(prompt) && !hasResult;
}

/** Tokens of what is no text. */
function seen(body: JsonObject, ignores: Endpoint['ignores'] = []): number {
  const text = JSON.stringify(body);
  const isPicture = /image\/png/.test(text) && !ignores.includes('picture');
  const isDocument = /application\/pdf/.test(text) && !ignores.includes('document');
  return (isPicture ? 150 : 0) + (isDocument ? 150 : 0);
}

function spoken({ prompt, stops, cap, hasResult, isBegun }: Asked, usage: { readonly input: number }): Reply {
  const whole = hasResult
    ? 'The tool says noon.'
    : /count/i.test(prompt)
      ? isBegun
        ? NUMBERS.slice(NUMBERS.indexOf('five'))
        : NUMBERS
      : 'Hello there.';
  const stop = stops.find((one) => whole.includes(one));
  const text = stop === undefined ? whole : whole.slice(0, whole.indexOf(stop));
  const words = text.split(' ');
  if (cap !== undefined && words.length > cap)
    return { kind: 'truncated', text: words.slice(0, cap).join(' '), usage: { ...usage, output: cap } };
  return { kind: 'text', text, usage, ...(stop !== undefined && { stopSequence: stop }) };
}

/** A value that fits a schema. */
function valueFor(schema: JsonObject): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'object') {
    const entries = Object.entries(objectOf(schema.properties));
    return Object.fromEntries(entries.map(([name, inner]) => [name, valueFor(objectOf(inner))]));
  }
  if (schema.type === 'array') return [];
  return schema.type === 'boolean' ? true : schema.type === 'string' ? 'word' : 1;
}
