import * as javascript from './javascript.js';
import * as python from './python.js';
import { asNamed, type Sdk } from './sdk.js';
import { pythonOf } from './values.js';

/** The arguments of its method in the newest major for Python. */
export const ARGUMENTS: ReadonlySet<string> = new Set(
  (
    'cache_control container inference_geo max_tokens messages metadata model output_config service_tier speed stop_sequences ' +
    'stream system thinking tool_choice tools'
  ).split(' '),
);

/** Without a stream it waits only where the answer cannot take longer than ten minutes; above this it wants to be told a time. */
const LONG_ANSWER = 20_000;

export const messages: Sdk = {
  name: "Anthropic's SDK",
  method: /\.\s*messages\s*\.\s*(create|stream|parse|toolRunner|tool_runner)\s*\(/,
  sentBy: asNamed,
  knowsItsOwn: true,
  variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', ''],
  javascript: {
    load: "import Anthropic from '@anthropic-ai/sdk';",
    client: 'Anthropic',
    options: (place) => {
      const key = javascript.keyOf(place);
      return {
        baseURL: place.root,
        ...(place.keyForm === 'bearer' ? { apiKey: null, authToken: key } : { apiKey: key }),
        ...javascript.keyHeader(place),
      };
    },
    call: (copied) => {
      const isLong = !copied.stream && Number(copied.body.max_tokens) > LONG_ANSWER;
      return javascript.bodyCall('client.messages.create', copied, isLong ? { timeout: 600_000 } : {});
    },
    print: "console.log(answer.content.map((part) => part.text ?? '').join(''));",
    printEvent: "process.stdout.write(event.delta?.text ?? '');",
  },
  python: {
    load: 'from anthropic import Anthropic',
    client: 'Anthropic',
    options: (place) => [
      `base_url=${pythonOf(place.root)}`,
      `${place.keyForm === 'bearer' ? 'auth_token' : 'api_key'}=${python.keyOf(place)}`,
      ...python.keyHeader(place),
    ],
    call: (copied) => python.bodyCall('client.messages.create', ARGUMENTS, copied, { timeout: 600 }),
    print: 'print("".join(getattr(part, "text", "") for part in answer.content))',
    printEvent: 'print(getattr(getattr(event, "delta", None), "text", None) or "", end="")',
  },
};
