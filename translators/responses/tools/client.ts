import { type ClientToolRules, COMPUTER, type RenderedCall, rawAction, type WriteOptions } from '../../adapt/index.js';
import {
  type ComputerAction,
  computerArguments,
  type FamilyCall,
  localShellArguments,
  type PatchOperation,
  patchOperations,
  pointerAfter,
  type ShellRun,
  shellArguments,
} from '../../canonical/client-actions.js';
import type { CallPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ClientFamily, ClientTool } from '../../canonical/tools.js';
import { isObject, lookUp } from '../../wire/json.js';
import { check, complete, DIALECT, keepDifferences, keysOf, origin, type Reader } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeComputer, type EncodedAction, encodeAction } from './computer.js';

/** How this dialect has the built-in tools of clients [R §2.5, §4.2]: calls are items of their own. */
export const clientTools: ClientToolRules = {
  own: { computer: 'computer', shell: 'shell', localShell: 'localShell', patch: 'patch' },
  points: 'pixels',
  tellsDisplay: false,
  batches: (type) => type !== 'computer_use_preview',
  readComputer: () => undefined,
  write: encodeFamily,
};

/** How one built-in family is encoded: the type of its calls, the name of its tool, the key of its action. */
interface FamilyItem {
  readonly type: string;
  readonly name: string;
  readonly key: string;
}

/** Families that have items. */
export const FAMILY_ITEMS: Readonly<Partial<Record<ClientFamily, FamilyItem>>> = {
  computer: { type: 'computer_call', name: COMPUTER, key: 'action' },
  localShell: { type: 'local_shell_call', name: 'local_shell', key: 'action' },
  shell: { type: 'shell_call', name: 'shell', key: 'action' },
  patch: { type: 'apply_patch_call', name: 'apply_patch', key: 'operation' },
};

/** The arguments of a call item, in the words of the model. */
export function decodeFamilyArguments(family: ClientFamily, node: JsonObject): JsonObject {
  switch (family) {
    case 'computer':
      return { ...decodeComputer(node) };
    case 'shell':
      return decodeShell(objectIn(node.action));
    case 'localShell':
      return decodeLocalShell(objectIn(node.action));
    case 'patch':
      return { operations: [decodeOperation(objectIn(node.operation))] };
    default:
      return {};
  }
}

function decodeShell({ commands, timeout_ms: timeoutMs, max_output_length: maxOutputLength }: JsonObject): JsonObject {
  return {
    commands: Array.isArray(commands) ? commands : [],
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
    ...(typeof maxOutputLength === 'number' && { maxOutputLength }),
  };
}

function decodeLocalShell(action: JsonObject): JsonObject {
  const { command, env, timeout_ms: timeoutMs, working_directory: workingDirectory, user } = action;
  return {
    command: Array.isArray(command) ? command : [],
    ...(Object.keys(objectIn(env)).length > 0 && { env }),
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
    ...(typeof workingDirectory === 'string' && { workingDirectory }),
    ...(typeof user === 'string' && { user }),
  };
}

const OPERATIONS: Readonly<Record<string, PatchOperation['type']>> = {
  create_file: 'create',
  update_file: 'update',
  delete_file: 'delete',
};

function decodeOperation({ type, path, diff }: JsonObject): JsonObject {
  return {
    type: lookUp(OPERATIONS, type) ?? 'update',
    path: typeof path === 'string' ? path : '',
    ...(typeof diff === 'string' && { diff }),
  };
}

/** What the commands of a `shell_call_output` brought. */
export function decodeRuns(output: readonly unknown[]): ShellRun[] {
  return output.map((entry) => {
    const { stdout, stderr, outcome } = objectIn(entry);
    const { type, exit_code: exitCode } = objectIn(outcome);
    return {
      stdout: typeof stdout === 'string' ? stdout : '',
      stderr: typeof stderr === 'string' ? stderr : '',
      ...(type === 'timeout' && { timedOut: true }),
      ...(typeof exitCode === 'number' && { exitCode }),
    };
  });
}

function encodeFamily(call: FamilyCall, options: WriteOptions): readonly RenderedCall[] {
  switch (call.family) {
    case 'computer':
      return encodeComputer(call, options);
    case 'shell': {
      const { commands, timeoutMs, maxOutputLength } = shellArguments(call);
      const action = { commands, timeout_ms: timeoutMs ?? null, max_output_length: maxOutputLength ?? null };
      return [{ family: 'shell', name: 'shell', args: { action } }];
    }
    case 'localShell':
      return [{ family: 'localShell', name: 'local_shell', args: { action: encodeLocalShell(call) } }];
    case 'patch':
      return patchOperations(call).map((operation) => ({
        family: 'patch',
        name: 'apply_patch',
        args: { operation: encodeOperation(operation) },
      }));
    default:
      return [];
  }
}

function encodeLocalShell(call: CallPart): JsonObject {
  const { command, env, timeoutMs, workingDirectory, user } = localShellArguments(call);
  return {
    type: 'exec',
    command,
    env: env ?? {},
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(workingDirectory !== undefined && { working_directory: workingDirectory }),
    ...(user !== undefined && { user }),
  };
}

function encodeOperation({ type, path, diff }: PatchOperation): JsonObject {
  return type === 'delete' ? { type: 'delete_file', path } : { type: `${type}_file`, path, diff: diff ?? '' };
}

/** An output shows the display and nothing else, so that calls whose results have no picture are encoded as functions. */
function encodeComputer(call: FamilyCall, { near, batches, pictured, open }: WriteOptions): readonly RenderedCall[] {
  const { actions } = computerArguments(call);
  if (!pictured) {
    const why = 'its result shows no display; sent as a function call';
    return actions.map((action) => ({ ...rawAction(action), poorer: why }));
  }
  const said: RenderedCall[] = [];
  let group: { readonly actions: ComputerAction[]; readonly written: EncodedAction[] } | undefined;
  let pointer = near;
  const close = (isLast: boolean): void => {
    if (group !== undefined)
      said.push(...(isLast || open === true ? [nativeCall(group.written, batches)] : withoutPicture(group.actions)));
    group = undefined;
  };
  for (const action of actions) {
    const written = encodeAction(action, pointer);
    pointer = pointerAfter(action, pointer);
    if (written === undefined || !batches) close(false);
    if (written === undefined) {
      said.push(rawAction(action));
      continue;
    }
    group ??= { actions: [], written: [] };
    group.actions.push(action);
    group.written.push(written);
  }
  close(true);
  return said;
}

function nativeCall(written: readonly EncodedAction[], batches: boolean): RenderedCall {
  const list = written.map(({ action }) => action);
  const poorer = written.find((one) => one.poorer !== undefined)?.poorer;
  const args = batches ? { actions: list } : { action: list[0] };
  return { family: 'computer', name: COMPUTER, args, ...(poorer !== undefined && { poorer }) };
}

/** Of several calls that have one result, the last has its picture. */
function withoutPicture(actions: readonly ComputerAction[]): RenderedCall[] {
  return actions.map((action) => ({
    ...rawAction(action),
    poorer: 'the picture comes with the last action, the others are functions',
  }));
}

function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

const PREVIEW = keysOf(wire.computerPreviewTool);
const SHELL = keysOf(wire.shellTool);
const PLAIN = keysOf(wire.plainTool);

/** A declared built-in tool of the client [R §2.6]; undefined when its type is none. */
export function decodeClientTool(node: JsonObject, ptr: string, reader: Reader): ClientTool | undefined {
  switch (node.type) {
    case 'computer':
      return clientTool('computer', node.type, 'computer', origin(node, PLAIN, ptr));
    case 'computer_use_preview':
      return decodeComputerPreview(node, ptr, reader);
    case 'local_shell':
      return clientTool('localShell', node.type, 'local_shell', origin(node, PLAIN, ptr));
    case 'apply_patch':
      return clientTool('patch', node.type, 'apply_patch', origin(node, PLAIN, ptr));
    case 'shell': {
      const { environment } = check(wire.shellTool, node, ptr, reader);
      // In a container of the service nobody but the service runs it.
      if (environment && environment.type !== 'local') return undefined;
      const tool = clientTool('shell', node.type, 'shell', origin(node, SHELL, ptr));
      return keepDifferences(tool, node, encodeClientTool(tool));
    }
    default:
      return undefined;
  }
}

function clientTool(
  family: ClientTool['family'],
  type: string,
  name: string,
  from: ReturnType<typeof origin>,
): ClientTool {
  return { kind: 'client', family, dialect: DIALECT, type, name, ...from };
}

function decodeComputerPreview(node: JsonObject, ptr: string, reader: Reader): ClientTool {
  const tool = check(wire.computerPreviewTool, node, ptr, reader);
  return {
    ...clientTool('computer', 'computer_use_preview', 'computer', origin(node, PREVIEW, ptr)),
    display: { width: tool.display_width ?? undefined, height: tool.display_height ?? undefined },
    environment: tool.environment ?? undefined,
  };
}

/** A built-in tool of the client as declared. */
export function encodeClientTool(tool: ClientTool): JsonObject {
  const { type, display, environment } = tool;
  const fields: JsonObject = { type };
  if (display?.width !== undefined) fields.display_width = display.width;
  if (display?.height !== undefined) fields.display_height = display.height;
  if (environment !== undefined) fields.environment = environment;
  return complete(fields, tool);
}
