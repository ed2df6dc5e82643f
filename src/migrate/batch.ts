import {
  type DialectId,
  dialects,
  type JsonObject,
  type Loss,
  type ProfileChoice,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { gatewayDialect, gatewayDialects } from '../dialects/index.js';
import { type BatchLine, type BatchVendor, batchIdFault, batchLine, isObject, readBatchLine } from '../ground/index.js';
import { serviceRefusal } from '../simulator/index.js';
import { calledBy } from './plain/called.js';
import type { Entry } from './plain/entries.js';
import { createRecentIds } from './recent-ids.js';

/** How a batch file is to be translated. */
export interface BatchJob {
  /** What its bodies speak; undefined = it is recognised from each line. */
  readonly from: DialectId | undefined;
  readonly to: DialectId;
  readonly model: string | undefined;
  readonly profile: ProfileChoice | undefined;
  /** Whether requests go to a service whose rules are known, and whether that is its enterprise host. */
  readonly checks: boolean;
  readonly cloud: boolean;
  readonly strict: boolean;
  readonly allow: readonly string[];
}

/** What became of one line. */
export interface TranslatedLine {
  readonly line: number;
  readonly id: string | undefined;
  readonly kind?: 'request' | 'result';
  /** The line of the other vendor; undefined where it cannot be had. */
  readonly output: JsonObject | undefined;
  readonly losses: readonly Loss[];
  /** Why there is no output, or why the service would refuse it. */
  readonly problem?: string;
  /** Strict refuses it. */
  readonly refused: boolean;
}

/** Whose batch files have bodies of a dialect. */
const vendorOf = (dialect: DialectId): BatchVendor => gatewayDialect(dialect).service.preset;

/** Whether the requests of a batch are one body, and not lines of a file that is uploaded [M §1.4]. */
export function isOneBody(to: DialectId): boolean {
  return vendorOf(to) === 'anthropic';
}

/**
 * Translates the lines of a batch file one by one, requests or results. What it keeps does not grow with their number: the ids of the last
 * half million requests, since vendors refuse a batch in which two are the same.
 */
export function createBatchTranslator(job: BatchJob): (entry: Entry) => TranslatedLine {
  const ids = createRecentIds();
  let fileKind: TranslatedLine['kind'];
  return ({ line, text, reason = '' }) => {
    const failed = (problem: string, id?: string): TranslatedLine => {
      return { line, id, output: undefined, losses: [], problem, refused: false };
    };
    if (text === undefined) return failed(reason);
    const read = readBatchLine(parsed(text));
    if (read === undefined) return failed('it is no line of a batch file of Anthropic, OpenAI or Gemini');
    const kind = read.kind === 'request' ? 'request' : 'result';
    fileKind ??= kind;
    if (kind !== fileKind) return failed(`it is a ${kind}, and the file began with a ${fileKind}`, read.id);
    const first = kind === 'request' ? ids.lineOf(read.id, line) : undefined;
    if (first !== undefined) return failed(`line ${first} has the same id: results are found by it`, read.id);
    try {
      return { line, id: read.id, kind, ...translated(read, job, line) };
    } catch (thrown) {
      const { message, path, losses, kind: fault } = TranslationError.from(thrown);
      const problem = path === '' ? message : `${path}: ${message}`;
      // What nothing can carry is refused by the translation, strict or not; what loses, by strict alone.
      return { ...failed(problem, read.id), losses, refused: job.strict && losses.length > 0 && fault !== 'upstream' };
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Made = Pick<TranslatedLine, 'output' | 'losses' | 'problem' | 'refused'>;

function translated(read: BatchLine, job: BatchJob, number: number): Made {
  const { to, profile } = job;
  const vendor = vendorOf(to);
  const { id } = read;
  const fault = batchIdFault(vendor, id);
  if (fault !== undefined) throw invalid(fault, to);
  const print = (line: BatchLine): JsonObject => batchLine(line, number);
  const from = dialectOf(read, job.from);
  if (job.from !== undefined && from !== job.from) throw invalid(`it speaks ${from}, not ${job.from}`, from);
  switch (read.kind) {
    case 'request':
      return ofRequest({ id, body: read.body, from }, job, print);
    case 'answer': {
      const { body, losses } = translateResponse({ from, to, body: read.body, profile });
      return { output: print({ vendor, id, kind: 'answer', body }), losses, refused: false };
    }
    case 'error': {
      const { status, body } = translateError({ from, to, status: read.status, body: read.body });
      return { output: print({ vendor, id, kind: 'error', status, body }), losses: [], refused: false };
    }
    case 'not run':
      return { output: print({ ...read, vendor }), losses: [], refused: false };
    default:
      return read satisfies never;
  }
}

interface Asked {
  readonly id: string;
  readonly body: JsonObject;
  readonly from: DialectId;
}

function ofRequest({ id, body, from }: Asked, job: BatchJob, print: (line: BatchLine) => JsonObject): Made {
  const { to, strict, allow, profile, checks, cloud } = job;
  // A service that answers later streams nothing, and refuses the wish.
  if (body.stream === true) throw invalid('a batch is not answered in streams: leave out stream', from);
  const { model: named, ...rest } = body;
  // Gemini names the model where the batch is created; a line may name it too, as a resource.
  const inUrl = !gatewayDialect(from).asksInBody;
  const own = inUrl && typeof named === 'string' ? named.replace(/^models\//, '') : undefined;
  const model = job.model ?? own;
  if (inUrl && model === undefined) throw invalid('the request names no model: say --model', from);
  const sent = translateRequest({ from, to, body: inUrl ? rest : body, model, strict, allow, profile });
  const refusal = checks ? serviceRefusal(to, { ...sent, cloud }) : undefined;
  const at = refusal === undefined || refusal.path === '' ? '' : `${refusal.path}: `;
  const problem = refusal && `the service of ${to} refuses this: ${at}${refusal.message}`;
  if (refusal !== undefined && strict) return { output: undefined, losses: sent.losses, problem, refused: true };
  const url = vendorOf(to) === 'openai' ? { url: pathOf(to) } : {};
  // The model is no member of the body there: the line names it as a resource, so that none is lost.
  const resource = gatewayDialect(to).asksInBody ? {} : { model: `models/${sent.model}` };
  const output = print({ vendor: vendorOf(to), id, kind: 'request', body: { ...resource, ...sent.body }, ...url });
  return { output, losses: sent.losses, refused: false, ...(problem !== undefined && { problem }) };
}

/** The path of an endpoint, as a batch file of OpenAI names it. */
function pathOf(dialect: DialectId): string {
  const path = dialects[dialect].endpoint('create', { model: '', stream: false });
  return path.startsWith('/v1/') ? path : `/v1${path}`;
}

/** What the body of a line speaks. */
function dialectOf(read: BatchLine, given: DialectId | undefined): DialectId {
  const spoken = gatewayDialects.filter(({ service }) => service.preset === read.vendor);
  const [first] = spoken;
  if (first === undefined) throw new Error(`no dialect is spoken in the batches of ${read.vendor}`);
  if (read.kind === 'request' && read.url !== undefined) {
    const called = calledBy(read.url)?.from;
    if (called !== undefined && spoken.some(({ id }) => id === called)) return called;
    throw new TranslationError('invalid_request', `nothing translates calls of ${read.url}`);
  }
  if (spoken.length === 1) return first.id;
  // Errors are the same in all dialects of a vendor.
  const object = read.kind === 'answer' ? read.body.object : undefined;
  return spoken.find(({ answerObject }) => answerObject === object)?.id ?? given ?? first.id;
}

function invalid(message: string, dialect: DialectId): TranslationError {
  return new TranslationError('invalid_request', message, { dialect });
}

/** The member of a request that names its model, for a file whose lines have no place for it. */
export function modelIn(output: JsonObject): string | undefined {
  const { request } = output;
  return isObject(request) && typeof request.model === 'string' ? request.model : undefined;
}
