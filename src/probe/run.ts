import { type DialectId, dialectIds } from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import { hostsAt, isPublicHost, type Place } from './place.js';
import { plain } from './plain.js';
import { greet, QUESTIONS, quiet } from './questions/index.js';
import { isAsked, ROW_NAMES } from './rows.js';
import { type Bounds, createSender, type Sender, Spent } from './sender.js';
import { firstModel, identify, shownBy } from './server.js';
import { SPEECHES } from './speech/index.js';
import { Gone, note, type Outcome, type Talk } from './talk.js';
import type { Finding, ProbedEndpoint, ProbedModel, ProbeReport } from './types.js';

/** Bounds of a probing where no option names others. */
export const BOUNDS: Bounds = { calls: 40, seconds: 600, callSeconds: 60 };

/** What is asked beside the place. */
export interface ProbeOptions extends Partial<Bounds> {
  /** The model to ask; else the first of the list that may hold a conversation. */
  readonly model?: string;
}

/** Probes the server at a place: within {@link BOUNDS}, without a question. Throws ConfigError for an address that is none. */
export async function probe({
  model,
  calls,
  seconds,
  callSeconds,
  ...place
}: Place & ProbeOptions): Promise<ProbeReport> {
  const bounds = { model, calls, seconds, callSeconds };
  const given = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
  return probeHosts(hostsAt(place), place.url, given);
}

/** The same for endpoints of a configuration, which are those of one server. */
export async function probeHosts(
  hosts: readonly BackendConfig[],
  url: string,
  options: ProbeOptions = {},
): Promise<ProbeReport> {
  const { model: wanted, ...bounds } = options;
  const sender = createSender(hosts, { ...BOUNDS, ...bounds });
  const at = new Date().toISOString();
  const { origin, pathname } = new URL(url);
  const state: State = { talks: [], endpoints: [], models: [], server: {} };
  try {
    const { server, models, silence } = await identify(sender, hosts, !isPublicHost(url));
    state.server = server;
    state.models = models;
    state.model = wanted ?? firstModel(models);
    if (silence !== undefined && wanted === undefined) state.stopped = silence;
    else if (state.model === undefined) state.stopped = 'the server lists no model: name one with --model';
    else await talkTo(state, sender, hosts, state.model);
  } catch (error) {
    if (!(error instanceof Spent)) throw error;
    state.stopped = error.message;
  } finally {
    await sender.close();
  }
  const { talks, endpoints, ...rest } = state;
  return {
    url: origin + pathname,
    at,
    ...rest,
    calls: sender.calls,
    endpoints,
    findings: talks.flatMap(findingsOf),
  };
}

interface State {
  readonly talks: Talk[];
  readonly endpoints: ProbedEndpoint[];
  models: readonly ProbedModel[];
  server: ProbeReport['server'];
  model?: string;
  stopped?: string;
}

async function talkTo(state: State, sender: Sender, hosts: readonly BackendConfig[], model: string): Promise<void> {
  const window = state.models.find(({ id }) => id === model)?.window;
  for (const host of hosts) {
    const talk = createTalk(host, sender, model, window);
    const outcome = await unlessGone(greet(talk));
    const answers = outcome?.kind === 'answer';
    if (outcome !== undefined && state.server.title === undefined)
      state.server = { ...state.server, ...shownBy(sender, outcome.reply.headers) };
    const { dialect, auth } = host;
    state.endpoints.push({
      dialect,
      ...addressOf(host),
      auth,
      answers,
      ...(!answers && { reason: reasonOf(talk, outcome) }),
    });
    if (answers) state.talks.push(talk);
  }
  const { talks } = state;
  for (const talk of talks) if (talk.base?.field !== undefined) await unlessGone(quiet(talk));
  for (const { rows, ask } of QUESTIONS) {
    for (const talk of talks) {
      const isOpen = rows.some((row) => isAsked(row, talk.host.dialect) && !talk.findings.has(row));
      if (isOpen && talk.dead === undefined) await unlessGone(ask(talk));
    }
  }
}

/** The root of an endpoint with the version that its query names. What else is in the query may be secret: its names are reported alone. */
function addressOf({ baseUrl = '', query }: BackendConfig): Pick<ProbedEndpoint, 'root' | 'omitted'> {
  const pairs = [...new URLSearchParams(query)];
  const version = pairs.find(([name]) => name === VERSION);
  const omitted = pairs.flatMap(([name]) => (name === VERSION ? [] : [plain(name, 40)]));
  const root = version === undefined ? baseUrl : `${baseUrl}?${new URLSearchParams([version])}`;
  return { root, ...(omitted.length > 0 && { omitted }) };
}

/** What names the version of an interface in queries. */
const VERSION = 'api-version';

/** What was noted before an endpoint went silent stays. */
async function unlessGone<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
    return undefined;
  }
}

function createTalk(host: BackendConfig, sender: Sender, model: string, window: number | undefined): Talk {
  const speech = SPEECHES[host.dialect];
  return {
    host,
    speech,
    sender,
    model,
    window,
    findings: new Map(),
    always: {},
    without: new Set(),
    taken: new Set(),
    vain: 0,
  };
}

/** Why an endpoint that gave no answer is not asked further. */
function reasonOf({ dead = '' }: Talk, outcome: Outcome | undefined): string {
  return outcome === undefined || outcome.kind === 'answer' ? dead : outcome.words;
}

/** All rows of an endpoint; those that nobody came to are not asked. */
function findingsOf(talk: Talk): readonly Finding[] {
  const { dialect } = talk.host;
  conclude(talk);
  return ROW_NAMES.filter((row) => isAsked(row, dialect)).map(
    (row) =>
      talk.findings.get(row) ?? {
        dialect,
        row,
        verdict: 'unasked',
        ...(talk.dead !== undefined && { words: `it does not answer any more: ${talk.dead}` }),
      },
  );
}

/** What follows from all answers together. */
function conclude(talk: Talk): void {
  if (!talk.findings.has('cached')) note(talk, 'cached', 'ignored', 'no answer reported any');
  if (!talk.findings.has('emptyAnswer')) note(talk, 'emptyAnswer', 'undecided', 'no answer was empty');
  // Who refuses members that it does not know, knows those that it takes.
  if (talk.findings.get('unknown')?.verdict !== 'refused') return;
  for (const row of ['seed', 'parallel'] as const)
    if (talk.taken.has(row) && talk.findings.get(row)?.verdict === 'undecided')
      talk.findings.set(row, { dialect: talk.host.dialect, row, verdict: 'holds' });
}

/** The dialects in the order of the table. */
export function answering({ endpoints }: Pick<ProbeReport, 'endpoints'>): readonly DialectId[] {
  return dialectIds.filter((id) => endpoints.some(({ dialect, answers }) => dialect === id && answers));
}
