import type { DialectId } from '../library.js';
import { googleArguments } from './google-config.js';
import type { Copied } from './index.js';
import { headersFor, type Place } from './place.js';
import { javascriptOf } from './values.js';

interface Sdk {
  readonly load: string;
  /** The line that makes the client, with what it is told of its place. */
  client(options: string): string;
  /** The options for a place. */
  options(place: Place): Readonly<Record<string, unknown>>;
  call(copied: Copied): string;
  readonly print: string;
  readonly printEvent: string;
}

/** JavaScript that stands as it is among values. */
class Expression {
  constructor(readonly text: string) {}
}

const variable = (name: string | undefined): unknown =>
  name === undefined ? 'none' : new Expression(`process.env.${name}`);

/** The vendors' SDKs wait without a stream only where the answer cannot take longer; above this they want to be told a time. */
const LONG_ANSWER = 20_000;

function withOptions({ body, betas, dialect, stream }: Copied): string {
  const headers = headersFor(dialect, betas);
  const isLong = dialect === 'messages' && !stream && Number(body.max_tokens) > LONG_ANSWER;
  const options = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(isLong && { timeout: 600_000 }),
  };
  return Object.keys(options).length === 0 ? '' : `, ${javascriptOf(options)}`;
}

const OPENAI: Omit<Sdk, 'call' | 'print' | 'printEvent'> = {
  load: "import OpenAI from 'openai';",
  client: (options) => `const client = new OpenAI(${options});`,
  options: ({ keyForm, variable: name }) => ({
    apiKey: variable(name),
    ...(keyForm === 'api-key' && { defaultHeaders: { 'api-key': variable(name) } }),
  }),
};

const SDKS: Readonly<Partial<Record<DialectId, Sdk>>> = {
  messages: {
    load: "import Anthropic from '@anthropic-ai/sdk';",
    client: (options) => `const client = new Anthropic(${options});`,
    options: ({ root, keyForm, variable: name }) => ({
      baseURL: root,
      ...(keyForm === 'bearer' ? { apiKey: null, authToken: variable(name) } : { apiKey: variable(name) }),
      ...(keyForm === 'api-key' && { defaultHeaders: { 'api-key': variable(name) } }),
    }),
    call: (copied) => `client.messages.create(${javascriptOf(copied.body)}${withOptions(copied)})`,
    print: "console.log(answer.content.map((part) => part.text ?? '').join(''));",
    printEvent: "process.stdout.write(event.delta?.text ?? '');",
  },
  responses: {
    ...OPENAI,
    options: (place) => ({ baseURL: `${place.root}/v1`, ...OPENAI.options(place) }),
    call: (copied) => `client.responses.create(${javascriptOf(copied.body)}${withOptions(copied)})`,
    print: 'console.log(answer.output_text);',
    printEvent: "if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
  },
  chatCompletions: {
    ...OPENAI,
    options: (place) => ({ baseURL: place.root, ...OPENAI.options(place) }),
    call: (copied) => `client.chat.completions.create(${javascriptOf(copied.body)}${withOptions(copied)})`,
    print: 'console.log(answer.choices[0].message.content);',
    printEvent: "process.stdout.write(event.choices[0]?.delta?.content ?? '');",
  },
  generateContent: {
    load: "import { GoogleGenAI } from '@google/genai';",
    client: (options) => `const client = new GoogleGenAI(${options});`,
    options: ({ root, own, variable: name }) => ({
      apiKey: variable(name),
      ...(!own && { httpOptions: { baseUrl: root } }),
    }),
    call: ({ body, model, stream }) => {
      const { contents, config, rest } = googleArguments(body);
      const extra = Object.keys(rest).length > 0 && { httpOptions: { extraBody: rest } };
      const given = { model, contents, config: { ...config, ...extra } };
      return `client.models.generateContent${stream ? 'Stream' : ''}(${javascriptOf(given)})`;
    },
    print: 'console.log(answer.text);',
    printEvent: "process.stdout.write(event.text ?? '');",
  },
};

/** A program with the vendor's SDK that sends a request and prints what is said, which runs as a module of Node.js; undefined for a dialect without an SDK. */
export function javascriptFor(copied: Copied, place: Place): string | undefined {
  const sdk = SDKS[copied.dialect];
  if (sdk === undefined) return undefined;
  // Of its own service the SDK knows the address, and looks for the key where everybody has it.
  const isKnown = place.own && copied.dialect !== 'generateContent';
  const ask = sdk.call(copied);
  const lines = copied.stream
    ? [`const events = await ${ask};`, `for await (const event of events) {\n  ${sdk.printEvent}\n}`]
    : [`const answer = await ${ask};`, sdk.print];
  return `${[sdk.load, '', sdk.client(isKnown ? '' : optionsOf(sdk.options(place))), ...lines].join('\n')}\n`;
}

function optionsOf(options: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(options).map(([name, value]) => {
    if (value instanceof Expression) return `  ${name}: ${value.text},\n`;
    if (isHeaders(value)) return `  ${name}: { ${Object.entries(value).map(headerText).join(', ')} },\n`;
    return `  ${name}: ${javascriptOf(value, 1)},\n`;
  });
  return `{\n${members.join('')}}`;
}

const isHeaders = (value: unknown): value is Readonly<Record<string, Expression>> =>
  typeof value === 'object' && value !== null && Object.values(value).some((one) => one instanceof Expression);

const headerText = ([name, value]: readonly [string, Expression]): string => `'${name}': ${value.text}`;
