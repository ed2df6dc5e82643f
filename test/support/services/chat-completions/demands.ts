import {
  checkChatCompletions,
  type JsonObject,
  objectOf,
  objectsOf,
  type StateKeeper,
  stringOf,
  type Violation,
} from '../../../../src/simulator/rules/index.js';
import type { ServerName } from './server.js';

/** What the demands of a server depend on besides the request. */
export interface Issued {
  /** Signatures, bound to the name of their call or to the text of their reasoning. */
  readonly state: StateKeeper;
  /** Whether a text of reasoning was handed out. */
  wasShown(text: string): boolean;
}

/** A violation with the server's own word for its kind. */
export type Refusal = Violation & { readonly type?: string };

/** What a server refuses, the first finding first: OpenAI's rules with its own fields and demands [H §2.2, §3.4, §8.1]. */
export function checkDemands(server: ServerName, body: JsonObject, issued: Issued): readonly Refusal[] {
  if (server === 'mistral') return checkMistral(body, issued);
  const own = OWN_FIELDS[server] ?? [];
  const standard = Object.fromEntries(Object.entries(body).filter(([key]) => !own.includes(key)));
  return [
    ...checkChatCompletions(standard),
    ...checkReasoningKeys(server, body, issued),
    ...(DEMANDS[server]?.(body, issued) ?? []),
  ];
}

/** Fields that OpenAI does not know. */
const OWN_FIELDS: Partial<Readonly<Record<ServerName, readonly string[]>>> = {
  compatible: ['top_k', 'thinking'],
  deepseek: ['thinking'],
  kimi: ['thinking'],
  openrouter: ['reasoning', 'top_k', 'plugins', 'provider', 'models', 'session_id'],
  gemini: ['extra_body'],
  local: ['top_k', 'chat_template_kwargs', 'min_p', 'repetition_penalty', 'add_generation_prompt'],
};

/** The keys of an assistant message that a server reads as reasoning; a fake refuses those of other servers. */
const READS: Readonly<Record<ServerName, readonly string[]>> = {
  openai: [],
  azure: [],
  perplexity: [],
  gemini: ['extra_content'],
  mistral: [],
  compatible: ['reasoning_content'],
  deepseek: ['reasoning_content'],
  kimi: ['reasoning_content'],
  openrouter: ['reasoning', 'reasoning_content', 'reasoning_details'],
  local: ['reasoning'],
};

const REASONING_KEYS = [
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'reasoning_text',
  'reasoning_opaque',
  'extra_content',
];

/**
 * Reasoning comes home under the key that it left with, and only what was handed out here. Services that let other keys
 * through in silence would hide that a request carries the state of another backend. A null carries nothing.
 */
function checkReasoningKeys(server: ServerName, body: JsonObject, { state, wasShown }: Issued): Violation[] {
  const allowed = READS[server];
  return assistantsOf(body).flatMap(({ message, at }) => {
    const odd = [message, ...objectsOf(message.tool_calls)]
      .flatMap((holder) => REASONING_KEYS.filter((key) => (holder[key] ?? null) !== null))
      .filter((key) => !allowed.includes(key));
    const texts = ['reasoning_content', 'reasoning'].map((key) => stringOf(message[key]).trim());
    const foreign = texts.some((text) => text !== '' && !wasShown(text));
    const forged = objectsOf(message.reasoning_details).some(
      ({ text, signature }) => typeof signature === 'string' && state.check(signature, stringOf(text)) !== 'valid',
    );
    return [
      ...odd.map((key) => ({ message: `Unknown parameter: '${at}.${key}'.`, param: at, code: 'unknown_parameter' })),
      ...(foreign || forged ? [{ message: `The reasoning of '${at}' was not issued here.`, param: at }] : []),
    ];
  });
}

type Demand = (body: JsonObject, issued: Issued) => Violation[];

const DEMANDS: Partial<Readonly<Record<ServerName, Demand>>> = {
  deepseek: demandAllReasoning,
  kimi: demandReasoningOfCalls,
  gemini: demandSignatures,
};

interface Placed {
  readonly message: JsonObject;
  readonly at: string;
}

function assistantsOf({ messages }: JsonObject): Placed[] {
  return objectsOf(messages).flatMap((message, index) =>
    message.role === 'assistant' ? [{ message, at: `messages[${index}]` }] : [],
  );
}

/** With tools, every message of the assistant [H §8.1]. */
function demandAllReasoning(body: JsonObject): Violation[] {
  if (body.tools === undefined || objectOf(body.thinking).type === 'disabled') return [];
  const lacks = assistantsOf(body).some(({ message }) => typeof message.reasoning_content !== 'string');
  return lacks ? [{ message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' }] : [];
}

/** Every message with calls [H §8.1]. */
function demandReasoningOfCalls(body: JsonObject): Violation[] {
  if (objectOf(body.thinking).type === 'disabled') return [];
  return assistantsOf(body).flatMap(({ message, at }) =>
    message.tool_calls !== undefined && typeof message.reasoning_content !== 'string'
      ? [{ message: `thinking is enabled but reasoning_content is missing in assistant tool call message at ${at}` }]
      : [],
  );
}

const DUMMY_SIGNATURE = 'skip_thought_signature_validator';

/** The first call of every message [H §8.1]. */
function demandSignatures(body: JsonObject, { state }: Issued): Violation[] {
  return assistantsOf(body).flatMap(({ message, at }) => {
    const [call] = objectsOf(message.tool_calls);
    if (call === undefined) return [];
    const signature = objectOf(objectOf(call.extra_content).google).thought_signature;
    if (signature === undefined) return [{ message: `Function call is missing a thought_signature at ${at}.` }];
    const name = stringOf(objectOf(call.function).name);
    const known = signature === DUMMY_SIGNATURE || state.check(stringOf(signature), name) === 'valid';
    return known ? [] : [{ message: `Corrupted thought signature at ${at}.` }];
  });
}

const MISTRAL_FIELDS = [
  'model',
  'messages',
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'stream',
  'random_seed',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'prompt_mode',
  'reasoning_effort',
  'safe_prompt',
  'metadata',
  'prediction',
  'guardrails',
  'prompt_cache_key',
];
const MISTRAL_MESSAGE = ['role', 'content', 'tool_calls', 'prefix', 'tool_call_id', 'name'];
const NINE = /^[a-zA-Z0-9]{9}$/;

/** A strict body, ids of nine characters, an assistant between a result and a user [H §2.2, §3.4]. */
function checkMistral(body: JsonObject, { wasShown }: Issued): Refusal[] {
  const messages = objectsOf(body.messages);
  const extra = [
    ...Object.keys(body).filter((key) => !MISTRAL_FIELDS.includes(key)),
    ...messages.flatMap((message) => Object.keys(message).filter((key) => !MISTRAL_MESSAGE.includes(key))),
  ];
  const ids = messages.flatMap(({ tool_call_id: id, tool_calls: calls }) => [
    ...(id === undefined ? [] : [stringOf(id)]),
    ...objectsOf(calls).map((call) => stringOf(call.id)),
  ]);
  const odd = ids.find((id) => !NINE.test(id));
  const bare = messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool');
  const thoughts = messages
    .flatMap(({ content }) => objectsOf(content))
    .filter(({ type }) => type === 'thinking')
    .map(({ thinking }) => objectsOf(thinking).map(({ text }) => stringOf(text)))
    .map((texts) => texts.join(''));
  const open = messages.some(({ tool_calls: calls }, index) =>
    objectsOf(calls).some((call, place) => messages[index + 1 + place]?.tool_call_id !== call.id),
  );
  return [
    ...extra.map((key) => ({
      status: 422,
      message: `Extra inputs are not permitted: ${key}`,
      code: 'extra_forbidden',
    })),
    ...(Array.isArray(body.tools) && body.tools.length === 0 ? [{ message: 'Tools must not be empty.' }] : []),
    ...(odd === undefined
      ? []
      : [
          {
            message: `Tool call id was ${odd} but must be a-z, A-Z, 0-9, with a length of 9.`,
            code: '3280',
            type: 'invalid_function_call',
          },
        ]),
    ...(bare || open
      ? [{ message: "Unexpected role 'user' after role 'tool'", code: '3230', type: 'invalid_request_message_order' }]
      : []),
    ...(thoughts.some((text) => !wasShown(text)) ? [{ message: 'The thinking was not issued here.' }] : []),
  ];
}
