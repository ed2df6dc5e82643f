import type { MessagePort } from 'node:worker_threads';
import { pino } from 'pino';
import type { LogLevel as Level } from '../config/index.js';
import type { Logger } from '../ground/index.js';
import type { VideoKey } from '../media/index.js';
import { describeError } from '../observe/index.js';
import { type AreaTexts, createArea, type Storage, toAdapter } from '../store/index.js';
import {
  type AreaName,
  type FromThreadItself,
  isLogLevel,
  type LogLevel,
  type Question,
  type ToThreadItself,
} from './messages.js';
import { type PackedFailure, unpackFailure } from './packed-failure.js';

/** What a thread has of the process: its storages, its log, its key. */
export interface Link {
  readonly storage: Storage;
  readonly files: Storage;
  readonly videoKey: VideoKey;
  readonly logger: Logger;
  hear(message: ToThreadItself): void;
}

interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A link over the port of a thread. Values are read and written here: texts alone cross. */
export function createLink(port: MessagePort, level: Level): Link {
  const waiting = new Map<number, Waiter>();
  let asked = 0;
  const post = (message: FromThreadItself): void => port.postMessage(message);
  const ask = (question: Question): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      post({ kind: 'question', id: asked, question });
    });
  const storageIn = (place: AreaName['in']): Storage => {
    const texts = (name: string): AreaTexts => textsOf(ask, { in: place, name });
    return {
      texts,
      area(name, limits) {
        const kept = { ...texts(name), clear: neverCleared };
        return createArea(name, toAdapter(kept), kept.setMany, limits);
      },
      close: async () => {},
    };
  };
  return {
    storage: storageIn('storage'),
    files: storageIn('files'),
    videoKey: async () => Buffer.from((await ask({ ask: 'videoKey' })) as Uint8Array),
    logger: createLogger(level, (lineLevel, words) => post({ kind: 'log', level: lineLevel, words })),
    hear(message) {
      if (message.kind !== 'answer') return;
      const waiter = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.failed === undefined) waiter?.resolve(message.value);
      else waiter?.reject(causeOf(message.failed));
    },
  };
}

function textsOf(ask: (question: Question) => Promise<unknown>, area: AreaName): AreaTexts {
  return {
    getMany: async (keys) => (await ask({ ask: 'get', area, keys })) as readonly (string | undefined)[],
    setMany: async (texts) => void (await ask({ ask: 'set', area, texts })),
    deleteMany: async (keys) => void (await ask({ ask: 'delete', area, keys })),
  };
}

function neverCleared(): Promise<void> {
  return Promise.reject(new Error('areas are not cleared'));
}

/** Why the process could not do it, rather than what a client would see. */
function causeOf(failed: PackedFailure): Error {
  const failure = unpackFailure(failed);
  return failure.cause instanceof Error ? failure.cause : failure;
}

/** Lines are written by the process; errors cross as what a line shows of them. */
function createLogger(level: Level, report: (level: LogLevel, words: readonly unknown[]) => void): Logger {
  return pino({
    level,
    hooks: {
      logMethod(words, _method, number) {
        const label = pino.levels.labels[number] ?? '';
        const [facts, ...rest]: unknown[] = words;
        const shown =
          typeof facts === 'object' && facts !== null && 'err' in facts
            ? { ...facts, err: describeError(facts.err) }
            : facts;
        if (isLogLevel(label)) report(label, [shown, ...rest]);
      },
    },
  });
}
