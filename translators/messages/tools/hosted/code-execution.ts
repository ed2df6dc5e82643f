import { untoldKeys } from '../../../adapt/index.js';
import type { HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { isObject } from '../../../wire/json.js';
import { DIRECT } from '../../nodes.js';
import { type BlockReader, type PairCodec, type ToolCodec, textOf } from './codec.js';

/** Code that runs in a container of the service. */
export const codeExecTool: ToolCodec = { names: ['code_execution'], keys: [] };

export const codeExecBlocks: BlockReader = {
  decodeInput(input, name) {
    if (name === 'bash_code_execution') return { code: input.command, language: 'bash' };
    if (name === 'text_editor_code_execution') return { code: JSON.stringify(input), language: 'text_editor' };
    return { code: input.code };
  },
  decodeOutput: (content) => (isObject(content) ? decodeExecution(content) : {}),
};

export const codeExecPair: PairCodec = {
  encodeCall: ({ input }, id) => ({
    type: 'server_tool_use',
    id,
    name: 'code_execution',
    input: { code: textOf(input.code) },
    caller: DIRECT,
  }),
  encodeResult: (result, id) => ({
    type: 'code_execution_tool_result',
    tool_use_id: id,
    content: encodeExecution(result),
  }),
  hiddenInput: ({ language }) => (language !== undefined && language !== 'python' ? ['the language'] : []),
  hiddenOutput(result) {
    if (result.output.timedOut === true) return untoldKeys(result, ['timedOut']);
    const hidden = untoldKeys(result, ['stdout', 'stderr', 'exitCode', 'timedOut']);
    return result.isError === true ? [...hidden, 'the reason'] : hidden;
  },
};

function decodeExecution(content: JsonObject): JsonObject {
  if (content.error_code === 'execution_time_exceeded') return { stdout: '', timedOut: true };
  const files = Array.isArray(content.content) ? content.content.filter(isObject).map((file) => file.file_id) : [];
  return {
    stdout: typeof content.stdout === 'string' ? content.stdout : textOf(content.content),
    ...(typeof content.stderr === 'string' && content.stderr !== '' && { stderr: content.stderr }),
    ...(typeof content.return_code === 'number' && { exitCode: content.return_code }),
    ...(files.length > 0 && { files }),
  };
}

function encodeExecution({ output, isError }: HostedResultPart): JsonObject {
  if (output.timedOut === true) {
    return { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' };
  }
  return {
    type: 'code_execution_result',
    stdout: textOf(output.stdout),
    stderr: textOf(output.stderr),
    return_code: typeof output.exitCode === 'number' ? output.exitCode : isError === true ? 1 : 0,
    content: [],
  };
}
