import type { ConfigInput } from '../../src/config/schema.js';
import type { PresetName } from '../../src/presets/index.js';
import type { Row } from '../clients/verdict.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { CASES, type Case } from './cases.js';
import { type Direct, differencesOf } from './compare.js';
import { ask, canAsk, type Outcome, type Place } from './exchange.js';

/** A server that is driven through a gateway, by endpoint. */
export interface Driven {
  /** Its name among the backends of the gateway. */
  readonly name: string;
  readonly dialects: readonly FakeDialectName[];
  /** The server itself; undefined for a simulator, which cannot be asked but through the gateway. */
  readonly direct?: Place;
}

/** A row, and how its exchange differs from the direct one. */
export interface DrivenRow extends Row {
  readonly differs: readonly string[];
}

/** The configuration of a gateway in front of a server: a backend for each of its endpoints, named `NAME DIALECT`. */
export function configOf(
  { name, dialects, direct }: Driven,
  preset: PresetName | undefined,
): Required<Pick<ConfigInput, 'backends' | 'models'>> {
  const backends = dialects.map((dialect) => {
    if (direct === undefined) return [backendOf(name, dialect), { dialect, simulator: true as const }] as const;
    const baseUrl = dialect === 'chatCompletions' ? `${direct.url}/v1` : direct.url;
    const { key } = direct;
    // Each request is looked at alone: what one teaches is nothing to the next, and no failure is repeated.
    const alone = { retries: 0, breaker: false as const };
    const server = { dialect, baseUrl, ...(preset && { preset }), ...(key !== undefined && { apiKey: key }), ...alone };
    return [backendOf(name, dialect), server] as const;
  });
  const models = backends.map(([backend]) => [`${backend}/*`, { backend, model: '*' }] as const);
  return { backends: Object.fromEntries(backends), models: Object.fromEntries(models) };
}

const backendOf = (name: string, dialect: FakeDialectName): string => `${name}.${dialect}`;

/** How a client is called in rows: the official SDK of its dialect. */
const CLIENTS: Readonly<Record<FakeDialectName, string>> = {
  messages: '@anthropic-ai/sdk',
  responses: 'openai responses',
  generateContent: '@google/genai',
  chatCompletions: 'openai chat',
};

/** What came of driving a server. */
export interface Drive {
  readonly rows: readonly DrivenRow[];
  /** By endpoint, what its own client got of the server itself; empty for a simulator. */
  readonly direct: ReadonlyMap<FakeDialectName, readonly Direct[]>;
}

/**
 * Lets the four official clients ask every case over every endpoint of a server through the gateway at `url`, and compares
 * with what the client of the endpoint gets of the server itself.
 */
export async function drive(
  { name, dialects, direct }: Driven,
  url: string,
  cases: readonly Case[] = CASES,
): Promise<Drive> {
  const rows: DrivenRow[] = [];
  const directly = new Map<FakeDialectName, Direct[]>();
  const asked = direct === undefined ? cases.filter(({ realOnly }) => !realOnly) : cases;
  for (const dialect of dialects)
    for (const asks of asked) {
      const own = direct && canAsk(asks, dialect) ? await ask(dialect, { ...direct, steady: true }, asks) : undefined;
      if (own !== undefined) directly.set(dialect, [...(directly.get(dialect) ?? []), { asked: asks, outcome: own }]);
      for (const client of FAKE_DIALECTS) {
        if (!canAsk(asks, client)) continue;
        const model = `${backendOf(name, dialect)}/${direct?.model ?? 'simulated'}`;
        const through = await ask(client, { url, model, steady: direct !== undefined }, asks);
        rows.push(rowOf(client, `${name} ${dialect}`, asks, through, own));
      }
    }
  return { rows, direct: directly };
}

function rowOf(
  client: FakeDialectName,
  backend: string,
  { name }: Case,
  through: Outcome,
  directly?: Outcome,
): DrivenRow {
  return {
    client: CLIENTS[client],
    backend,
    check: name,
    why: through.fault ?? null,
    differs: directly === undefined ? [] : differencesOf(directly, through),
  };
}
