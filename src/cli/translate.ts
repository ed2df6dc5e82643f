import { createReadStream, readFileSync } from 'node:fs';
import {
  createStreamTranslator,
  createWatcher,
  type DialectId,
  dialectIds,
  dialects,
  explainLoss,
  isDialectId,
  type JsonObject,
  type Loss,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { errorCode, jsonFault } from '../ground/index.js';
import type { BatchJob } from '../migrate/index.js';
import { type AtHost, patternFault } from '../protocol/index.js';
import { type ServiceRefusal, serviceRefusal } from '../simulator/index.js';
import {
  addChoice,
  type Command,
  complain,
  EXIT,
  gather,
  textOf,
  textsOf,
  UsageError,
  type Values,
  write,
} from './command.js';
import { atHost } from './target.js';
import { translateBatch } from './translate-batch.js';

const KINDS = ['request', 'response', 'stream', 'error'] as const;

type Kind = (typeof KINDS)[number];

/** `interlingua translate`: one body or stream from one dialect to another. */
export const translate: Command = {
  describe(parser) {
    parser.argument('[file]', 'input; standard input when - or left out');
    addChoice(parser, '--from <dialect>', 'what the input speaks', dialectIds);
    addChoice(parser, '--to <dialect>', 'what the output speaks', dialectIds);
    addChoice(parser, '--kind <kind>', 'what the input is; default request', KINDS);
    addChoice(parser, '--losses <form>', 'print the losses as one line of JSON, not one sentence per line', ['json']);
    parser
      .option('--strict', 'exit with 3 when a strict translation would be refused')
      .option('--allow <features>', 'losses that strict accepts, separated by spaces or commas', gather)
      .option('--profile <name>', 'the model that the request is for, or that answered')
      .option('--host <host>', "where that model is served: a known host, or an address; default the vendor's own")
      .option('--request <file>', "the client's own request, of which the input is the answer")
      .option('--model <name>', 'the model, where the dialect has it in the URL')
      .option('--stream', 'a streamed answer is wanted, where the dialect has that in the URL')
      .option('--status <number>', 'HTTP status of an error; default 400')
      .option(
        '--batch <file>',
        "a vendor's batch file in place of one body, of requests or of results; - = standard input",
      )
      .option('--report <file>', 'with --batch: losses and errors as JSON Lines in a file, in place of standard error')
      .addHelpText(
        'after',
        `
Exits with 2 for input that is not valid, 3 where strict refuses, 1 for a stream that ends broken. With --batch a line that
cannot go is reported with its number and the others go on; then the exit code is 1, or 3 where strict refused it.`,
      );
  },
  async run(values, [file]) {
    const asJson = values.losses === 'json';
    const batch = textOf(values, 'batch');
    if (batch !== undefined) {
      for (const name of ['kind', 'request', 'status', 'stream', 'losses'])
        if (values[name] !== undefined) throw new UsageError(`--${name} cannot be used with --batch`);
      if (file !== undefined) throw new UsageError(`unexpected word ${file}: --batch names the file`);
      return translateBatch(batch, batchJobOf(values), textOf(values, 'report'));
    }
    if (values.report !== undefined) throw new UsageError('--report requires --batch');
    try {
      const job = jobOf(values);
      if (job.kind === 'stream') return await stream(job, file);
      const { output, losses, refusal } = work(job, parse(await readAll(file), job.from, nameOf(file)));
      process.stdout.write(pretty(output));
      printLosses(losses, asJson);
      if (refusal === undefined) return 0;
      printRefusal(refusal, job);
      return job.strict ? EXIT.refused : 0;
    } catch (error) {
      if (!(error instanceof TranslationError)) throw error;
      printLosses(error.losses, asJson);
      complain(`interlingua translate: ${error.path === '' ? '' : `${error.path}: `}${error.message}`);
      return isInvalid(error) ? EXIT.invalid : EXIT.refused;
    }
  },
};

/** A body that is none of its dialect; a request that names what nobody can resolve has a code. */
function isInvalid({ kind, code }: TranslationError): boolean {
  return (kind === 'invalid_request' && code === undefined) || kind === 'upstream';
}

interface Job {
  readonly from: DialectId;
  readonly to: DialectId;
  readonly kind: Kind;
  readonly asJson: boolean;
  readonly strict: boolean;
  readonly allow: readonly string[];
  /** Where the translation goes, or where the answer came from. */
  readonly at: AtHost;
  /** The body of the client's own request. */
  readonly request: unknown;
  readonly model: string | undefined;
  readonly stream: boolean | undefined;
  readonly status: number;
}

function jobOf(values: Values): Job {
  const [from, to] = [dialectOf(values, 'from'), dialectOf(values, 'to')];
  const request = textOf(values, 'request');
  const kind = KINDS.find((known) => known === values.kind) ?? 'request';
  return {
    from,
    to,
    kind,
    asJson: values.losses === 'json',
    strict: values.strict === true,
    allow: featuresOf(values),
    at: atHost(kind === 'request' ? to : from, textOf(values, 'host'), textOf(values, 'profile')),
    request: request === undefined ? undefined : parse(readWhole(request), to, request),
    model: textOf(values, 'model'),
    stream: values.stream === true ? true : undefined,
    status: statusOf(textOf(values, 'status') ?? '400'),
  };
}

function batchJobOf(values: Values): BatchJob {
  const to = dialectOf(values, 'to');
  return {
    from: values.from === undefined ? undefined : dialectOf(values, 'from'),
    to,
    model: textOf(values, 'model'),
    strict: values.strict === true,
    allow: featuresOf(values),
    ...atHost(to, textOf(values, 'host'), textOf(values, 'profile')),
  };
}

function dialectOf(values: Values, name: 'from' | 'to'): DialectId {
  const word = values[name];
  if (isDialectId(word)) return word;
  throw new UsageError(`--${name} must be one of ${dialectIds.join(', ')}`);
}

/** The features of `--allow`. */
function featuresOf(values: Values): readonly string[] {
  const features = textsOf(values, 'allow').flatMap((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
  for (const feature of features) {
    const fault = patternFault(feature);
    if (fault !== undefined) throw new UsageError(`--allow: ${fault}`);
  }
  return features;
}

function statusOf(text: string): number {
  if (/^[345]\d\d$/.test(text)) return Number(text);
  throw new UsageError(`--status must be an HTTP status of an error, not ${text}`);
}

function nameOf(file: string | undefined): string {
  return file === undefined || file === '-' ? 'standard input' : file;
}

/** The pieces of the input as they come. At a terminal, a line says that input is expected. */
async function* piecesOf(file: string | undefined): AsyncGenerator<Uint8Array> {
  if ((file === undefined || file === '-') && process.stdin.isTTY) {
    complain('interlingua translate: reading from the terminal; Ctrl-D on an empty line ends the input');
  }
  try {
    yield* file === undefined || file === '-' ? process.stdin : createReadStream(file);
  } catch (error) {
    throw unreadable(nameOf(file), error);
  }
}

async function readAll(file: string | undefined): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(file)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function readWhole(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(name: string, error: unknown): UsageError {
  return new UsageError(`cannot read ${name} (${errorCode(error) ?? 'unknown reason'})`);
}

/** Translates a stream as it arrives. One that fails or does not end as its dialect ends gives the exit code 1. */
async function stream({ from, to, model, at, request, asJson }: Job, file: string | undefined): Promise<number> {
  const translator = createStreamTranslator({ from, to, model, profile: at.profile, request });
  const watcher = createWatcher(dialects[to]);
  const send = async (text: string): Promise<void> => {
    watcher.push(text);
    await write(text);
  };
  for await (const piece of piecesOf(file)) {
    await send(translator.push(piece));
    if (process.stdout.destroyed) return EXIT.failed;
  }
  await send(translator.end());
  watcher.end();
  printLosses(translator.losses, asJson);
  return watcher.whole && watcher.failure === undefined ? 0 : EXIT.failed;
}

/** A translation with what is lost, and why the service that it is for would refuse it. */
interface Worked {
  readonly output: JsonObject;
  readonly losses: readonly Loss[];
  readonly refusal?: ServiceRefusal | undefined;
}

function work(job: Job, body: unknown): Worked {
  const { from, to, model, stream, strict, allow, at, request, status } = job;
  const { profile, checks, cloud } = at;
  if (job.kind === 'error') return { output: translateError({ from, to, status, body }).body, losses: [] };
  if (job.kind === 'response') {
    const { body: output, losses } = translateResponse({ from, to, body, model, profile, request });
    return { output, losses };
  }
  const sent = translateRequest({ from, to, body, model, stream, strict, allow, profile });
  const refusal = checks ? serviceRefusal(to, { ...sent, cloud }) : undefined;
  return { output: sent.body, losses: sent.losses, refusal };
}

/** The value of a text of JSON, with or without a byte order mark. */
function parse(text: string, dialect: DialectId, name: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    const { line, column } = jsonFault(json) ?? { line: 1, column: 1 };
    const message = `${name}:${line}:${column}: the input is not valid JSON`;
    throw new TranslationError('invalid_request', message, { dialect, cause: error });
  }
}

function pretty(body: JsonObject): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}

function printLosses(losses: readonly Loss[], asJson: boolean): void {
  if (asJson) complain(JSON.stringify(losses));
  else for (const loss of losses) complain(explainLoss(loss));
}

function printRefusal({ path, message }: ServiceRefusal, { to, asJson }: Job): void {
  const where = path === '' ? '' : `${path}: `;
  complain(
    asJson ? JSON.stringify({ refusal: { path, message } }) : `the service of ${to} refuses this: ${where}${message}`,
  );
}
