import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { check, fieldNames, open } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import type { AnswerCodec, HostedCodec } from './codec.js';

/** Runs of code, which are parts of their own. */
export const codeExec: HostedCodec = { tools: { codeExecution: {} } };

export const codeExecAnswer: AnswerCodec = {
  needsCall: false,
  encodeCall: encodeCode,
  encodeResult: encodeCodeResult,
  shownKeys: ['stdout', 'exitCode', 'timedOut'],
  hiddenInput: ({ input: { language } }) =>
    typeof language === 'string' && language !== 'python' ? ['the language'] : [],
  hiddenOutput: ({ output: { exitCode, timedOut } }, failed) => [
    ...(typeof exitCode === 'number' && exitCode !== 0 && exitCode !== 1 ? ['the exit code'] : []),
    ...(failed && timedOut !== true ? ['the reason of the failure'] : []),
  ],
};

const CODE = fieldNames('language', 'code', 'id');
const CODE_RESULT = fieldNames('outcome', 'output', 'id');

/** Reads `executableCode`. An empty id means that the code is followed by its result. */
export function decodeCode(value: JsonObject, ptr: string): Pick<HostedCallPart, 'callId' | 'family' | 'input'> {
  const { known, names } = open(value, CODE, ptr);
  const { language, code, id } = check(wire.executableCode, known, ptr, names);
  const input = { code: code ?? '', ...(language !== undefined && { language: language.toLowerCase() }) };
  return { callId: id ?? '', family: 'codeExec', input };
}

/** Reads `codeExecutionResult`. A failed run is a result with an exit code; only a run that was cut is an error. */
export function decodeCodeResult(
  value: JsonObject,
  ptr: string,
): Pick<HostedResultPart, 'callId' | 'family' | 'output' | 'isError' | 'errorCode'> {
  const { known, names } = open(value, CODE_RESULT, ptr);
  const { outcome, output, id } = check(wire.codeExecutionResult, known, ptr, names);
  const cut = outcome === 'OUTCOME_DEADLINE_EXCEEDED';
  const failed = outcome === 'OUTCOME_FAILED';
  return {
    callId: id ?? '',
    family: 'codeExec',
    output: { stdout: output ?? '', ...(cut ? { timedOut: true } : { exitCode: failed ? 1 : 0 }) },
    ...(cut && { isError: true, errorCode: 'execution_time_exceeded' }),
  };
}

/** Encodes a run of code of any service: the call part, without an id, because result follows call. */
export function encodeCode(part: HostedCallPart): JsonObject {
  const { code, language } = part.input;
  return {
    executableCode: {
      // The service knows no other language.
      language: language === undefined || language === 'python' ? 'PYTHON' : 'LANGUAGE_UNSPECIFIED',
      code: typeof code === 'string' ? code : '',
    },
  };
}

/** Encodes what a run of code brought; what it wrote to stderr follows its output. */
export function encodeCodeResult(part: HostedResultPart): JsonObject {
  const { stdout, stderr, exitCode, timedOut } = part.output;
  const cut = timedOut === true || part.errorCode === 'execution_time_exceeded';
  const failed = part.isError === true || (typeof exitCode === 'number' && exitCode !== 0);
  const output = [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
  return {
    codeExecutionResult: {
      outcome: cut ? 'OUTCOME_DEADLINE_EXCEEDED' : failed ? 'OUTCOME_FAILED' : 'OUTCOME_OK',
      ...(output !== '' && { output }),
    },
  };
}
