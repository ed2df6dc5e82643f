import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../../src/simulator/rules/index.js';
import type { FakeDialectName, RecordedRequest } from '../support/fake-backend/index.js';

/** A tool result as a backend received it, in the order of the wire. */
export interface SeenResult {
  readonly id: string;
  readonly text: string;
}

/** What tests ask about the requests that backends received, each read in the dialect's own words. */
interface View {
  results(body: JsonObject): SeenResult[];
  /** Opaque reasoning state, in order. */
  states(body: JsonObject): string[];
  /** Media type and bytes of every picture. */
  images(body: JsonObject): string[];
  system(body: JsonObject): string;
  toolNames(body: JsonObject): string[];
  /** The schema that the answer must have. */
  schema(body: JsonObject): unknown;
  cap(body: JsonObject): unknown;
  stop(body: JsonObject): unknown;
  choice(body: JsonObject): unknown;
}

const DUMMY_SIGNATURE = 'skip_thought_signature_validator';

const VIEWS: Readonly<Record<FakeDialectName, View>> = {
  messages: {
    results: (body) =>
      blocksOf(body).flatMap((block) =>
        block.type === 'tool_result' ? [{ id: stringOf(block.tool_use_id), text: textOf(block.content) }] : [],
      ),
    states: (body) => blocksOf(body).flatMap((block) => strings(block.signature ?? block.data)),
    images: (body) =>
      blocksOf(body).flatMap((block) => {
        const source = objectOf(block.source);
        return block.type === 'image' ? [`${source.media_type} ${source.data}`] : [];
      }),
    system: (body) => textOf(body.system),
    toolNames: (body) => objectsOf(body.tools).map((tool) => stringOf(tool.name)),
    // The second is the field that it had while it was a beta.
    schema: (body) => objectOf(objectOf(body.output_config).format ?? body.output_format).schema,
    cap: (body) => body.max_tokens,
    stop: (body) => body.stop_sequences,
    choice: (body) => body.tool_choice,
  },
  responses: {
    results: (body) =>
      objectsOf(body.input).flatMap((item) =>
        item.type === 'function_call_output' ? [{ id: stringOf(item.call_id), text: textOf(item.output) }] : [],
      ),
    states: (body) => objectsOf(body.input).flatMap((item) => strings(item.encrypted_content)),
    images: (body) =>
      objectsOf(body.input)
        .flatMap((item) => objectsOf(item.content))
        .flatMap((part) => {
          const [, mime, data] = /^data:([^;]+);base64,(.*)$/.exec(stringOf(part.image_url)) ?? [];
          return part.type === 'input_image' ? [`${mime} ${data}`] : [];
        }),
    system: (body) => stringOf(body.instructions),
    toolNames: (body) => objectsOf(body.tools).map((tool) => stringOf(tool.name)),
    schema: (body) => objectOf(objectOf(body.text).format).schema,
    cap: (body) => body.max_output_tokens,
    stop: (body) => body.stop,
    choice: (body) => body.tool_choice,
  },
  generateContent: {
    results: (body) =>
      partsOf(body).flatMap(({ functionResponse }) => {
        if (!isObject(functionResponse)) return [];
        const response = objectOf(functionResponse.response);
        return [
          {
            id: stringOf(functionResponse.id),
            text: stringOf(response.output ?? response.error ?? JSON.stringify(response)),
          },
        ];
      }),
    states: (body) =>
      partsOf(body)
        .flatMap((part) => strings(part.thoughtSignature))
        .filter((signature) => signature !== DUMMY_SIGNATURE),
    images: (body) =>
      partsOf(body).flatMap(({ inlineData }) =>
        isObject(inlineData) ? [`${inlineData.mimeType} ${inlineData.data}`] : [],
      ),
    system: (body) => textOf(objectOf(body.systemInstruction ?? body.system_instruction).parts),
    toolNames: (body) =>
      objectsOf(body.tools)
        .flatMap((tool) => objectsOf(tool.functionDeclarations ?? tool.function_declarations))
        .map((declaration) => stringOf(declaration.name)),
    schema: (body) => settingOf(body, 'responseJsonSchema'),
    cap: (body) => settingOf(body, 'maxOutputTokens'),
    stop: (body) => settingOf(body, 'stopSequences'),
    choice: (body) => objectOf(body.toolConfig).functionCallingConfig,
  },
  chatCompletions: {
    results: (body) =>
      objectsOf(body.messages).flatMap((message) =>
        message.role === 'tool' ? [{ id: stringOf(message.tool_call_id), text: textOf(message.content) }] : [],
      ),
    states: (body) => objectsOf(body.messages).flatMap((message) => strings(message.reasoning_content)),
    images: (body) =>
      blocksOf(body).flatMap((part) => {
        const [, mime, data] = /^data:([^;]+);base64,(.*)$/.exec(stringOf(objectOf(part.image_url).url)) ?? [];
        return part.type === 'image_url' ? [`${mime} ${data}`] : [];
      }),
    system: (body) =>
      objectsOf(body.messages)
        .filter(({ role }) => role === 'system' || role === 'developer')
        .map(({ content }) => textOf(content))
        .join('\n\n'),
    toolNames: (body) => objectsOf(body.tools).map((tool) => stringOf(objectOf(tool.function).name)),
    schema: (body) => objectOf(objectOf(body.response_format).json_schema).schema,
    cap: (body) => body.max_completion_tokens ?? body.max_tokens,
    stop: (body) => body.stop,
    choice: (body) => body.tool_choice,
  },
};

/** Reads one request that a backend of a dialect received. */
export function viewOf<K extends keyof View>(
  dialect: FakeDialectName,
  request: RecordedRequest | undefined,
  what: K,
): ReturnType<View[K]>;
export function viewOf(dialect: FakeDialectName, request: RecordedRequest | undefined, what: keyof View): unknown {
  if (request === undefined) throw new Error(`the ${dialect} backend received no such request`);
  return VIEWS[dialect][what](objectOf(request.body));
}

function blocksOf(body: JsonObject): JsonObject[] {
  return objectsOf(body.messages).flatMap((message) => objectsOf(message.content));
}

/** A member of `generationConfig`, in either spelling. */
function settingOf(body: JsonObject, name: string): unknown {
  const config = objectOf(body.generationConfig ?? body.generation_config);
  return config[name] ?? config[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The parts of all turns. The service takes the spelling of protocol buffers as well, which gateways of others send. */
function partsOf(body: JsonObject): JsonObject[] {
  return objectsOf(body.contents).flatMap((content) =>
    objectsOf(content.parts).map((part) => ({
      ...part,
      inlineData: part.inlineData ?? inlineDataOf(part.inline_data),
      functionResponse: part.functionResponse ?? part.function_response,
      thoughtSignature: part.thoughtSignature ?? part.thought_signature,
    })),
  );
}

function inlineDataOf(node: unknown): unknown {
  return isObject(node) ? { mimeType: node.mime_type ?? node.mimeType, data: node.data } : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return objectsOf(value)
    .map((part) => stringOf(part.text))
    .join('');
}

function strings(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}
