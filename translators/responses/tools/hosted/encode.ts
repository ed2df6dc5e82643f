import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { createPieces } from '../../../wire/pieces.js';
import { announce, itemMembers, type OpenItem, type Port } from '../../stream/items.js';

/** A call that the backend runs itself; call and result are one item, closed at the result [R §5.3 `hosted`]. */
export interface OpenHosted extends OpenItem {
  readonly kind: 'hosted';
  readonly callId: string;
  /** A piece of code, of arguments, or a picture on its way. */
  delta(value: string): void;
  endCall(part: HostedCallPart): void;
  endResult(part: HostedResultPart): void;
  /** Native answers close with the node as it came. */
  seal(item: JsonObject): void;
}

/** How the items of one family speak. */
interface Manner {
  readonly type: string;
  /** Events sent when the item opens. */
  readonly opening: readonly string[];
  /** Events of deltas: their stem, the key of the whole in the last of them. */
  readonly piece?: { readonly stem: string; readonly key: string };
  /** Event sent when the call is whole. */
  readonly running?: string;
  readonly completed: string;
  readonly failed?: string;
  /** Status of an item that got no result: for some types the vendor's schema has no `incomplete`. */
  readonly cut: 'incomplete' | 'in_progress';
  /** The item at its start, without `id`, `type`, `status`. */
  head(call: HostedCallPart, container: string): JsonObject;
  /** The item when it is whole. */
  whole(call: HostedCallPart, result: HostedResultPart | undefined, container: string): JsonObject;
  /** What the deltas add up to. */
  text?(call: HostedCallPart): string;
}

const WEB_SEARCH: Manner = {
  type: 'web_search_call',
  opening: ['response.web_search_call.in_progress', 'response.web_search_call.searching'],
  completed: 'response.web_search_call.completed',
  cut: 'in_progress',
  head: () => ({}),
  whole: (call, result) => ({ action: actionOf(call.input, result?.output) }),
};

const MANNERS: Readonly<Record<HostedFamily, Manner | undefined>> = {
  webSearch: WEB_SEARCH,
  urlFetch: { ...WEB_SEARCH, whole: (call) => ({ action: { type: 'open_page', url: textOf(call.input.url) } }) },
  fileSearch: {
    type: 'file_search_call',
    opening: ['response.file_search_call.in_progress', 'response.file_search_call.searching'],
    completed: 'response.file_search_call.completed',
    cut: 'incomplete',
    head: () => ({ queries: [], results: null }),
    whole: (call, result) => ({ queries: listOf(call.input.queries), results: listOf(result?.output.results) }),
  },
  codeExec: {
    type: 'code_interpreter_call',
    opening: ['response.code_interpreter_call.in_progress'],
    piece: { stem: 'response.code_interpreter_call_code', key: 'code' },
    running: 'response.code_interpreter_call.interpreting',
    completed: 'response.code_interpreter_call.completed',
    cut: 'incomplete',
    head: (call, container) => ({ code: '', container_id: containerOf(call, container), outputs: null }),
    whole: (call, result, container) => ({
      code: textOf(call.input.code),
      container_id: containerOf(call, container),
      outputs: result === undefined ? null : outputsOf(result.output),
    }),
    text: (call) => textOf(call.input.code),
  },
  mcp: {
    type: 'mcp_call',
    opening: ['response.mcp_call.in_progress'],
    piece: { stem: 'response.mcp_call_arguments', key: 'arguments' },
    completed: 'response.mcp_call.completed',
    failed: 'response.mcp_call.failed',
    cut: 'incomplete',
    head: (call) => ({ ...mcpNames(call), arguments: '', output: null, error: null, approval_request_id: null }),
    whole: (call, result) => ({
      ...mcpNames(call),
      arguments: textOf(call.input.arguments),
      output: result === undefined || result.isError === true ? null : textOf(result.output.text),
      error:
        result?.isError === true ? { type: 'mcp_tool_execution_error', content: textOf(result.output.text) } : null,
      approval_request_id: null,
    }),
    text: (call) => textOf(call.input.arguments),
  },
  imageGen: {
    type: 'image_generation_call',
    opening: ['response.image_generation_call.in_progress', 'response.image_generation_call.generating'],
    completed: 'response.image_generation_call.completed',
    cut: 'in_progress',
    head: () => ({}),
    whole: (call, result) => imageOf(call, result),
  },
  toolSearch: undefined,
  maps: undefined,
  advisor: undefined,
  other: undefined,
};

/** Whether this dialect has an item for a family. */
export function isShown(family: HostedCallPart['family']): boolean {
  return MANNERS[family] !== undefined;
}

/** The item type of a family's calls. */
export function hostedType(family: HostedCallPart['family']): string {
  return MANNERS[family]?.type ?? family;
}

/** Opens a hosted call and announces it. `container` names where code runs when the backend does not say. */
export function openHosted(port: Port, head: HostedCallPart, container: string): OpenHosted {
  const manner = MANNERS[head.family] ?? WEB_SEARCH;
  const members = itemMembers(port);
  let call = head;
  let result: HostedResultPart | undefined;
  let sealed: JsonObject | undefined;
  const spoken = createPieces();
  let pictures = 0;
  let called = false;

  const item = (status: string, fields: JsonObject): JsonObject => ({
    id: port.id,
    type: manner.type,
    status,
    ...fields,
  });
  const delta = (value: string): void => {
    if (head.family === 'imageGen') {
      const picture = `"partial_image_index":${pictures},"partial_image_b64":${JSON.stringify(value)}`;
      port.frame?.('response.image_generation_call.partial_image', `${members},${picture}`);
      pictures += 1;
    } else if (manner.piece !== undefined && value !== '') {
      spoken.add(value);
      port.frame?.(`${manner.piece.stem}.delta`, `${members},"delta":${JSON.stringify(value)}`);
    }
  };

  const finishCall = (): void => {
    if (called) return;
    called = true;
    if (manner.piece !== undefined) {
      const text = spoken.read();
      const whole = manner.text?.(call) ?? text;
      if (whole.startsWith(text)) delta(whole.slice(text.length));
      port.frame?.(`${manner.piece.stem}.done`, `${members},"${manner.piece.key}":${JSON.stringify(whole)}`);
    }
    if (manner.running !== undefined) port.frame?.(manner.running, members);
  };

  announce(port, item('in_progress', manner.head(head, container)));
  for (const event of manner.opening) port.frame?.(event, members);
  return {
    kind: 'hosted',
    callId: head.callId,
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
      item('in_progress', {
        ...manner.head(call, container),
        ...(manner.piece && { [manner.piece.key]: spoken.read() }),
      }),
    close(cut) {
      finishCall();
      const failed = result?.isError === true;
      if (result !== undefined) port.frame?.(failed ? (manner.failed ?? manner.completed) : manner.completed, members);
      if (sealed !== undefined) return { ...sealed, id: port.id };
      const status = result === undefined || cut ? manner.cut : failed ? 'failed' : 'completed';
      return item(status, manner.whole(call, result, container));
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function actionOf(input: JsonObject, output: JsonObject | undefined): JsonObject {
  if (input.action === 'openPage') return { type: 'open_page', url: textOf(input.url) };
  if (input.action === 'findInPage')
    return { type: 'find_in_page', url: textOf(input.url), pattern: textOf(input.pattern) };
  const listed = listOf(input.queries).filter((query) => typeof query === 'string');
  const query = typeof input.query === 'string' ? input.query : textOf(listed[0]);
  const sources = listOf(output?.sources).flatMap((source) => {
    const url: unknown = Reflect.get(Object(source), 'url');
    return typeof url === 'string' ? [{ type: 'url', url }] : [];
  });
  return { type: 'search', query, queries: listed.length > 0 ? listed : [query], sources };
}

function containerOf(call: HostedCallPart, container: string): string {
  return typeof call.input.containerId === 'string' ? call.input.containerId : container;
}

function outputsOf(output: JsonObject): JsonObject[] {
  const logs = [textOf(output.stdout), textOf(output.stderr)].filter((text) => text !== '').join('\n');
  return [{ type: 'logs', logs }];
}

function mcpNames(call: HostedCallPart): JsonObject {
  return { server_label: textOf(call.input.server), name: textOf(call.input.name) };
}

function imageOf(call: HostedCallPart, result: HostedResultPart | undefined): JsonObject {
  const { base64, mime, revisedPrompt } = result?.output ?? {};
  const prompt = revisedPrompt ?? call.input.prompt;
  return {
    result: typeof base64 === 'string' ? base64 : null,
    output_format: textOf(mime).replace(/^image\//, '') || 'png',
    ...(typeof prompt === 'string' && { revised_prompt: prompt }),
  };
}
