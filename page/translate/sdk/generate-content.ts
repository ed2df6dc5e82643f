import { googleArguments } from './google-config.js';
import { wireOf } from './google-wire.js';
import * as javascript from './javascript.js';
import * as python from './python.js';
import type { Copied, Sdk } from './sdk.js';
import { javascriptOf, pythonOf } from './values.js';

/** The arguments for a request: what the SDK has no place for goes with the body as it is. */
function argumentsFor({ body, model }: Copied) {
  const { contents, config, rest } = googleArguments(body);
  const extra = Object.keys(rest).length > 0 && { httpOptions: { extraBody: rest } };
  return { model, contents, config: { ...config, ...extra } };
}

export const generateContent: Sdk = {
  name: "Google's SDK",
  method: /\.\s*models\s*\.\s*(generateContent(?:Stream)?|generate_content(?:_stream)?)\s*\(/,
  sentBy: ({ named, stream }) => ({ ...wireOf(named), stream }),
  knowsItsOwn: false,
  variables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', ''],
  javascript: {
    load: "import { GoogleGenAI } from '@google/genai';",
    client: 'GoogleGenAI',
    options: (place) => ({
      apiKey: javascript.keyOf(place),
      ...(!place.own && { httpOptions: { baseUrl: place.root } }),
    }),
    call: (copied) =>
      `client.models.generateContent${copied.stream ? 'Stream' : ''}(${javascriptOf(argumentsFor(copied))})`,
    print: 'console.log(answer.text);',
    printEvent: "process.stdout.write(event.text ?? '');",
  },
  python: {
    load: 'from google import genai',
    client: 'genai.Client',
    options: (place) => [
      `api_key=${python.keyOf(place)}`,
      ...(place.own ? [] : [`http_options={"base_url": ${pythonOf(place.root)}}`]),
    ],
    call: (copied) =>
      python.called(
        `client.models.generate_content${copied.stream ? '_stream' : ''}`,
        Object.entries(argumentsFor(copied)),
      ),
    print: 'print(answer.text)',
    printEvent: 'print(event.text or "", end="")',
  },
};
