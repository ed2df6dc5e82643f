import { setImmediate as breathe } from 'node:timers/promises';
import type { RecordConfig } from '../../config/index.js';
import { gatewayDialect } from '../../dialects/index.js';
import { errorCode, type Logger, MB, type Redact } from '../../ground/index.js';
import { type ClientCall, type Content, redactorFor } from '../../http/index.js';
import { createRecordFile, type RecordFile } from './file.js';
import { type Exchanged, lineOf } from './line.js';

/** Why an exchange is not in the record: too much was waiting, it is too large, or the disk took none. */
export type UnrecordedReason = 'queue' | 'size' | 'disk';

/** Keeps exchanges for `interlingua migrate` (migration.md#recording-traffic). It is never in the way of one. */
export interface Recorder {
  /** Goes on as this configuration says. */
  use(config: RecordConfig): void;
  /** How many bytes of either direction are to be remembered; 0 = nothing is recorded. */
  readonly bytes: number;
  /** Takes what was said in an exchange that is over. `hide` takes secrets out of texts. */
  add(call: ClientCall, content: Content, hide: Redact): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

/** The most bytes of one direction of an exchange, and of all that wait to be written. */
const BYTES = 8 * MB;
const WAITING = 64 * MB;

/** How long, in ms, a close waits for what is to be written. */
const CLOSE_MS = 2000;

/** A recorder that records nothing yet. `unrecorded` hears of what is left out. */
export function createRecorder(logger: Logger, unrecorded: (reason: UnrecordedReason) => void): Recorder {
  let config: RecordConfig = { content: true, maxMb: 1 };
  let file: RecordFile | undefined;
  let waiting: Exchanged[] = [];
  let held = 0;
  let writing: Promise<void> | undefined;
  let failed = false;

  const write = async (exchanged: Exchanged): Promise<void> => {
    const line = lineOf(exchanged);
    if (line === undefined || file === undefined) return;
    try {
      await file.append(line);
      if (failed) logger.info('exchanges are recorded again');
      failed = false;
    } catch (error) {
      unrecorded('disk');
      if (!failed) logger.error({ reason: errorCode(error) ?? 'unknown' }, 'exchanges cannot be recorded');
      failed = true;
    }
  };
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // Between two of them others get their turn.
      await breathe();
      await write(next);
      held -= sizeOf(next);
    }
    writing = undefined;
  };

  return {
    use(next) {
      if (next.path !== config.path || next.maxMb !== config.maxMb) {
        const before = file;
        const end = writing ?? Promise.resolve();
        end.then(() => before?.close()).catch(() => {});
        file = next.path === undefined ? undefined : createRecordFile(next.path, next.maxMb * MB);
      }
      config = next;
    },
    get bytes() {
      return config.path === undefined ? 0 : BYTES;
    },
    add(call, { request, answer, type }, hide) {
      if (config.path === undefined || request.bytes === 0) return;
      const { facts } = call.record;
      if (facts?.explained === true || call.gone || facts?.model === undefined) return;
      if (request.bytes > request.kept || answer.bytes > answer.kept) return unrecorded('size');
      if (held + request.kept + answer.kept > WAITING) return unrecorded('queue');
      const exchanged: Exchanged = {
        dialect: call.dialect,
        ...(!gatewayDialect(call.dialect).asksInBody && { model: facts.model }),
        status: call.response.statusCode,
        cost: facts.cost,
        request: Buffer.concat(request.chunks),
        answer: Buffer.concat(answer.chunks),
        answerType: type,
        redact: redactorFor(call, hide, '***'),
        content: config.content,
      };
      waiting.push(exchanged);
      held += sizeOf(exchanged);
      writing ??= work();
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([writing, late]);
      waiting = [];
      await file?.close().catch(() => {});
    },
  };
}

function sizeOf({ request, answer }: Exchanged): number {
  return request.length + answer.length;
}
