import { furtherKeys } from '../../../adapt/index.js';
import type { HostedCallPart } from '../../../canonical/content.js';
import { TranslationError } from '../../../canonical/errors.js';
import { type JsonObject, ptrOf } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool } from '../../../canonical/tools.js';
import { isObject } from '../../../wire/json.js';
import { check, keysOf, origin, type Reader, withExtra } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { type HostedCodec, hostedTool, type ItemCodec, type ItemContent, keepTool, textOf } from './codec.js';

const TYPE = 'code_interpreter_call';

/** Code that runs in a container of the service. */
export const codeExec: HostedCodec = {
  tool: { types: ['code_interpreter'], decode: decodeTool, fields: toolFields },
  item: { type: TYPE, decode: decodeItem },
};

export const codeExecItem: ItemCodec = {
  type: TYPE,
  opening: ['response.code_interpreter_call.in_progress'],
  piece: { stem: 'response.code_interpreter_call_code', key: 'code' },
  running: 'response.code_interpreter_call.interpreting',
  completed: 'response.code_interpreter_call.completed',
  cut: 'incomplete',
  head: (call, container) => ({ code: '', container_id: containerOf(call, container), outputs: null }),
  whole: (call, result, container) => ({
    code: textOf(call.input.code),
    container_id: containerOf(call, container),
    outputs: result === undefined ? null : encodeOutputs(result.output),
  }),
  shownKeys: ['stdout'],
  hiddenInput: ({ input }) =>
    input.language !== undefined && input.language !== 'python' ? 'the language' : undefined,
  inventedInput: ({ input }) =>
    input.containerId === undefined ? 'the id of a container in which the code ran' : undefined,
};

/** The tool of another service. Throws `unsupported` for one with containers or files of its own. */
export function encodeCodeExec(tool: HostedTool): JsonObject {
  const { settings } = tool;
  if (settings.fileIds === undefined && settings.containerId === undefined)
    return { type: 'code_interpreter', container: { type: 'auto' } };
  const message = 'containers and files of another service are unknown to this backend';
  throw new TranslationError('unsupported', message, { path: ptrOf(tool) });
}

const TOOL = keysOf(wire.codeInterpreterTool);
/** What of a container of its own the model holds. */
const CONTAINER = new Set(['type', 'file_ids']);

function decodeTool(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const { container } = check(wire.codeInterpreterTool, node, ptr, reader);
  const settings: HostedSettings =
    typeof container === 'string' ? { containerId: container } : { fileIds: container.file_ids ?? undefined };
  const bare = hostedTool('codeExec', 'code_interpreter', settings, origin(node, TOOL, ptr));
  const tool = keepTool(bare, node, toolFields);
  if (!isObject(node.container)) return tool;
  const further = Object.keys(node.container).filter((key) => !CONTAINER.has(key));
  if (further.length === 0) return tool;
  return withExtra(tool, 'container', furtherKeys({ ...node.container }, `${ptr}/container`, further));
}

function toolFields({ settings: { containerId, fileIds } }: HostedTool): JsonObject {
  return { container: containerId ?? { type: 'auto', ...(fileIds !== undefined && { file_ids: fileIds }) } };
}

function decodeItem(node: JsonObject, ptr: string, reader: Reader): ItemContent {
  const { code, container_id: containerId, outputs, status } = check(wire.codeInterpreterCall, node, ptr, reader);
  const logs: string[] = [];
  const files: JsonObject[] = [];
  for (const output of outputs ?? []) {
    if (output.type === 'logs' && typeof output.logs === 'string') logs.push(output.logs);
    else files.push(output);
  }
  return {
    input: { code: code ?? '', language: 'python', ...(typeof containerId === 'string' && { containerId }) },
    output: { stdout: logs.join(''), ...(files.length > 0 && { files }) },
    status: status ?? undefined,
  };
}

function containerOf(call: HostedCallPart, container: string): string {
  return typeof call.input.containerId === 'string' ? call.input.containerId : container;
}

function encodeOutputs(output: JsonObject): JsonObject[] {
  const logs = [textOf(output.stdout), textOf(output.stderr)].filter((text) => text !== '').join('\n');
  return [{ type: 'logs', logs }];
}
