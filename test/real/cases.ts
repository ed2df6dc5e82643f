import { Ajv } from 'ajv';
import type { JsonObject } from '../../src/simulator/rules/index.js';
import type { HostFeature } from '../../translators/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { png } from '../support/pictures.js';
import type { Session, SessionOptions, ToolSpec } from '../support/sessions/index.js';
import type { Turn } from '../support/sessions/session.js';

/** What a client asks of a model, and what it has to get. */
export interface Case {
  readonly name: string;
  readonly stream?: true;
  readonly options?: Partial<SessionOptions>;
  /** Members of the body that the sessions have no word for, by dialect of the client; it is asked of no client of another. */
  readonly members?: Readonly<Partial<Record<FakeDialectName, JsonObject>>>;
  /** Clients of these dialects cannot ask for it. */
  readonly without?: readonly FakeDialectName[];
  /** Only a server with a model of its own and a window can be asked; the simulators take any name and any length. */
  readonly realOnly?: true;
  /** The name of a model that nobody serves. */
  readonly model?: string;
  /** Talks with the model; what it is asked unless given. */
  talk?(session: Session, stream: boolean): Promise<Turn>;
  readonly prompt?: string;
  /** What a host record lists as unsupported where the client of the endpoint does not get this directly: one of these. */
  readonly shows?: readonly HostFeature[];
  /** What is wrong with an answer; undefined when it is as it should be. */
  readonly expects: (turn: Turn) => string | undefined;
  /** The statuses of the error that a client has to get in place of an answer. */
  readonly fails?: readonly number[];
}

const CITIES = ['Paris', 'Rome', 'Oslo'];

function toolOf(name: string, properties: JsonObject): ToolSpec {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description: `${name} of a city`, parameters };
}

const city = { type: 'string', enum: CITIES };
const WEATHER = toolOf('get_weather', { city, days: { type: 'integer' } });
const TIME = toolOf('get_time', { city });
const TOOLS = [WEATHER, TIME];
const SCHEMA = WEATHER.parameters;
const WANTS_WEATHER = 'Weather in Paris? Call get_weather.';

const ajv = new Ajv({ strict: false });
const CHECKS = new Map([WEATHER, TIME].map(({ name, parameters }) => [name, ajv.compile(parameters)]));
const fitsSchema = ajv.compile(SCHEMA);

/** It says something, ends, and tells what it cost. */
function says({ text, finish, usage }: Turn): string | undefined {
  if (text === '') return 'no text';
  if (finish !== 'end' && finish !== 'length' && finish !== 'stop') return `it ends with ${finish}`;
  return usage.input > 0 && usage.output > 0 ? undefined : 'no usage is told';
}

/** The same, in more pieces than one. */
function streams(turn: Turn): string | undefined {
  return says(turn) ?? (turn.pieces.length > 1 ? undefined : 'the text came in one piece');
}

/** It calls tools that there are, with arguments that fit. */
function calls({ calls: made, finish }: Turn): string | undefined {
  if (made.length === 0) return 'no tool is called';
  for (const { name, args } of made) {
    const check = CHECKS.get(name);
    if (check === undefined) return `it calls ${name}`;
    if (!check(args)) return `it calls ${name} with ${JSON.stringify(args)}`;
  }
  return finish === 'calls' ? undefined : `it calls, and ends with ${finish}`;
}

const callsOf =
  (wanted: string) =>
  (turn: Turn): string | undefined =>
    calls(turn) ?? (turn.calls.every(({ name }) => name === wanted) ? undefined : 'it calls another tool as well');

function callsOnce(turn: Turn): string | undefined {
  return calls(turn) ?? (turn.calls.length === 1 ? undefined : `it calls ${turn.calls.length} tools`);
}

const callsNone = ({ calls: made }: Turn): string | undefined =>
  made.length > 0 ? `it calls ${made[0]?.name}` : undefined;

function fits({ text }: Turn): string | undefined {
  try {
    return fitsSchema(JSON.parse(text)) ? undefined : `it does not fit the schema: ${text.slice(0, 80)}`;
  } catch {
    return `it is no JSON: ${text.slice(0, 80)}`;
  }
}

function isCut({ finish }: Turn): string | undefined {
  return finish === 'length' ? undefined : `it ends with ${finish} at its cap`;
}

function stops({ text, finish }: Turn): string | undefined {
  if (/ the|\./.test(text)) return `the stop string is in the text: ${text.slice(0, 80)}`;
  return finish === 'length' ? 'it goes on to its cap' : undefined;
}

/** A tool loop: the call, its result, and what the model says then. */
async function loop(session: Session, stream: boolean): Promise<Turn> {
  session.user(WANTS_WEATHER);
  const { calls: made } = await session.send({ stream });
  if (made.length === 0) throw new Error('no tool is called');
  session.results(made.map(({ id, name }) => ({ id, name, output: 'sunny, 21 °C' })));
  return session.send({ stream });
}

async function chat(session: Session, stream: boolean): Promise<Turn> {
  session.user('Hello.');
  await session.send({ stream });
  session.user('Fine. And you?');
  return session.send({ stream });
}

async function show(session: Session, stream: boolean): Promise<Turn> {
  session.user('What is this?', { mime: 'image/png', base64: png().toString('base64') });
  return session.send({ stream });
}

/** The simulator says again what it is told, and the made-up model talks on at that word. */
const FOREVER = `Talk forever of ${'llamas, '.repeat(40)}and more.`;
const LONG = 'word '.repeat(9000);
const SHORT = { maxTokens: 40 };
const FORCED = { tools: TOOLS, toolChoice: { name: 'get_time' }, maxTokens: 120 };
const REQUIRED = { tools: TOOLS, toolChoice: 'required', maxTokens: 200 } as const;

/** Sampling as each dialect says it. */
const SAMPLING = {
  messages: { top_p: 0.9, top_k: 5 },
  responses: { top_p: 0.9 },
  generateContent: { generationConfig: { topP: 0.9, topK: 5, seed: 42 } },
  chatCompletions: { top_p: 0.9, seed: 42 },
};

const LOGPROBS = {
  responses: { top_logprobs: 2, include: ['message.output_text.logprobs'] },
  generateContent: { generationConfig: { responseLogprobs: true, logprobs: 2 } },
  chatCompletions: { logprobs: true, top_logprobs: 2 },
};

const ONE_CALL = {
  messages: { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  responses: { parallel_tool_calls: false },
  chatCompletions: { parallel_tool_calls: false },
};

/** Log probabilities, where each client has them. */
function hasLogprobs(turn: Turn): string | undefined {
  const told = /"logprobs":(?:\{"content":)?\[\{|"chosenCandidates":\[\{/.test(JSON.stringify(turn.native));
  return says(turn) ?? (told ? undefined : 'no log probabilities are told');
}

/** What every client is made to ask over every endpoint. */
export const CASES: readonly Case[] = [
  { name: 'text', options: SHORT, expects: says },
  { name: 'text, streamed', shows: ['streamEvents'], stream: true, options: SHORT, expects: streams },
  { name: 'system', options: { ...SHORT, system: 'You are terse.' }, expects: says },
  { name: 'two turns', options: SHORT, talk: chat, expects: says },
  { name: 'two turns, streamed', shows: ['streamEvents'], stream: true, options: SHORT, talk: chat, expects: streams },
  { name: 'tools', prompt: WANTS_WEATHER, options: { tools: TOOLS, maxTokens: 120 }, expects: calls },
  {
    name: 'tools, streamed',
    stream: true,
    prompt: WANTS_WEATHER,
    options: { tools: TOOLS, maxTokens: 120 },
    expects: calls,
  },
  { name: 'required', shows: ['toolChoice'], prompt: WANTS_WEATHER, options: REQUIRED, expects: calls },
  {
    name: 'required, streamed',
    shows: ['toolChoice'],
    stream: true,
    prompt: WANTS_WEATHER,
    options: REQUIRED,
    expects: calls,
  },
  {
    name: 'named',
    shows: ['namedToolChoice', 'toolChoice'],
    prompt: WANTS_WEATHER,
    options: FORCED,
    expects: callsOf('get_time'),
  },
  {
    name: 'named, streamed',
    shows: ['namedToolChoice', 'toolChoice'],
    stream: true,
    prompt: WANTS_WEATHER,
    options: FORCED,
    expects: callsOf('get_time'),
  },
  {
    name: 'none',
    shows: ['noneToolChoice', 'toolChoice'],
    prompt: WANTS_WEATHER,
    options: { ...SHORT, tools: TOOLS, toolChoice: 'none' },
    expects: callsNone,
  },
  { name: 'one call', prompt: WANTS_WEATHER, options: REQUIRED, members: ONE_CALL, expects: callsOnce },
  { name: 'tool loop', options: { tools: TOOLS, maxTokens: 120 }, talk: loop, expects: says },
  {
    name: 'tool loop, streamed',
    stream: true,
    options: { tools: TOOLS, maxTokens: 120 },
    talk: loop,
    expects: streams,
  },
  {
    name: 'schema',
    shows: ['outputFormat', 'textFormat'],
    prompt: 'Which city?',
    options: { schema: SCHEMA, maxTokens: 200 },
    expects: fits,
  },
  {
    name: 'schema, streamed',
    shows: ['outputFormat', 'textFormat'],
    stream: true,
    prompt: 'Which city?',
    options: { schema: SCHEMA, maxTokens: 200 },
    expects: fits,
  },
  {
    name: 'stop',
    prompt: 'Talk forever.',
    options: { stop: [' the', '.'], maxTokens: 300 },
    without: ['responses'],
    expects: stops,
  },
  { name: 'cap', shows: ['cutStatus'], prompt: FOREVER, options: { maxTokens: 16 }, expects: isCut },
  {
    name: 'cap, streamed',
    shows: ['cutStatus'],
    stream: true,
    prompt: FOREVER,
    options: { maxTokens: 16 },
    expects: isCut,
  },
  { name: 'sampling', options: SHORT, members: SAMPLING, expects: says },
  { name: 'log probabilities', shows: ['logprobs'], options: SHORT, members: LOGPROBS, expects: hasLogprobs },
  { name: 'reasoning', prompt: 'Please think.', options: { reasoning: true }, expects: says },
  {
    name: 'reasoning, streamed',
    stream: true,
    prompt: 'Please think.',
    options: { reasoning: true },
    expects: streams,
  },
  { name: 'picture', options: SHORT, talk: show, expects: says },
  {
    name: 'too long',
    realOnly: true,
    prompt: LONG,
    options: SHORT,
    expects: () => 'it is answered',
    fails: [400, 413],
  },
  {
    name: 'too long, streamed',
    stream: true,
    realOnly: true,
    prompt: LONG,
    options: SHORT,
    expects: () => 'it is answered',
    fails: [400, 413],
  },
  {
    name: 'unknown model',
    realOnly: true,
    model: 'nobody',
    options: SHORT,
    expects: () => 'it is answered',
    fails: [400, 404],
  },
];
