import * as javascript from './javascript.js';
import { argumentsWith, openai } from './openai.js';
import * as python from './python.js';
import { asNamed, type Sdk } from './sdk.js';

/** The arguments of its method in the newest major for Python. */
export const ARGUMENTS = argumentsWith(
  'background context_management conversation include input instructions max_output_tokens max_tool_calls previous_response_id prompt ' +
    'reasoning text truncation',
);

const own = openai('/v1');

export const responses: Sdk = {
  ...own,
  method: /\.\s*responses\s*\.\s*(create|stream|parse)\s*\(/,
  sentBy: asNamed,
  javascript: {
    ...own.javascript,
    call: (copied) => javascript.bodyCall('client.responses.create', copied),
    print: 'console.log(answer.output_text);',
    printEvent: "if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
  },
  python: {
    ...own.python,
    call: (copied) => python.bodyCall('client.responses.create', ARGUMENTS, copied),
    print: 'print(answer.output_text)',
    printEvent: 'print(event.delta if event.type == "response.output_text.delta" else "", end="")',
  },
};
