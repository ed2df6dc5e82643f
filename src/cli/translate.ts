import { readFileSync } from 'node:fs';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  explainLoss,
  isDialectId,
  type Loss,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { errorCode } from '../ground/index.js';
import { type Command, complain, textOf, UsageError, type Values } from './command.js';

const KINDS = ['request', 'response', 'stream', 'error'] as const;

type Kind = (typeof KINDS)[number];

/** Exit codes: the input is not valid in its dialect; strict or the matrix refuses, or the answer is a failure. */
const INVALID = 2;
const REFUSED = 3;

/** `interlingua translate`: one body or stream from one dialect to another. */
export const translate: Command = {
  usage: '--from D --to D [--kind request|response|stream|error] [FILE|-]',
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    kind: { type: 'string' },
    losses: { type: 'string' },
    strict: { type: 'boolean' },
    model: { type: 'string' },
    stream: { type: 'boolean' },
    status: { type: 'string' },
  },
  help: [
    `--from D, --to D  dialects: ${dialectIds.join(', ')}`,
    `--kind K          ${KINDS.join(', ')}; default request`,
    '--losses json     print the losses as one line of JSON instead of one sentence per line',
    '--strict          exit with 3 when a strict translation would be refused',
    '--model M         the model, where the dialect has it in the URL',
    '--stream          a streamed answer is wanted, where the dialect has that in the URL',
    '--status N        HTTP status of an error; default 400',
    'FILE              input; standard input when - or left out',
  ],
  words: 1,
  async run(values, [file]) {
    const job = jobOf(values);
    const input = readInput(file);
    try {
      const { output, losses } = work(job, input);
      process.stdout.write(output);
      printLosses(losses, job.asJson);
      return 0;
    } catch (error) {
      if (!(error instanceof TranslationError)) throw error;
      printLosses(error.losses, job.asJson);
      complain(`interlingua translate: ${error.path === '' ? '' : `${error.path}: `}${error.message}`);
      return isInvalid(error) ? INVALID : REFUSED;
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
  readonly model: string | undefined;
  readonly stream: boolean | undefined;
  readonly status: number;
}

function jobOf(values: Values): Job {
  const losses = textOf(values, 'losses');
  if (losses !== undefined && losses !== 'json') throw new UsageError(`--losses takes json, not ${losses}`);
  return {
    from: dialectOf(values, 'from'),
    to: dialectOf(values, 'to'),
    kind: kindOf(textOf(values, 'kind') ?? 'request'),
    asJson: losses === 'json',
    strict: values.strict === true,
    model: textOf(values, 'model'),
    stream: values.stream === true ? true : undefined,
    status: statusOf(textOf(values, 'status') ?? '400'),
  };
}

function dialectOf(values: Values, name: 'from' | 'to'): DialectId {
  const word = textOf(values, name);
  if (isDialectId(word)) return word;
  throw new UsageError(`--${name} must be one of ${dialectIds.join(', ')}${word === undefined ? '' : `, not ${word}`}`);
}

function kindOf(word: string): Kind {
  const kind = KINDS.find((one) => one === word);
  if (kind === undefined) throw new UsageError(`--kind must be one of ${KINDS.join(', ')}, not ${word}`);
  return kind;
}

function statusOf(text: string): number {
  if (/^[345]\d\d$/.test(text)) return Number(text);
  throw new UsageError(`--status must be an HTTP status of an error, not ${text}`);
}

function readInput(file: string | undefined): Buffer {
  try {
    return readFileSync(file === undefined || file === '-' ? 0 : file);
  } catch (error) {
    throw new UsageError(`cannot read ${file ?? 'standard input'} (${errorCode(error) ?? 'unknown reason'})`);
  }
}

function work(job: Job, input: Buffer): { readonly output: string; readonly losses: readonly Loss[] } {
  const { from, to, model, stream, strict } = job;
  switch (job.kind) {
    case 'request': {
      const { body, losses } = translateRequest({ from, to, body: parse(input, from), model, stream, strict });
      return { output: pretty(body), losses };
    }
    case 'response': {
      const { body, losses } = translateResponse({ from, to, body: parse(input, from), model });
      return { output: pretty(body), losses };
    }
    case 'stream': {
      const translator = createStreamTranslator({ from, to, model });
      const output = translator.push(input) + translator.end();
      return { output, losses: translator.losses };
    }
    case 'error': {
      const { body } = translateError({ from, to, status: job.status, body: parse(input, from) });
      return { output: pretty(body), losses: [] };
    }
  }
}

function parse(input: Buffer, dialect: DialectId): unknown {
  try {
    return JSON.parse(input.toString());
  } catch (error) {
    throw new TranslationError('invalid_request', 'the input is not valid JSON', { dialect, cause: error });
  }
}

function pretty(body: unknown): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}

function printLosses(losses: readonly Loss[], asJson: boolean): void {
  if (asJson) complain(JSON.stringify(losses));
  else for (const loss of losses) complain(explainLoss(loss));
}
