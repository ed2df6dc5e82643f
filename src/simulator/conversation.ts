import { type Dialect, dialects, type Losses, refuseStoredState } from '../../translators/index.js';
import { isObject } from '../json.js';
import { readDirectives } from './directives.js';
import { OVERLOADED, parseBody, Refusal, simulated } from './errors.js';
import { type Exchange, json, type SimulatorAnswer } from './http.js';
import { planAnswer } from './plan.js';
import { framingOf, type Route, SERVICES } from './services.js';
import { deliver } from './stream.js';
import { readView } from './view.js';

/** What a service prints is its own, so that nothing of it is lost. */
const SILENT: Losses = { list: [], add: () => {} };

/** Answers a conversation, or counts its tokens, as the service of a dialect. */
export function converse(exchange: Exchange, { dialect: id, to, model, stream }: Route): SimulatorAnswer {
  const { text, signal, headers, query, seed, now } = exchange;
  const dialect: Dialect = dialects[id];
  const losses = SILENT;
  const body = parseBody(text);
  const context = { losses, model, stream };
  if (to === 'count') {
    const { promptTokens } = readView(dialect.count.decodeRequest(body, context));
    return json(dialect.count.encodeResponse({ input: promptTokens }), headers);
  }
  const request = dialect.decodeRequest(body, context);
  refuseStoredState(request);
  if ((request.candidates ?? 1) > 1) {
    throw new Refusal({ kind: 'invalid_request', message: 'Multiple candidates is not enabled for this model' });
  }
  const view = readView(request);
  const directives = readDirectives(view.userText);
  if (directives.status !== undefined) throw simulated(id, directives.status);
  const response = planAnswer(request, view, SERVICES[id], seed);
  const framing = framingOf(id, query);
  const encoding = { losses, request, requestBody: isObject(body) ? body : undefined, now, nonce: seed, framing };
  if (request.stream) {
    const { broken, slow } = directives;
    const failure = broken === 'failed' ? { failure: OVERLOADED } : {};
    const delivery = { slow, signal, ...(broken !== undefined && { broken: failure }) };
    const type = framing === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/json';
    const bytes = deliver(response, dialect.createStreamEncoder(encoding), delivery);
    return { status: 200, headers: { ...headers, 'content-type': type }, body: bytes };
  }
  if (directives.broken === 'failed') throw new Refusal(OVERLOADED);
  const whole = JSON.stringify(dialect.encodeResponse(response, encoding));
  const sent = directives.broken === 'cut' ? piece(whole.slice(0, whole.length / 2)) : whole;
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body: sent };
}

/** A body of which nothing more arrives. */
async function* piece(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
