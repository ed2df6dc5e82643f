import type { Services } from '../gateway/index.js';
import type { LoggedError } from '../observe/index.js';
import type { FromThreadItself, Question } from './messages.js';
import { packFailure } from './packed-failure.js';
import type { Answerer } from './pool.js';

type Parts = Pick<Services, 'storage' | 'files' | 'videoKey' | 'logger'>;

/** Answers threads: what is stored, the key of videos, and lines for the log. */
export function createAnswerer(parts: Parts): Answerer {
  return (message, reply) => {
    if (message.kind === 'log') {
      writeLine(parts, message);
      return;
    }
    const { id, question } = message;
    answerTo(parts, question).then(
      (value) => reply({ kind: 'answer', id, value }),
      (thrown: unknown) => reply({ kind: 'answer', id, failed: packFailure(thrown) }),
    );
  };
}

async function answerTo({ storage, files, videoKey }: Parts, question: Question): Promise<unknown> {
  if (question.ask === 'videoKey') return videoKey();
  const { area } = question;
  const place = area.in === 'files' ? files : storage;
  const texts = place?.texts(area.name);
  if (texts === undefined) throw new Error(`nothing is stored in ${area.name}`);
  if (question.ask === 'get') return texts.getMany(question.keys);
  return question.ask === 'set' ? texts.setMany(question.texts) : texts.deleteMany(question.keys);
}

function writeLine({ logger }: Parts, { level, words }: Extract<FromThreadItself, { kind: 'log' }>): void {
  const [facts, text] = words;
  const line = typeof facts === 'object' && facts !== null ? { ...facts } : {};
  const err = 'err' in line ? { err: errorOf(line.err as LoggedError) } : undefined;
  logger[level]({ ...line, ...err }, typeof text === 'string' ? text : String(facts));
}

/** What a line shows of an error, as the error that it is shown of. */
function errorOf({ type, code, message, stack, cause }: LoggedError): Error {
  const error = new Error(message, cause && { cause: errorOf(cause) });
  return Object.assign(error, { name: type, stack }, code !== undefined && { code });
}
