import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { connectChatCompletions } from '../clients.js';
import { hearChatCompletions } from '../wire/heard.js';
import { createPieceClock, type Session, type SessionOptions, turnOf, UnfinishedAnswer } from './session.js';

/** What servers put beside the members that the client types, and what a loop that pushes messages gives back. */
interface Reasoned {
  readonly reasoning_content?: string;
}

/** A conversation through `openai`, whose history is the `messages` that were sent and the message of each answer. */
export function createChatCompletionsSession(url: string, options: SessionOptions): Session {
  const client = connectChatCompletions(url, { apiKey: options.apiKey, fetch: options.fetch });
  const { system } = options;
  const messages: ChatCompletionMessageParam[] = system === undefined ? [] : [{ role: 'system', content: system }];
  const fixed = fixedFields(options);
  return {
    user(text, image) {
      const url = image && `data:${image.mime};base64,${image.base64}`;
      messages.push({
        role: 'user',
        content: url
          ? [
              { type: 'image_url', image_url: { url } },
              { type: 'text', text },
            ]
          : text,
      });
    },
    results(results) {
      for (const { id, output } of results) messages.push({ role: 'tool', tool_call_id: id, content: output });
    },
    async send({ stream, model = options.model }) {
      const clock = createPieceClock();
      const body = { ...fixed, model, messages };
      let completion: ChatCompletion;
      let shown: Reasoned = {};
      if (stream) {
        const running = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
        running.on('content', (delta) => clock.add(delta));
        // The helper keeps the last fragment of members that it does not know.
        running.on('chunk', ({ choices: [choice] }) => {
          const { reasoning_content: text } = (choice?.delta ?? {}) as Reasoned;
          if (text) shown = { reasoning_content: (shown.reasoning_content ?? '') + text };
        });
        completion = await running.finalChatCompletion();
      } else {
        completion = await client.chat.completions.create(body);
      }
      const [choice] = completion.choices;
      if (choice === undefined) throw new UnfinishedAnswer('no choice');
      const message: ChatCompletion['choices'][number]['message'] & Reasoned = { ...choice.message, ...shown };
      messages.push(message);
      // The client knows no other name of thoughts.
      const heard = hearChatCompletions({
        ...completion,
        choices: [{ ...choice, message: { ...message, reasoning: null } }],
      });
      return turnOf(heard, clock.pieces, completion);
    },
  };
}

function fixedFields(options: SessionOptions): Omit<ChatCompletionCreateParamsNonStreaming, 'messages' | 'stream'> {
  const { model, tools, toolChoice, schema, reasoning, maxTokens, stop } = options;
  return {
    model,
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(reasoning ? { reasoning_effort: 'low' } : {}),
    ...(stop ? { stop: [...stop] } : {}),
    ...(schema
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'answer', schema: { ...schema }, strict: true },
          },
        }
      : {}),
    ...(toolChoice === undefined
      ? {}
      : {
          tool_choice:
            typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice,
        }),
    ...(tools
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters: { ...parameters } },
          })),
        }
      : {}),
  };
}
