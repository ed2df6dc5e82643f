import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigInput } from '../../src/config/schema.js';
import { isPresetName, type PresetName } from '../../src/presets/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

const ROOT = join(PACKAGE_ROOT, 'test', 'recordings');

/** What becomes of a request that a server refuses. README.md of this folder explains the words. */
export type Fate = 'avoids' | 'learns' | 'stops' | 'told' | 'failure';

/** Which requests a server refuses so, and what becomes of those of clients. */
export interface Refusing {
  /** A JSON pointer in which `*` stands for any entry of a list, and the JSON Schema of the values there that are refused. */
  readonly refuses: { readonly at: string; readonly schema: object };
  /** By the dialect of the client; `*` is that of all others. */
  readonly ours: Readonly<Partial<Record<FakeDialectName | '*', Fate>>>;
}

/** One exchange with a real server. */
export interface Recording extends Partial<Refusing> {
  /** `SERVER-VERSION/FILE`, without the ending. */
  readonly name: string;
  /** The preset of the server; undefined where we have none. */
  readonly preset: PresetName | undefined;
  /** Undefined for routes beside conversations. */
  readonly dialect: FakeDialectName | undefined;
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** JSON, or a text that is none. */
    readonly body?: unknown;
    /** The blocks of a stream, each without the empty line behind it. */
    readonly events?: readonly string[];
  };
}

/** One of a conversation. */
export type Exchanged = Recording & { readonly dialect: FakeDialectName };

/** All recordings: adding a file adds one. */
const RECORDINGS: readonly Recording[] = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: server }) => readdirSync(join(ROOT, server)).map((file) => read(server, file)));

function read(server: string, file: string): Recording {
  const recorded = JSON.parse(readFileSync(join(ROOT, server, file), 'utf8'));
  const preset = server.replace(/-[\d.]+$/, '');
  const dialect = file.split('-', 1)[0];
  return {
    ...recorded,
    name: `${server}/${file.replace('.json', '')}`,
    preset: isPresetName(preset) ? preset : undefined,
    dialect: FAKE_DIALECTS.find((known) => known === dialect),
  };
}

const isExchanged = (recording: Recording): recording is Exchanged => recording.dialect !== undefined;

/** Whether a stream begins with an error: a refusal under the status of an answer. */
const failsAtOnce = ({ response }: Recording): boolean => response.events?.[0]?.startsWith('event: error') === true;

const isAnswer = (recording: Recording): boolean => recording.response.status === 200 && !failsAtOnce(recording);

/** Those of conversations. */
export const EXCHANGED = RECORDINGS.filter(isExchanged);

/** Whole answers and streams. */
export const ANSWERS = EXCHANGED.filter(isAnswer);

/** What servers refused. */
export const REFUSALS = EXCHANGED.filter((recording) => !isAnswer(recording));

/** Lists of models and counts of tokens. */
export const OTHERS = RECORDINGS.filter((recording) => !isExchanged(recording));

/** A stream as its server writes it; undefined for a whole answer. */
export function streamOf({ response: { events } }: Recording): string | undefined {
  return events?.map((event) => `${event}\n\n`).join('');
}

/** The bytes of an answer. */
export function bytesOf(recording: Recording): string {
  const { body } = recording.response;
  return streamOf(recording) ?? (typeof body === 'string' ? body : JSON.stringify(body));
}

/** Each has a backend of its own: what one of them does to the gateway is nothing to the others. */
const backendOf = ({ name }: Exchanged): string => name.replace('/', '.');

/** The name by which clients ask for the answer of a recording. */
export function modelOf(recording: Exchanged): string {
  return `${backendOf(recording)}/${recording.name}`;
}

/** The servers of recordings at one address, each by its preset where we have one. */
export function backendsAt(
  url: string,
  recordings: readonly Exchanged[],
): Required<Pick<ConfigInput, 'backends' | 'models'>> {
  const backends = recordings.map((recording) => {
    const { preset, dialect } = recording;
    const baseUrl = dialect === 'chatCompletions' ? `${url}/v1` : url;
    return [backendOf(recording), { ...(preset !== undefined && { preset }), dialect, baseUrl }] as const;
  });
  const models = backends.map(([backend]) => [`${backend}/*`, { backend, model: '*' }] as const);
  return { backends: Object.fromEntries(backends), models: Object.fromEntries(models) };
}
