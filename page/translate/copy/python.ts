import type { DialectId, JsonObject } from '../library.js';
import { PYTHON_ARGUMENTS } from './arguments.js';
import { googleArguments } from './google-config.js';
import type { Copied } from './index.js';
import { headersFor, type Place } from './place.js';
import { pythonOf } from './values.js';

interface Sdk {
  readonly load: string;
  readonly client: string;
  /** Named arguments for a place, as Python. */
  options(place: Place): readonly string[];
  call(copied: Copied): string;
  readonly print: string;
  readonly printEvent: string;
}

const key = ({ variable }: Place): string => (variable === undefined ? '"none"' : `os.environ["${variable}"]`);

const headers = (place: Place): readonly string[] =>
  place.keyForm === 'api-key' ? [`default_headers={"api-key": ${key(place)}}`] : [];

function plainCall(method: string, dialect: keyof typeof PYTHON_ARGUMENTS) {
  return ({ body, betas }: Copied): string => {
    const known: ReadonlySet<string> = PYTHON_ARGUMENTS[dialect];
    const members = Object.entries(body);
    const named = headersFor(dialect, betas);
    const rest = Object.fromEntries(members.filter(([name]) => !known.has(name)));
    const more: JsonObject = {
      ...(Object.keys(rest).length > 0 && { extra_body: rest }),
      ...(Object.keys(named).length > 0 && { extra_headers: named }),
      ...(dialect === 'messages' && { timeout: 600 }),
    };
    return called(method, [...members.filter(([name]) => known.has(name)), ...Object.entries(more)]);
  };
}

function called(method: string, named: readonly (readonly [name: string, value: unknown])[]): string {
  return `${method}(\n${named.map(([name, value]) => `    ${name}=${pythonOf(value, 1)},\n`).join('')})`;
}

const OPENAI = { load: 'from openai import OpenAI', client: 'OpenAI' };

const SDKS: Readonly<Partial<Record<DialectId, Sdk>>> = {
  messages: {
    load: 'from anthropic import Anthropic',
    client: 'Anthropic',
    options: (place) => [
      `base_url=${pythonOf(place.root)}`,
      `${place.keyForm === 'bearer' ? 'auth_token' : 'api_key'}=${key(place)}`,
      ...headers(place),
    ],
    call: plainCall('client.messages.create', 'messages'),
    print: 'print("".join(getattr(part, "text", "") for part in answer.content))',
    printEvent: 'print(getattr(getattr(event, "delta", None), "text", None) or "", end="")',
  },
  responses: {
    ...OPENAI,
    options: (place) => [`base_url=${pythonOf(`${place.root}/v1`)}`, `api_key=${key(place)}`, ...headers(place)],
    call: plainCall('client.responses.create', 'responses'),
    print: 'print(answer.output_text)',
    printEvent: 'print(event.delta if event.type == "response.output_text.delta" else "", end="")',
  },
  chatCompletions: {
    ...OPENAI,
    options: (place) => [`base_url=${pythonOf(place.root)}`, `api_key=${key(place)}`, ...headers(place)],
    call: plainCall('client.chat.completions.create', 'chatCompletions'),
    print: 'print(answer.choices[0].message.content)',
    printEvent: 'print((event.choices[0].delta.content or "") if event.choices else "", end="")',
  },
  generateContent: {
    load: 'from google import genai',
    client: 'genai.Client',
    options: (place) => [
      `api_key=${key(place)}`,
      ...(place.own ? [] : [`http_options={"base_url": ${pythonOf(place.root)}}`]),
    ],
    call: ({ body, model, stream }) => {
      const { contents, config, rest } = googleArguments(body);
      const extra = Object.keys(rest).length > 0 && { httpOptions: { extraBody: rest } };
      return called(`client.models.generate_content${stream ? '_stream' : ''}`, [
        ['model', model],
        ['contents', contents],
        ['config', { ...config, ...extra }],
      ]);
    },
    print: 'print(answer.text)',
    printEvent: 'print(event.text or "", end="")',
  },
};

/** A program with the vendor's SDK that sends a request and prints what is said; undefined for a dialect without one. */
export function pythonFor(copied: Copied, place: Place): string | undefined {
  const sdk = SDKS[copied.dialect];
  if (sdk === undefined) return undefined;
  const options = place.own && copied.dialect !== 'generateContent' ? [] : sdk.options(place);
  const client = `client = ${sdk.client}(${options.join(', ')})`;
  const ask = sdk.call(copied);
  const lines = copied.stream ? [`for event in ${ask}:`, `    ${sdk.printEvent}`] : [`answer = ${ask}`, sdk.print];
  const needsSystem = options.some((option) => option.includes('os.environ'));
  return `${[...(needsSystem ? ['import os', ''] : []), sdk.load, '', client, ...lines].join('\n')}\n`;
}
