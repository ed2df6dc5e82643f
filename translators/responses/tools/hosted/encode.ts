import { reportHostedCall, reportHostedResult, untoldKeys } from '../../../adapt/index.js';
import { type PartHandler, remainder } from '../../../answer/writer.js';
import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { createPackedBuffer } from '../../../wire/packed-buffer.js';
import { announce, itemMembers, type OpenHosted, type Port } from '../../answer/items.js';
import { closeOpen, finishItem, holdState, type Output, portFor, settleState } from '../../answer/output.js';
import { encodeItem } from '../../content/items.js';
import { containerId, NATIVE } from '../../nodes.js';
import { codeExecItem } from './code-execution.js';
import type { ItemCodec } from './codec.js';
import { fileSearchItem } from './file-search.js';
import { imageGenItem } from './image-generation.js';
import { mcpItem } from './mcp.js';
import { urlFetchItem, webSearchItem } from './web-search.js';

/** Items of calls by their families; those that are undefined have none here. */
const ITEMS: Readonly<Record<HostedFamily, ItemCodec | undefined>> = {
  webSearch: webSearchItem,
  urlFetch: urlFetchItem,
  codeExec: codeExecItem,
  fileSearch: fileSearchItem,
  mcp: mcpItem,
  imageGen: imageGenItem,
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};

/** Opens a hosted call and announces it. `container` names where code runs when the backend does not say. */
function openHosted(port: Port, codec: ItemCodec, head: HostedCallPart, container: string): OpenHosted {
  const { piece, partialImage, running, completed } = codec;
  const members = itemMembers(port);
  let call = head;
  let result: HostedResultPart | undefined;
  let sealed: JsonObject | undefined;
  const written = createPackedBuffer();
  let pictures = 0;
  let called = false;

  const item = (status: string, fields: JsonObject): JsonObject => ({
    id: port.id,
    type: codec.type,
    status,
    ...fields,
  });
  const delta = (value: string): void => {
    if (partialImage !== undefined) {
      const picture = `"partial_image_index":${pictures},"partial_image_b64":${JSON.stringify(value)}`;
      port.frame?.(partialImage, `${members},${picture}`);
      pictures += 1;
    } else if (piece !== undefined && value !== '') {
      written.add(value);
      port.frame?.(`${piece.stem}.delta`, `${members},"delta":${JSON.stringify(value)}`);
    }
  };

  const finishCall = (): void => {
    if (called) return;
    called = true;
    if (piece !== undefined) {
      const text = written.read();
      const input = call.input[piece.key];
      const whole = typeof input === 'string' ? input : '';
      delta(remainder(whole, text));
      port.frame?.(`${piece.stem}.done`, `${members},"${piece.key}":${JSON.stringify(whole)}`);
    }
    if (running !== undefined) port.frame?.(running, members);
  };

  announce(port, item('in_progress', codec.head(head, container)));
  for (const event of codec.opening) port.frame?.(event, members);
  return {
    kind: 'hosted',
    codec,
    delta,
    endCall(part) {
      call = part;
      finishCall();
    },
    endResult(part) {
      result = part;
    },
    seal(native) {
      sealed = native;
    },
    snapshot: () =>
      item('in_progress', { ...codec.head(call, container), ...(piece && { [piece.key]: written.read() }) }),
    close(cut) {
      finishCall();
      const failed = result?.isError === true;
      if (result !== undefined) port.frame?.(failed ? (codec.failed ?? completed) : completed, members);
      if (sealed !== undefined) return { ...sealed, id: port.id };
      const status = result === undefined || cut ? codec.cut : failed ? 'failed' : 'completed';
      return item(status, codec.whole(call, result, container));
    },
  };
}

/** A hosted call, whose item stays open for its result. */
export const hostedCall: PartHandler<Output, HostedCallPart> = {
  begin(output, writing) {
    const { head } = writing;
    const codec = ITEMS[head.family];
    if (codec === undefined) {
      output.lostCalls.add(head.callId);
      output.losses.add(head, 'hosted.call', 'dropped', 'there is no item for it here');
      return;
    }
    settleState(output);
    closeOpen(output);
    output.open = openHosted(portFor(output, codec.type, head.id), codec, head, containerId(output.responseId));
    writing.opened = true;
  },
  delta(output, { opened }, { value }) {
    if (opened && output.open?.kind === 'hosted') output.open.delta(value);
  },
  end(output, { opened }, part) {
    const { open } = output;
    if (!opened || open?.kind !== 'hosted') {
      holdState(output, part.state);
      return;
    }
    open.endCall(part);
    output.asked = part;
    if (!output.own) reportCall(part, open.codec, output.losses);
    takeHostedState(output, open, part);
    // An item of this dialect that is not finished has no second half.
    if (output.own && part.state !== undefined) closeOpen(output);
  },
};

/** The result of a hosted call, which ends the item of the call. */
export const hostedResult: PartHandler<Output, HostedResultPart> = {
  end(output, { head }, part) {
    const { open, asked } = output;
    if (open?.kind !== 'hosted' || asked?.callId !== head.callId) {
      if (!output.lostCalls.has(head.callId))
        output.losses.add(part, 'hosted.output', 'dropped', 'its call is not in the answer');
      holdState(output, part.state);
      return;
    }
    open.endResult(part);
    if (!output.own) reportResult(part, asked, open.codec, output.losses);
    takeHostedState(output, open, part);
    closeOpen(output);
  },
};

function takeHostedState(output: Output, item: OpenHosted, part: HostedCallPart | HostedResultPart): void {
  holdState(output, part.state);
  const node = output.own ? encodeItem(part, NATIVE) : undefined;
  if (node !== undefined) item.seal(node);
}

/** Adds a picture as one that was made by a hosted call. */
export function addImage(output: Output, base64: string, mime: string | undefined): void {
  closeOpen(output);
  const port = portFor(output, imageGenItem.type);
  const call = { callId: port.id, family: 'imageGen' } as const;
  const item = openHosted(port, imageGenItem, { ...call, kind: 'hostedCall', input: {} }, '');
  item.endResult({ ...call, kind: 'hostedResult', output: { base64, mime } });
  finishItem(output, item.close(false));
}

/** Reports what the item of another service's hosted call hides or invents. */
function reportCall(call: HostedCallPart, item: ItemCodec, losses: Losses): void {
  const hidden = item.hiddenInput?.(call);
  reportHostedCall(call, hidden === undefined ? [] : [hidden], losses);
  const invented = item.inventedInput?.(call);
  if (invented !== undefined) losses.add(call, 'hosted.call', 'invented', invented);
}

/** Reports what the item of `call` hides of its result. */
function reportResult(result: HostedResultPart, call: HostedCallPart, item: ItemCodec, losses: Losses): void {
  const { output, errorCode } = result;
  const hidden = untoldKeys(result, item.shownKeys).filter(
    (key) => !(key === 'exitCode' && output.exitCode === 0) && !(key === 'status' && output.status === 'success'),
  );
  const further = item.hiddenOutput?.(result, call);
  if (further !== undefined) hidden.push(further);
  if (errorCode !== undefined) hidden.push('the reason of the failure');
  reportHostedResult(result, hidden, losses);
}
