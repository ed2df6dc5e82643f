import { createExchange, createLosses, type DialectId, dialects, type JsonObject } from '../../translators/index.js';

/** Name of the tool that every demonstration declares. */
export const DEMO_TOOL = 'get_weather';

/** What every demonstration asks: the simulator calls the tools that are named. */
export const DEMO_PROMPT = `What is the weather in Oslo? Use ${DEMO_TOOL}.`;

/** What the tool gives. */
export const DEMO_RESULT = '4 degrees and rain';

/** A whole answer of the model, as a client of the responses dialect sees it. */
export type DemoAnswer = readonly JsonObject[];

/** A request in a client's dialect, and the way to read the stream that answers it. */
export interface DemoRequest {
  /** Path and query below the service root. */
  readonly path: string;
  readonly body: JsonObject;
  /** Throws TranslationError when the stream failed or ended without its final event. */
  read(stream: string): DemoAnswer;
}

/**
 * The conversation so far, asked for in a dialect: it is written once, in the responses dialect, and crosses with the
 * library. `before` is the answer to the first request, whose calls get a result.
 */
export function demoRequest(dialect: DialectId, model: string, before: DemoAnswer = []): DemoRequest {
  const source = {
    model,
    stream: true,
    store: false,
    max_output_tokens: 1024,
    tools: [{ type: 'function', name: DEMO_TOOL, description: 'Tells the weather in a city', parameters: SCHEMA }],
    input: [
      { role: 'user', content: DEMO_PROMPT },
      ...before,
      ...callsIn(before).map(({ call_id }) => ({
        type: 'function_call_output',
        call_id,
        output: DEMO_RESULT,
      })),
    ],
  };
  const losses = createLosses();
  const { sent, collect } = createExchange({
    client: dialects.responses,
    backend: dialects[dialect],
    request: dialects.responses.decodeRequest(source, { losses }),
    requestBody: source,
    target: dialects[dialect].target(model),
    domain: 'demo',
    losses,
    now: Math.floor(Date.now() / 1000),
    nonce: '0'.repeat(32),
  });
  return {
    path: dialects[dialect].endpoint('create', { model, stream: true }),
    body: sent.body,
    read(stream) {
      const collector = collect();
      collector.push(stream);
      return listOf(collector.end().body.output);
    },
  };
}

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

/** The calls of tools in an answer. */
export function callsIn(answer: DemoAnswer): DemoAnswer {
  return answer.filter(({ type }) => type === 'function_call');
}

/** The text of an answer. */
export function textOf(answer: DemoAnswer): string {
  return answer
    .flatMap(({ content }) => listOf(content))
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

function listOf(value: unknown): DemoAnswer {
  return Array.isArray(value) ? value : [];
}
