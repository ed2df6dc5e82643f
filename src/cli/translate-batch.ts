import { once } from 'node:events';
import { createWriteStream, statSync, type WriteStream } from 'node:fs';
import { explainLoss, type JsonObject } from '../../translators/index.js';
import { errorCode } from '../ground/index.js';
import {
  type BatchJob,
  createBatchTranslator,
  entriesOf,
  isOneBody,
  modelIn,
  oneLine,
  SourceError,
  sourceOf,
  type TranslatedLine,
} from '../migrate/index.js';
import { complain, EXIT, UsageError, write } from './command.js';

/** So many names of models are told. */
const MODELS = 10;

/**
 * Translates a batch file line by line to standard output, as fast as that is read. Losses and errors go to standard error, or to a
 * file. Gives the exit code: 1 where a line could not go, 3 where strict refused one.
 */
export async function translateBatch(file: string, job: BatchJob, reportFile: string | undefined): Promise<number> {
  const source = sourceOrMistake(file);
  const report = reportFile === undefined ? complaints() : await reportTo(reportFile, file);
  const translate = createBatchTranslator(job);
  const out = printer(job);
  const models = new Set<string>();
  const count = { lines: 0, translated: 0, failed: 0, refused: 0, losses: 0 };
  for await (const portion of entriesOf(source, { read() {}, signal: undefined })) {
    for (const entry of portion) {
      const done = translate(entry);
      count.lines += 1;
      count.losses += done.losses.length;
      if (done.output === undefined) count[done.refused ? 'refused' : 'failed'] += 1;
      else {
        count.translated += 1;
        const model = modelIn(done.output);
        if (model !== undefined && models.size <= MODELS) models.add(model);
        await out.line(done.output, done.kind);
      }
      await report.line(done);
      if (process.stdout.destroyed) return EXIT.failed;
    }
  }
  await out.end();
  await report.end();
  complain(summaryOf(count));
  if (models.size > 0)
    complain(
      `interlingua translate: a batch of Gemini is created for one model; these requests name ${namesOf(models)}`,
    );
  return count.failed > 0 ? EXIT.failed : count.refused > 0 ? EXIT.refused : count.lines === 0 ? EXIT.invalid : 0;
}

function sourceOrMistake(file: string): ReturnType<typeof sourceOf> {
  try {
    return sourceOf(file);
  } catch (error) {
    throw error instanceof SourceError ? new UsageError(error.message) : error;
  }
}

function namesOf(models: ReadonlySet<string>): string {
  return `${oneLine([...models].slice(0, MODELS).join(', '))}${models.size > MODELS ? ' and others' : ''}`;
}

function summaryOf({ lines, translated, failed, refused, losses }: Readonly<Record<string, number>>): string {
  const parts = [
    `${lines} ${lines === 1 ? 'line' : 'lines'}`,
    `${translated} translated`,
    ...(refused === 0 ? [] : [`${refused} refused by strict`]),
    ...(failed === 0 ? [] : [`${failed} that cannot go`]),
    `${losses} ${losses === 1 ? 'loss' : 'losses'}`,
  ];
  return `interlingua translate: ${parts.join(', ')}`;
}

/** Lines of JSON, or the one body that a batch of Anthropic's is created with, a request on each line. */
function printer({ to }: BatchJob) {
  let begun = false;
  let inBody = false;
  return {
    async line(output: JsonObject, kind: TranslatedLine['kind']): Promise<void> {
      inBody = kind === 'request' && isOneBody(to);
      const before = !inBody ? '' : begun ? ',\n' : '{"requests":[\n';
      begun = true;
      await write(`${before}${JSON.stringify(output)}${inBody ? '' : '\n'}`);
    },
    async end(): Promise<void> {
      if (inBody) await write('\n]}\n');
    },
  };
}

interface Report {
  line(done: TranslatedLine): Promise<void>;
  end(): Promise<void>;
}

function complaints(): Report {
  return {
    async line({ line, id, losses, problem }) {
      const where = `line ${line}${id === undefined ? '' : ` (${oneLine(id)})`}`;
      for (const loss of losses) complain(`${where}: ${explainLoss(loss)}`);
      if (problem !== undefined) complain(`${where}: ${oneLine(problem)}`);
    },
    async end() {},
  };
}

async function reportTo(file: string, batch: string): Promise<Report> {
  if (isSameFile(file, batch))
    throw new UsageError(`--report would write over ${batch}, which is read: name another file`);
  const stream: WriteStream = createWriteStream(file);
  await once(stream, 'open').catch((error: unknown) => {
    throw new UsageError(`cannot write to ${file} (${errorCode(error) ?? 'unknown reason'})`);
  });
  return {
    async line({ line, id, losses, problem, output }) {
      if (losses.length === 0 && problem === undefined) return;
      const row = { line, id, translated: output !== undefined, losses, ...(problem !== undefined && { problem }) };
      if (!stream.write(`${JSON.stringify(row)}\n`)) await once(stream, 'drain');
    },
    async end() {
      stream.end();
      await once(stream, 'close');
    },
  };
}

/** Whether two paths lead to one file that is there. */
function isSameFile(first: string, second: string): boolean {
  const [one, other] = [first, second].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one?.isFile() === true && one.ino === other?.ino && one.dev === other.dev;
}
