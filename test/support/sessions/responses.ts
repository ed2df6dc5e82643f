import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems';
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { connectResponses } from '../clients.js';
import { hearResponses } from '../wire/heard.js';
import { createPieceClock, type Session, type SessionOptions, turnOf } from './session.js';

/** A conversation through `openai`, stateless: nothing is stored, reasoning comes encrypted, the history is the `input`. */
export function createResponsesSession(url: string, options: SessionOptions): Session {
  if (options.stop) throw new TypeError('the responses dialect has no stop sequences');
  const client = connectResponses(url, { apiKey: options.apiKey, fetch: options.fetch });
  const input: ResponseInputItem[] = [];
  const fixed = fixedFields(options);
  return {
    user(text, image) {
      const url = image && `data:${image.mime};base64,${image.base64}`;
      input.push({
        role: 'user',
        content: url
          ? [
              { type: 'input_image', image_url: url, detail: 'auto' },
              { type: 'input_text', text },
            ]
          : text,
      });
    },
    results(results) {
      for (const { id, output } of results) input.push({ type: 'function_call_output', call_id: id, output });
    },
    async send({ stream, model = options.model }) {
      const clock = createPieceClock();
      const body = { ...fixed, model, input };
      let response: Response;
      if (stream) {
        const running = client.responses.stream(body);
        running.on('response.output_text.delta', ({ delta }) => clock.add(delta));
        response = await running.finalResponse();
      } else {
        response = await client.responses.create(body);
      }
      // The helper that the SDK's guide uses: it takes off what the SDK itself put on the items.
      input.push(...toResponseInputItems(response.output));
      return turnOf(hearResponses({ ...response }), clock.pieces, response);
    },
  };
}

function fixedFields(
  options: SessionOptions,
): Omit<ResponseCreateParamsNonStreaming, 'input' | 'stream' | 'background'> {
  const { model, system, tools, toolChoice, schema, reasoning, maxTokens } = options;
  return {
    model,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(system === undefined ? {} : { instructions: system }),
    ...(options.agent ? { prompt_cache_key: 'the-id-of-this-session' } : {}),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(reasoning ? { reasoning: { effort: 'low', summary: 'auto' } } : {}),
    ...(schema ? { text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } } } : {}),
    ...(toolChoice === undefined
      ? {}
      : { tool_choice: typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.name } : toolChoice }),
    ...(tools
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            parameters,
            strict: false,
          })),
        }
      : {}),
  };
}
