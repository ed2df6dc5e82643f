import * as javascript from './javascript.js';
import { argumentsWith, openai } from './openai.js';
import * as python from './python.js';
import { asNamed, type Sdk } from './sdk.js';

/** The arguments of its method in the newest major for Python. */
export const ARGUMENTS = argumentsWith(
  'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages modalities n ' +
    'prediction presence_penalty reasoning_effort response_format seed stop verbosity web_search_options',
);

// The roots of its hosts have the version in them.
const own = openai('');

export const chatCompletions: Sdk = {
  ...own,
  method: /\.\s*chat\s*\.\s*completions\s*\.\s*(create|stream|parse)\s*\(/,
  sentBy: asNamed,
  javascript: {
    ...own.javascript,
    call: (copied) => javascript.bodyCall('client.chat.completions.create', copied),
    print: 'console.log(answer.choices[0].message.content);',
    printEvent: "process.stdout.write(event.choices[0]?.delta?.content ?? '');",
  },
  python: {
    ...own.python,
    call: (copied) => python.bodyCall('client.chat.completions.create', ARGUMENTS, copied),
    print: 'print(answer.choices[0].message.content)',
    printEvent: 'print((event.choices[0].delta.content or "") if event.choices else "", end="")',
  },
};
