import type { HostedCallPart, HostedResultPart, Part } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { isObject, lookUp } from '../../../wire/json.js';
import { nativeEntry } from '../../content/reasoning.js';
import { check, type Reader } from '../../nodes.js';
import * as wire from '../../wire/index.js';

/** What a hosted item shows: what was asked and, once there is something, what it brought. */
interface Shown {
  readonly family: HostedFamily;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly isError?: boolean;
  readonly status: string | undefined;
}

const READERS: Readonly<Record<string, (node: JsonObject, ptr: string, reader: Reader) => Shown>> = {
  web_search_call: decodeWebSearch,
  file_search_call: decodeFileSearch,
  code_interpreter_call: decodeCodeInterpreter,
  image_generation_call: decodeImageGeneration,
  mcp_call: decodeMcp,
};

/** Whether items of this type are calls that the service ran itself and that other dialects know too. */
export function isHostedItem(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(READERS, type);
}

/** The call part of a hosted item; the head of a stream's part when `bare`. */
export function decodeHosted(node: JsonObject, ptr: string, item: number, reader: Reader): readonly Part[] {
  const read = READERS[String(node.type)];
  if (read === undefined) return [];
  const shown = read(node, ptr, reader);
  const id = typeof node.id === 'string' ? node.id : undefined;
  const callId = id ?? `item_${item}`;
  const state = [nativeEntry('hosted', node, reader)];
  const call: HostedCallPart = {
    kind: 'hostedCall',
    callId,
    family: shown.family,
    input: shown.input,
    status: shown.status,
    id,
    item,
    src: { ptr },
  };
  if (shown.status === 'in_progress') return [{ ...call, state }];
  const result: HostedResultPart = {
    kind: 'hostedResult',
    callId,
    family: shown.family,
    output: shown.output,
    isError: shown.isError === true || shown.status === 'failed' ? true : undefined,
    item,
    state,
    src: { ptr },
  };
  return [call, result];
}

function decodeWebSearch(node: JsonObject, ptr: string, reader: Reader): Shown {
  const { action, status } = check(wire.webSearchCall, node, ptr, reader);
  return {
    family: 'webSearch',
    input: decodeAction(action ?? {}),
    output: { sources: decodeSources(action?.sources) },
    status: status ?? undefined,
  };
}

const ACTIONS: Readonly<Record<string, string>> = {
  search: 'search',
  open_page: 'openPage',
  find_in_page: 'findInPage',
};

function decodeAction(action: JsonObject): JsonObject {
  const input: JsonObject = { action: lookUp(ACTIONS, action.type) ?? 'search' };
  if (typeof action.query === 'string') input.query = action.query;
  if (Array.isArray(action.queries)) input.queries = action.queries;
  if (typeof action.url === 'string') input.url = action.url;
  if (typeof action.pattern === 'string') input.pattern = action.pattern;
  return input;
}

function decodeSources(sources: unknown): JsonObject[] {
  if (!Array.isArray(sources)) return [];
  return sources
    .filter((source): source is { url: string } => typeof source?.url === 'string')
    .map((source) => ({ url: source.url }));
}

function decodeFileSearch(node: JsonObject, ptr: string, reader: Reader): Shown {
  const { queries, results, status } = check(wire.fileSearchCall, node, ptr, reader);
  return {
    family: 'fileSearch',
    input: { queries: queries ?? [] },
    output: { results: results ?? [] },
    status: status ?? undefined,
  };
}

function decodeCodeInterpreter(node: JsonObject, ptr: string, reader: Reader): Shown {
  const { code, container_id: containerId, outputs, status } = check(wire.codeInterpreterCall, node, ptr, reader);
  const logs: string[] = [];
  const files: JsonObject[] = [];
  for (const output of outputs ?? []) {
    if (output.type === 'logs' && typeof output.logs === 'string') logs.push(output.logs);
    else files.push(output);
  }
  return {
    family: 'codeExec',
    input: { code: code ?? '', language: 'python', ...(typeof containerId === 'string' && { containerId }) },
    output: { stdout: logs.join(''), ...(files.length > 0 && { files }) },
    status: status ?? undefined,
  };
}

function decodeImageGeneration(node: JsonObject, ptr: string, reader: Reader): Shown {
  const image = check(wire.imageGenerationCall, node, ptr, reader);
  const format = image.output_format ?? 'png';
  const revisedPrompt = image.revised_prompt ?? undefined;
  return {
    family: 'imageGen',
    input: revisedPrompt === undefined ? {} : { prompt: revisedPrompt },
    output:
      typeof image.result === 'string'
        ? { base64: image.result, mime: `image/${format}`, ...(revisedPrompt !== undefined && { revisedPrompt }) }
        : {},
    status: image.status ?? undefined,
  };
}

function decodeMcp(node: JsonObject, ptr: string, reader: Reader): Shown {
  const call = check(wire.mcpCall, node, ptr, reader);
  const failed = node.error !== undefined && node.error !== null;
  return {
    family: 'mcp',
    input: { server: call.server_label, name: call.name, arguments: call.arguments },
    output: { text: call.output ?? (failed ? errorText(node.error) : '') },
    isError: failed,
    status: call.status ?? undefined,
  };
}

/** Older traffic had a string here, newer has an object [R §4.2 rule 1]. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, content }: { message?: unknown; content?: unknown } = Object(error);
  if (typeof message === 'string') return message;
  // What the tool itself said is text, or text parts.
  if (typeof content === 'string') return content;
  const texts = Array.isArray(content) ? content.map((part) => (isObject(part) ? part.text : undefined)) : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('') : JSON.stringify(error);
}
