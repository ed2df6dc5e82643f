import { type Edit, type JsonObject, storedResponses } from '../../translators/index.js';
import type { Archive, Exchanged } from '../archive/index.js';
import { errorMessage, Failure, type Logger } from '../ground/index.js';
import { EntryTooLarge } from '../store/index.js';
import type { KeptStream } from './kept-stream.js';

/** Saves one answer before its client receives the end of it. */
export interface AnswerSaver {
  /** The backend keeps the answer itself, and its stream. */
  readonly relays: boolean;
  /** The client can find the answer although it is not kept here. */
  readonly vouched: boolean;
  /** Whether the client wants the answer kept. */
  readonly keeps: boolean;
  /** What the backend cannot know of the answer, where it is of the client's own dialect. */
  readonly shown: Readonly<Record<string, Exclude<Edit, 'remove'>>> | undefined;
  /**
   * Keeps a finished answer and says whether it is kept. `response` is what the client gets, `printed` the same where that was done,
   * `stream` its stream, where it was streamed; with both the last frame of the stream shows it, and `response` may lack what it tells of its
   * request. Never rejects: what cannot be kept is delivered all the same.
   */
  keep(response: JsonObject, printed?: string | Uint8Array, stream?: KeptStream): Promise<boolean>;
}

/** Where an answer is saved, and what is saved with it. */
export interface AnswerSaverOptions {
  /** undefined when the answer is not to be kept. */
  readonly archive: Archive | undefined;
  readonly tenant: string;
  readonly logger: Logger;
  /** What is kept with the answer, of this id, of the conversation before it and of its input; asked for when the answer is there. */
  exchanged(answer: string): Pick<Exchanged, 'before' | 'input' | 'fresh'>;
  /** The backend that keeps the answer itself. */
  readonly owner: string | undefined;
  /** The state domain of a backend of the client's own dialect. */
  readonly domain: string | undefined;
  readonly vouched: boolean;
  readonly shown: AnswerSaver['shown'];
}

const FINISHED = new Set<unknown>(['completed', 'incomplete']);

/** A saver for the answer of one exchange. */
export function createAnswerSaver(options: AnswerSaverOptions): AnswerSaver {
  const { archive, tenant, logger, exchanged, owner, domain, vouched, shown } = options;
  return {
    relays: owner !== undefined,
    keeps: archive !== undefined,
    vouched,
    shown,
    async keep(response, printed, stream) {
      const { id, status } = response;
      // An answer that its backend goes on with belongs to somebody too; our copy would not be whole.
      const finished = FINISHED.has(status);
      if (archive === undefined || !storedResponses.isId(id) || (!finished && owner === undefined)) return false;
      try {
        const pieces = stream === undefined || owner !== undefined ? [] : await stream.pieces();
        const inStream = printed !== undefined && stream !== undefined;
        const whole = { id, response, printed, inStream, kept: 0, pieces, ...exchanged(id), owner, domain };
        // Whose it is, and nothing of what it says.
        const bare = { id, response: {}, kept: 0, pieces: [], before: undefined, input: [], owner, domain };
        const keeping = archive.keep(tenant, finished ? whole : bare);
        return told(owner === undefined ? keeping : keptBarely(keeping, archive, tenant, bare), logger);
      } catch (error) {
        return notKept(logger, error);
      }
    },
  };
}

/** Whether an answer is kept, once that is known. Apart from what keeps it, so that nothing of the answer waits for that. */
function told(keeping: Promise<void>, logger: Logger): Promise<boolean> {
  return keeping.then(
    () => true,
    (error: unknown) => notKept(logger, error),
  );
}

/** Keeps whose an answer is where the whole is too large. */
function keptBarely(keeping: Promise<void>, archive: Archive, tenant: string, bare: Exchanged): Promise<void> {
  return keeping.catch((error: unknown) => {
    if (!(error instanceof EntryTooLarge)) throw error;
    return archive.keep(tenant, bare);
  });
}

function notKept(logger: Logger, error: unknown): false {
  logger.warn({ reason: reasonOf(error) }, 'an answer could not be stored');
  return false;
}

/** What the store says, rather than what a client would see. */
function reasonOf(error: unknown): string {
  return errorMessage(error instanceof Failure && error.cause !== undefined ? error.cause : error);
}
