import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';

/** Prints a run of code of any service: the call part, without an id, because result follows call. */
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

/** Prints what a run of code brought; what it wrote to stderr follows its output. */
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
