import {
  type FamilyCall,
  localShellArguments,
  type ShellRun,
  shellArguments,
  shellRuns,
} from '../../canonical/client-actions.js';
import type { CallPart, ResultPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { RenderedCall } from '../../target/client-tool-rules.js';
import { isObject } from '../../wire/json.js';

/** The name of the shell that keeps its state, and of the function that replaces any shell. */
export const BASH = 'bash';

/** A call of a shell as one of the shell that takes a command line. */
export function bashOf(call: FamilyCall): RenderedCall {
  if (call.family === 'localShell') {
    const { command, env, workingDirectory, timeoutMs, user } = localShellArguments(call);
    const line = [
      ...(workingDirectory === undefined ? [] : [`cd ${quoted(workingDirectory)} &&`]),
      ...Object.entries(env ?? {}).map(([name, value]) => `${name}=${quoted(value)}`),
      lineOf(command),
    ].join(' ');
    const lost = timeoutMs !== undefined || user !== undefined;
    return callBash(line, lost ? 'time limit and user are not sent' : undefined);
  }
  const { commands, timeoutMs, maxOutputLength } = shellArguments(call);
  const lost = timeoutMs !== undefined || maxOutputLength !== undefined;
  const several = commands.length > 1 ? 'several commands became one' : undefined;
  return callBash(commands.join('\n'), lost ? 'limits of time and output are not sent' : several);
}

function callBash(command: string, poorer: string | undefined): RenderedCall {
  return { name: BASH, args: { command }, ...(poorer !== undefined && { poorer }) };
}

/** What a shell was given in one argument comes out as it was. */
function lineOf(command: readonly string[]): string {
  const [shell, flag, line] = command;
  if (command.length === 3 && /^(.*\/)?(ba|z)?sh$/.test(shell ?? '') && /^-l?c$/.test(flag ?? '')) return line ?? '';
  return command.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What a shell does where a fresh one has nothing to restart. */
const NOTHING = 'true';

/** A call of the shell that takes a command line, as one of a client's shell; undefined when it names no command. */
export function shellOf(
  part: CallPart,
  args: unknown,
  family: 'shell' | 'localShell',
  name: string,
): FamilyCall | undefined {
  const { command, restart } = isObject(args) ? args : {};
  const line = typeof command === 'string' ? command : restart === true ? NOTHING : undefined;
  if (line === undefined) return undefined;
  const value: JsonObject = family === 'shell' ? { commands: [line] } : { command: [BASH, '-lc', line] };
  return { ...part, family, name, namespace: undefined, fixedName: true, args: { value } };
}

/** Whether a call asked for a restart, of which a fresh shell knows nothing. */
export function restarts(args: unknown): boolean {
  return isObject(args) && typeof args.command !== 'string' && args.restart === true;
}

/** What the commands of a shell brought, as a person reads it on the screen. */
export function shellText(result: ResultPart): ResultPart {
  if (result.json === undefined) return result;
  const text = shellRuns(result.json).map(runText).join('\n');
  const { json: _json, ...rest } = result;
  return { ...rest, parts: [{ kind: 'text', text, src: result.src }] };
}

function runText({ stdout, stderr, exitCode, timedOut }: ShellRun): string {
  const end =
    timedOut === true ? '[timed out]' : exitCode === undefined || exitCode === 0 ? '' : `[exit code ${exitCode}]`;
  return [stdout, stderr, end]
    .map((piece) => piece.replace(/\n$/, ''))
    .filter((piece) => piece !== '')
    .join('\n');
}
