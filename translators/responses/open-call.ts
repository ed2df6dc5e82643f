import type { CallPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import { createWritten, type Written, wholly } from '../wire/written.js';
import { argumentsText, encodeCall } from './calls.js';
import { NATIVE, type Printer } from './nodes.js';
import { announce, itemMembers, type OpenItem, type Port } from './open-item.js';

/** A call of a client's tool that is being written [R §5.3 `fcall`, `custom`]. */
export interface OpenCall extends OpenItem {
  readonly kind: 'call';
  delta(value: string): void;
  end(part: CallPart): void;
}

/** Opens a call and announces it, with nothing in its arguments: helpers add the deltas up from there. */
export function openCall(port: Port, head: CallPart, printer: Printer): OpenCall {
  const custom = head.freeform !== undefined;
  const event = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const members = itemMembers(port);
  const deltaMembers = `${members},"delta":`;
  let text: Written = createWritten();
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
    port.frame?.(`${event}.delta`, deltaMembers + JSON.stringify(value));
  };

  announce(port, item('in_progress'));
  return {
    kind: 'call',
    delta,
    end(part) {
      const whole = custom ? (part.freeform ?? '') : wholeArguments(part);
      const written = text.read();
      if (whole.startsWith(written)) delta(whole.slice(written.length));
      text = wholly(whole);
      ended = part;
    },
    snapshot: () => item('in_progress'),
    close(cut) {
      const incomplete = cut || ended === undefined || ended.truncated === true;
      if (text.length === 0 && !custom && !incomplete) text = wholly('{}');
      const whole = text.read();
      const done = custom
        ? `"input":${JSON.stringify(whole)}`
        : `"name":${JSON.stringify(head.name)},"arguments":${JSON.stringify(whole)}`;
      port.frame?.(`${event}.done`, `${members},${done}`);
      if (printer.native && ended !== undefined && !cut) return { ...encodeCall(ended, NATIVE), id: port.id };
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
