import type Anthropic from '@anthropic-ai/sdk';
import { connectMessages } from '../clients.js';
import { hearMessages } from '../wire/heard.js';
import { createPieceClock, type Session, type SessionOptions, turnOf } from './session.js';

const DEFAULT_CAP = 8192;
const LOW_BUDGET = 2048;

/** A conversation through `@anthropic-ai/sdk`; the history is the list of `messages`. */
export function createMessagesSession(url: string, options: SessionOptions): Session {
  const client = connectMessages(url, { apiKey: options.apiKey, fetch: options.fetch });
  const messages: Anthropic.MessageParam[] = [];
  const fixed = fixedFields(options);
  return {
    user(text, image) {
      const picture: Anthropic.ContentBlockParam[] = image
        ? [{ type: 'image', source: { type: 'base64', media_type: mediaType(image.mime), data: image.base64 } }]
        : [];
      messages.push({ role: 'user', content: image ? [...picture, { type: 'text', text }] : text });
    },
    results(results) {
      const content = results.map(({ id, output }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: output,
      }));
      messages.push({ role: 'user', content });
    },
    async send({ stream, model = options.model }) {
      const clock = createPieceClock();
      const asked = { ...fixed, model, messages };
      const body = options.agent ? asAgent(asked) : asked;
      let message: Anthropic.Message;
      if (stream) {
        const running = client.messages.stream(body);
        running.on('text', (delta) => clock.add(delta));
        message = await running.finalMessage();
      } else {
        message = await client.messages.create(body);
      }
      if (message.content.length > 0) messages.push({ role: 'assistant', content: message.content });
      return turnOf(hearMessages({ ...message }), clock.pieces, message);
    },
  };
}

function fixedFields(options: SessionOptions): Omit<Anthropic.MessageCreateParamsNonStreaming, 'messages'> {
  const { model, system, tools, toolChoice, schema, reasoning, maxTokens, stop } = options;
  return {
    model,
    max_tokens: maxTokens ?? DEFAULT_CAP,
    ...(system === undefined ? {} : { system }),
    ...(stop ? { stop_sequences: [...stop] } : {}),
    ...(reasoning ? { thinking: { type: 'enabled', budget_tokens: LOW_BUDGET } } : {}),
    ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
    ...(toolChoice === undefined ? {} : { tool_choice: printChoice(toolChoice) }),
    ...(tools
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            input_schema: { ...parameters, type: 'object' as const },
          })),
        }
      : {}),
  };
}

const MARK = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The request with what coding agents add to it: a line for the accounts of the service in front of the system text, in which
 * a hash changes from request to request, and marks.
 */
function asAgent<Body extends Anthropic.MessageCreateParamsNonStreaming>(body: Body): Body {
  const hash = (body.messages.length * 7919).toString(16).padStart(5, '0');
  const line = `x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=${hash};`;
  const system = [
    { type: 'text' as const, text: line },
    { type: 'text' as const, text: String(body.system), ...MARK },
  ];
  return { ...body, system, messages: markTurns(body.messages) };
}

/** The same turns with marks at the ends of the last two of the user, so that this request finds what the former one wrote. */
function markTurns(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const last = messages.filter(({ role }) => role === 'user').slice(-2);
  return messages.map((message) =>
    message.role === 'user' && last.includes(message) ? { ...message, content: markEnd(message.content) } : message,
  );
}

function markEnd(content: Anthropic.UserMessageParam['content']): Anthropic.ContentBlockParam[] {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return blocks.map((block, index) =>
    index === blocks.length - 1 && (block.type === 'text' || block.type === 'tool_result')
      ? { ...block, ...MARK }
      : block,
  );
}

function printChoice(choice: NonNullable<SessionOptions['toolChoice']>): Anthropic.ToolChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function mediaType(mime: string): Anthropic.Base64ImageSource['media_type'] {
  const known = (['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const).find((type) => type === mime);
  if (known === undefined) throw new TypeError(`${mime} is no picture of the messages dialect`);
  return known;
}
