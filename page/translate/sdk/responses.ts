import { argumentsWith, openai } from './openai.js';

/** The arguments of its method in the newest major for Python. */
export const ARGUMENTS = argumentsWith(
  'background context_management conversation include input instructions max_output_tokens max_tool_calls previous_response_id prompt ' +
    'reasoning text truncation',
);

export const responses = openai({
  name: 'client.responses.create',
  pattern: /\.\s*responses\s*\.\s*(create|stream|parse)\s*\(/,
  named: ARGUMENTS,
  end: '/v1',
  javascript: {
    print: 'console.log(answer.output_text);',
    printEvent: "if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
  },
  python: {
    print: 'print(answer.output_text)',
    printEvent: 'print(event.delta if event.type == "response.output_text.delta" else "", end="")',
  },
});
