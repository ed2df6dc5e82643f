import type { JsonObject } from '../canonical/node.js';
import type { Dialect, FitHostContext, HostRestorer } from '../dialect.js';
import { type DialectId, dialects } from '../dialects.js';
import { createFrameCutter } from '../wire/frame-cutter.js';
import { isObject, parseJson } from '../wire/json.js';
import { printChanges } from '../wire/json-changes.js';
import type { Changed } from '../wire/shared-copies.js';

/** A request body: its value, and the text it was read from. */
export interface RelayedBody {
  readonly text: string;
  readonly value: unknown;
}

/** A relayed body as its host takes it. */
export interface FittedRelay extends RelayedBody {
  /** The path in the body as it came of a path in this one. */
  pathOf(path: string): string;
  /** Gives the answer back what the body lost; undefined where answers pass as they come. */
  readonly restore?: HostRestorer;
}

/**
 * A body for a host that speaks the dialect in part (hosts.md#presets): only what the host lacks is written anew, every other
 * byte stays, and one of which it lacks nothing is the same text. Throws `unsupported` for media that the host does not take.
 */
export function fitRelayed(id: DialectId, body: RelayedBody, context: FitHostContext): FittedRelay {
  const dialect: Dialect = dialects[id];
  const same: FittedRelay = { ...body, pathOf: (path) => path };
  if (context.unsupported.size === 0 || dialect.fitHost === undefined || !isObject(body.value)) return same;
  const fitted = dialect.fitHost(body.value, context);
  const { pathOf, restore } = fitted;
  if (fitted.body === body.value) return restore === undefined ? same : { ...same, restore };
  const text = printChanges(body.text, body.value, fitted.body);
  return { text, value: fitted.body, pathOf, ...(restore !== undefined && { restore }) };
}

/** The text of a whole answer as the service of the dialect would have given it; only what is restored is written anew. */
export function restoreAnswer(text: string, restore: HostRestorer, depth?: number): string {
  const parsed = parseJson(text, depth);
  if (!parsed.ok || !isObject(parsed.value)) return text;
  return printChanges(text, parsed.value, restore.answer(parsed.value));
}

/** Restores the events of one stream of server-sent events. Every other byte passes as it came. */
export interface StreamRestorer {
  /** What may leave: whole events only. */
  push(piece: string | Uint8Array): string;
  /** What is left without a blank line, as it came. */
  end(): string;
}

export function createStreamRestorer(restore: HostRestorer, depth?: number): StreamRestorer {
  const cutter = createFrameCutter();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const restoreEvent = restore.stream?.() ?? ((event: JsonObject) => event);
  const whole = (text: string): string =>
    cutter
      .push(text)
      .map((frame) => restoreFrame(frame, restoreEvent, depth))
      .join('');
  return {
    push: (piece) => whole(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })),
    end() {
      const last = whole(decoder.decode());
      // The last event may lack its blank line.
      return last + restoreFrame(cutter.rest, restoreEvent, depth);
    },
  };
}

/** Lines end at LF, CRLF or CR and nowhere else: JSON may hold U+2028. */
const DATA = /(?<=^|[\r\n])data: ?([^\r\n]*)/g;
const NAME = /(?<=^|[\r\n])event: ?([^\r\n]*)/;

function restoreFrame(frame: string, restoreEvent: (event: JsonObject) => Changed, depth: number | undefined): string {
  const [line, ...more] = frame.matchAll(DATA);
  const json = line?.[1];
  if (line === undefined || json === undefined || more.length > 0) return frame;
  const parsed = parseJson(json, depth);
  if (!parsed.ok || !isObject(parsed.value)) return frame;
  const before: JsonObject = parsed.value;
  const restored = restoreEvent(before);
  if (restored === before) return frame;
  const start = line.index + line[0].length - json.length;
  return [restored]
    .flat()
    .map((after) => {
      const printed = frame.slice(0, start) + printChanges(json, before, after) + frame.slice(start + json.length);
      const { type } = after;
      if (type === before.type || typeof type !== 'string') return printed;
      return printed.replace(NAME, () => `event: ${type}`);
    })
    .join('');
}
