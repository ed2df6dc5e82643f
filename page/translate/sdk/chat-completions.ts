import { argumentsWith, openai } from './openai.js';

/** The arguments of its method in the newest major for Python. */
export const ARGUMENTS = argumentsWith(
  'audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages modalities n ' +
    'prediction presence_penalty reasoning_effort response_format seed stop verbosity web_search_options',
);

export const chatCompletions = openai({
  name: 'client.chat.completions.create',
  pattern: /\.\s*chat\s*\.\s*completions\s*\.\s*(create|stream|parse)\s*\(/,
  named: ARGUMENTS,
  // The roots of its hosts have the version in them.
  end: '',
  javascript: {
    print: 'console.log(answer.choices[0].message.content);',
    printEvent: "process.stdout.write(event.choices[0]?.delta?.content ?? '');",
  },
  python: {
    print: 'print(answer.choices[0].message.content)',
    printEvent: 'print((event.choices[0].delta.content or "") if event.choices else "", end="")',
  },
});
