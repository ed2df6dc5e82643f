import { readDirectives } from '../directives.js';
import type { Exchange } from '../exchange.js';
import { Refusal, type SimulatorAnswer } from '../http.js';
import { type JsonObject, numberOf, objectOf, stringOf, stringsOf } from '../json.js';
import { drawPicture } from '../media/picture.js';
import type { Plan } from '../plan.js';
import { countUsage, planAnswer } from '../script.js';
import { createSignedState } from '../state.js';
import { deliver } from '../stream.js';
import { refuseFirst } from '../violation.js';
import { errorBody, retryInfo } from './errors.js';
import { printContent, streamContent } from './print.js';
import { readContent, readThinking, toCamelCase } from './read.js';
import { checkCount, checkGenerate } from './rules.js';

const state = createSignedState('generateContent');
const HEADERS = { 'content-type': 'application/json; charset=UTF-8', 'server-timing': 'gfet4t7; dur=1' };
const RETRY_SECONDS = 1;
const OVERLOADED = { status: 503, message: 'The model is overloaded. Please try again later.' };

type Verb = 'generateContent' | 'streamGenerateContent' | 'countTokens';

/** Serves the generateContent dialect: generate, stream, countTokens, model list [G §1]. */
export function serveGenerateContent(exchange: Exchange): SimulatorAnswer {
  try {
    return route(exchange);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const limited = error.status === 429;
    const message = limited ? `${error.message}\nPlease retry in ${RETRY_SECONDS}s.` : error.message;
    const { details = [] } = error.detail;
    const body = errorBody(error.status, message, limited ? [...details, retryInfo(RETRY_SECONDS)] : details);
    const listed = /:streamGenerateContent$/.test(exchange.path) && exchange.query.get('alt') !== 'sse';
    const retry: Record<string, string> = limited ? { 'retry-after': String(RETRY_SECONDS) } : {};
    return {
      status: error.status,
      headers: { ...HEADERS, ...retry },
      body: JSON.stringify(listed ? [body] : body, null, 2),
    };
  }
}

function route(exchange: Exchange): SimulatorAnswer {
  const { method, path } = exchange;
  const json = (value: object): SimulatorAnswer => ({
    status: 200,
    headers: HEADERS,
    body: JSON.stringify(value, null, 2),
  });
  const [, name, verb] = /\/models\/(.+?)(?::([a-zA-Z]+))?$/.exec(path) ?? [];
  if (method === 'GET' && /\/models$/.test(path)) return json({ models: [modelInfo('sim-generate-content')] });
  if (name === undefined) throw new Refusal(404, `No such path: ${path}`);
  const model = decodeURIComponent(name).replace(/^models\//, '');
  if (method === 'GET' && verb === undefined) return json(modelInfo(model));
  if (method === 'POST' && isVerb(verb)) return call(exchange, model, verb, json);
  throw new Refusal(404, `models/${model} is not found, or is not supported for ${verb ?? method}.`);
}

function isVerb(verb: string | undefined): verb is Verb {
  return verb === 'generateContent' || verb === 'streamGenerateContent' || verb === 'countTokens';
}

function modelInfo(id: string) {
  return {
    name: `models/${id}`,
    version: '1',
    displayName: `Simulated model ${id}`,
    inputTokenLimit: 1048576,
    outputTokenLimit: 65536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    thinking: true,
  };
}

function call(
  exchange: Exchange,
  model: string,
  verb: Verb,
  json: (value: object) => SimulatorAnswer,
): SimulatorAnswer {
  const sent = exchange.readBody();
  const host = /^\/(projects|publishers)\//.test(exchange.path) ? 'cloud' : 'dev';
  const body = objectOf(toCamelCase(sent));
  if (verb === 'countTokens') {
    refuseFirst(checkCount(sent, host, true));
    return json(countBody(body, model));
  }
  refuseFirst(checkGenerate(sent, { model, host, gemini3: false, state, takesAll: true }));
  if ((numberOf(objectOf(body.generationConfig).candidateCount) ?? 1) > 1) {
    throw new Refusal(400, 'Multiple candidates is not enabled for this model');
  }
  const view = readContent(body, model);
  const directives = readDirectives(view.userText);
  if (directives.status !== undefined) throw new Refusal(directives.status, `simulated error ${directives.status}`);
  const plan = withPicture(planAnswer(view), body, view.userText);
  const usage = countUsage(view, plan, 'implicit');
  const { mint, now } = exchange;
  const printing = { plan, usage, state, model, mint, now, includeThoughts: readThinking(body).shows };
  if (verb === 'generateContent') {
    if (directives.broken === 'failed') throw new Refusal(OVERLOADED.status, OVERLOADED.message);
    const whole = json(printContent(printing));
    return directives.broken === 'cut' ? { ...whole, body: exchange.cutBody(stringOf(whole.body)) } : whole;
  }
  const framing = exchange.query.get('alt') === 'sse' ? 'sse' : 'array';
  const type = framing === 'sse' ? 'text/event-stream' : 'application/json; charset=UTF-8';
  return {
    status: 200,
    headers: { ...HEADERS, 'content-type': type, 'content-disposition': 'attachment' },
    body: deliver(streamContent(printing, framing), exchange.delivery(directives, OVERLOADED)),
  };
}

/** A picture where pictures are asked for; in the place of the text where nothing else is. */
function withPicture(plan: Plan, body: JsonObject, text: string): Plan {
  const config = objectOf(body.generationConfig);
  const modalities = stringsOf(config.responseModalities).map((word) => word.toUpperCase());
  if (!modalities.includes('IMAGE') || plan.finish.kind !== 'end') return plan;
  const ratio = stringOf(objectOf(config.imageConfig).aspectRatio);
  const picture = drawPicture(text, ratio).toString('base64');
  const { text: said, ...rest } = plan;
  return { ...rest, ...(modalities.includes('TEXT') && said !== undefined && { text: said }), picture };
}

/** Counts `contents`, or the whole request inside `generateContentRequest`, never both [G §1]. */
function countBody(body: JsonObject, model: string): object {
  const inner = body.generateContentRequest;
  const counted = inner === undefined ? body : objectOf(inner);
  const totalTokens = readContent(counted, model).promptTokens;
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}
