import { mintAnswerCallId } from '../../adapt/index.js';
import { type PartHandler, remainder } from '../../answer/writer.js';
import type { CallPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { type AppendedText, completeText } from '../../wire/appended-text.js';
import { escapeText, inOne, isObject } from '../../wire/json.js';
import { encodeItem } from '../content/items.js';
import { NATIVE, type Printer } from '../nodes.js';
import { argumentsText } from '../tools/calls.js';
import { encodeFamilyCall } from '../tools/client-items.js';
import { announce, deltaHead, itemMembers, type OpenCall, type Port } from './items.js';
import { closeOpen, finishItem, holdState, type Output, portFor, settleState } from './output.js';

/** Opens a call and announces it, with nothing in its arguments: helpers add the deltas up from there. */
function openCall(port: Port, head: CallPart, printer: Printer, words: AppendedText): OpenCall {
  const custom = head.freeform !== undefined;
  const event = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const members = itemMembers(port);
  const deltaEvent = inOne(event, '.delta');
  const before = deltaHead(members);
  let text = words;
  let ended: CallPart | undefined;

  const item = (status: string): JsonObject => ({
    id: port.id,
    type: custom ? 'custom_tool_call' : 'function_call',
    status,
    call_id: head.callId,
    name: head.name,
    ...(head.namespace !== undefined && { namespace: head.namespace }),
    [custom ? 'input' : 'arguments']: text.read(),
  });

  const delta = (value: string): void => {
    if (value === '') return;
    text.add(value);
    port.frame?.(deltaEvent, `${before}${escapeText(value)}"`);
  };

  announce(port, item('in_progress'));
  return {
    kind: 'call',
    delta,
    end(part) {
      const whole = custom ? (part.freeform ?? '') : wholeArguments(part);
      delta(remainder(whole, text.read()));
      text = completeText(whole);
      ended = part;
    },
    snapshot: () => item('in_progress'),
    close(cut) {
      const incomplete = cut || ended === undefined || ended.truncated === true;
      if (text.length === 0 && !custom && !incomplete) text = completeText('{}');
      const whole = text.read();
      const done = custom
        ? `"input":${JSON.stringify(whole)}`
        : `"name":${JSON.stringify(head.name)},"arguments":${JSON.stringify(whole)}`;
      port.frame?.(`${event}.done`, `${members},${done}`);
      if (printer.native && ended !== undefined && !cut) return { ...encodeItem(ended, NATIVE), id: port.id };
      return item(incomplete ? 'incomplete' : 'completed');
    },
  };
}

/** A cut call keeps the fragment that came, which may be nothing. */
function wholeArguments(part: CallPart): string {
  if (part.truncated === true && part.args.text === undefined && Object.keys(part.args.value ?? {}).length === 0)
    return '';
  return argumentsText(part.args);
}

/**
 * Announces a call of a built-in client tool and writes what streams of it [R §5.3 `shell`, `apply_patch`, `opaque`]; the
 * item as it will stay. The events of a patch's diff are left out, because helpers throw on them.
 */
function encodeOpenFamilyCall(port: Port, whole: JsonObject): JsonObject {
  const item: JsonObject = { ...whole, id: port.id };
  announce(port, { ...item, ...headOf(item), status: 'in_progress' });
  commandsOf(item).forEach((command, place) => {
    encodeCommand(port, command, place);
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

function encodeCommand({ index, frame }: Port, command: string, place: number): void {
  const members = `"output_index":${index},"command_index":${place}`;
  const text = JSON.stringify(command);
  frame?.('response.shell_call_command.added', `${members},"command":""`);
  frame?.('response.shell_call_command.delta', `${members},"delta":${text}`);
  frame?.('response.shell_call_command.done', `${members},"command":${text}`);
}

/** A call is an item that opens with it; one of a built-in tool of the client comes whole. */
export const call: PartHandler<Output, CallPart> = {
  begin(output, writing) {
    const { ix, head, written } = writing;
    if (head.family !== undefined) return;
    settleState(output, head.state);
    closeOpen(output);
    const type = head.freeform === undefined ? 'function_call' : 'custom_tool_call';
    const port = portFor(output, type, head.id);
    output.open = openCall(port, withCallId(output, ix, head), output.printer, written);
    writing.opened = true;
  },
  state(output, { head, opened }, entries) {
    if (opened && (head.state?.length ?? 0) === 0) holdState(output, entries);
  },
  delta(output, { opened }, { value }) {
    if (opened && output.open?.kind === 'call') output.open.delta(value);
  },
  end(output, { ix, opened }, part) {
    if (opened) {
      if (output.open?.kind === 'call') output.open.end(part);
      closeOpen(output);
      return;
    }
    settleState(output, part.state);
    closeOpen(output);
    const item = encodeFamilyCall(withCallId(output, ix, part));
    if (item !== undefined) finishItem(output, encodeOpenFamilyCall(portFor(output, String(item.type)), item));
  },
};

function withCallId(output: Output, ix: number, part: CallPart): CallPart {
  if (part.callId !== '' || output.own) return part;
  return { ...part, callId: mintAnswerCallId(output.responseId, ix, part.name) };
}
