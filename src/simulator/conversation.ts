import { dialects, type Losses } from '../../translators/index.js';
import { readDirectives } from './directives.js';
import { invalid, OVERLOADED, parseBody, Refusal, simulated } from './errors.js';
import { type Exchange, json, type SimulatorAnswer, stream, wholeOf } from './http.js';
import { planAnswer } from './plan.js';
import type { Service } from './service.js';
import { streamAnswer } from './stream.js';
import { readView } from './view.js';

/** What a service sends is its own, so that nothing of it is lost. */
const SILENT: Losses = { list: [], add: () => {} };

/** Counts the tokens of a conversation as the service of a dialect does. */
export function countTokensOf(exchange: Exchange, service: Service): SimulatorAnswer {
  const { dialect: id, text, headers, model } = exchange;
  const { count } = dialects[id];
  const body = parseBody(text);
  service.check(body, exchange);
  const request = count.decodeRequest(body, { losses: SILENT, model, state: service.earlier?.(body) });
  return json(count.encodeResponse({ input: readView(request).promptTokens }), headers);
}

/** Answers a conversation as the service of a dialect does. */
export function converse(exchange: Exchange, service: Service): SimulatorAnswer {
  const { dialect: id, text, signal, headers, seed, now, model } = exchange;
  const dialect = dialects[id];
  const body = parseBody(text);
  service.check(body, exchange);
  const context = { losses: SILENT, model, stream: exchange.stream, state: service.earlier?.(body) };
  const request = dialect.decodeRequest(body, context);
  if ((request.candidates ?? 1) > 1) throw invalid('Multiple candidates is not enabled for this model');
  const view = readView(request);
  const { status, broken, slow } = readDirectives(view.userText);
  if (status !== undefined) throw simulated(id, status);
  const response = planAnswer(request, view, service, body, seed);
  const framing = framingOf(exchange, service);
  const encoding = {
    losses: SILENT,
    request,
    requestBody: { store: true, ...body },
    now,
    nonce: seed,
    framing,
    asIssuer: true,
  };
  if (request.stream) {
    if (broken === undefined) service.keep?.(body, dialect.encodeResponse(response, encoding));
    const failure = broken === 'failed' ? { failure: OVERLOADED } : {};
    const paragraphs = service.streamsParagraphs;
    const delivery = { paragraphs, slow, signal, ...(broken !== undefined && { broken: failure }) };
    const bytes = streamAnswer(response, dialect.createStreamEncoder(encoding), delivery);
    return stream(bytes, headers, framing === 'sse' ? undefined : 'application/json');
  }
  if (broken === 'failed') throw new Refusal(OVERLOADED);
  const whole = dialect.encodeResponse(response, encoding);
  const answer = json(service.keep?.(body, whole) ?? whole, headers);
  if (broken !== 'cut') return answer;
  const written = Buffer.from(String(answer.body));
  return { ...answer, body: wholeOf(written.subarray(0, written.length / 2)) };
}

/** The framing of a stream that is asked for in this way. */
export function framingOf({ query }: Exchange, { framing }: Service): 'sse' | 'array' {
  return query.get('alt') === 'sse' ? 'sse' : framing;
}
