import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { announce, type Port } from './open-item.js';

/**
 * Announces a call of a built-in client tool and writes what streams of it [R §5.3 `shell`, `apply_patch`, `opaque`]; the
 * item as it will stay. The events of a patch's diff are left out, because helpers throw on them.
 */
export function writeFamilyCall(port: Port, whole: JsonObject): JsonObject {
  const item: JsonObject = { ...whole, id: port.id };
  announce(port, { ...item, ...headOf(item), status: 'in_progress' });
  commandsOf(item).forEach((command, place) => {
    writeCommand(port, command, place);
  });
  return item;
}

/** What of an item is empty when it is announced [R §5.4]. */
function headOf(item: JsonObject): JsonObject {
  const { action, operation } = item;
  if (item.type === 'shell_call' && isObject(action)) return { action: { ...action, commands: [] } };
  if (item.type === 'apply_patch_call' && isObject(operation) && 'diff' in operation) {
    return { operation: { ...operation, diff: '' } };
  }
  return {};
}

function commandsOf({ type, action }: JsonObject): readonly string[] {
  const commands: unknown = type === 'shell_call' && isObject(action) ? action.commands : undefined;
  return Array.isArray(commands) ? commands.filter((command) => typeof command === 'string') : [];
}

function writeCommand({ index, frame }: Port, command: string, place: number): void {
  const members = `"output_index":${index},"command_index":${place}`;
  const text = JSON.stringify(command);
  frame?.('response.shell_call_command.added', `${members},"command":""`);
  frame?.('response.shell_call_command.delta', `${members},"delta":${text}`);
  frame?.('response.shell_call_command.done', `${members},"command":${text}`);
}
