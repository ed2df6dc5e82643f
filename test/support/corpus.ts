import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DialectId } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';

/**
 * The folder of the recorded exchanges: `../shared/corpus` beside the project, or what `INTERLINGUA_CORPUS` names. `none` and an
 * empty name hide them, as on a machine that has only this project. No test opens the folder but through this file.
 */
const CORPUS = folderNamed(process.env.INTERLINGUA_CORPUS ?? join('..', 'shared', 'corpus'));

function folderNamed(name: string): string | undefined {
  return name === '' || name === 'none' ? undefined : resolve(import.meta.dirname, '..', '..', name);
}

/** Whether the recorded exchanges are there. */
export const corpusPresent = CORPUS !== undefined && existsSync(CORPUS);

/** What a suite that needs them says where they are absent. */
export const CORPUS_ABSENT = `(skipped: the recorded exchanges are ${CORPUS === undefined ? 'hidden by INTERLINGUA_CORPUS' : `not in ${CORPUS}`})`;

/** What exchanges were recorded of. */
export type RecordedKind = DialectId | 'images';

const RECORDINGS = tableOf('recordings');

function folderOf(kind: RecordedKind): string {
  return kind === 'images' ? 'openai-images' : RECORDINGS[kind];
}

/** Whether exchanges of a dialect were recorded, as far as can be known: where the corpus is absent, nothing is tried. */
export function isRecorded(kind: RecordedKind): boolean {
  return CORPUS === undefined || !corpusPresent || existsSync(join(CORPUS, folderOf(kind)));
}

/** One recorded exchange. */
export interface Recorded {
  readonly name: string;
  readonly operation: string;
  /** Path and query that it was sent to. */
  readonly endpoint: string;
  readonly status: number;
  readonly model: string;
  /** Whose service it was. */
  readonly provider: string;
  readonly request?: unknown;
  readonly response?: unknown;
  /** The bytes of a streamed answer. */
  readonly stream?: Buffer;
}

/** Whether an exchange asks for an answer, plain or streamed. */
export function isCreate({ operation }: Recorded): boolean {
  return ['create', 'generate', 'stream'].includes(operation);
}

/** One exchange was not with a service of the dialect: its server tells what it was asked. */
const NO_SERVICE = 'pydantic-ai--openai-invalid-response';

const READ = new Map<RecordedKind, readonly Recorded[]>();

/**
 * The recorded exchanges of a dialect; none where they, or the whole corpus, are absent. A test file reads them once, and
 * nothing changes them.
 */
export function recordedExchanges(dialect: RecordedKind): Recorded[] {
  const found = READ.get(dialect) ?? readExchanges(dialect);
  READ.set(dialect, found);
  return [...found];
}

function readExchanges(dialect: RecordedKind): readonly Recorded[] {
  if (CORPUS === undefined || !corpusPresent || !isRecorded(dialect)) return [];
  const folder = join(CORPUS, folderOf(dialect));
  const names = readdirSync(folder).filter((name) => name !== NO_SERVICE);
  return names.map((name) => {
    const read = (file: string): Buffer | undefined => {
      const path = join(folder, name, file);
      return existsSync(path) ? readFileSync(path) : undefined;
    };
    const json = (file: string): unknown => {
      const bytes = read(file);
      return bytes === undefined ? undefined : JSON.parse(bytes.toString());
    };
    const meta = json('meta.json') as {
      operation: string;
      endpoint: string;
      status: number;
      model?: string;
      provider: string;
    };
    return {
      name,
      operation: meta.operation,
      endpoint: meta.endpoint,
      status: meta.status,
      model: meta.model ?? '',
      provider: meta.provider,
      request: json('request.json'),
      response: json('response.json'),
      stream: read('stream.sse'),
    };
  });
}

/** A recorded exchange whose stream is read as text. */
export type RecordedText = Omit<Recorded, 'stream'> & { readonly stream?: string };

/** The recorded exchanges of a dialect with their streams as text. */
export function recordedText(dialect: DialectId): RecordedText[] {
  return recordedExchanges(dialect).map((recorded) => ({ ...recorded, stream: recorded.stream?.toString() }));
}
