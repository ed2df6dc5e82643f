import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config/index.js';
import { baseOf, Failure, isObject } from '../ground/index.js';
import { createMemoryTallies, createStorage } from '../store/index.js';
import { csvOf, GROUPS, type Period, periodOf, readUsage, type UsageReport } from '../usage/index.js';
import { type Command, complain, print, textOf, UsageError, type Values } from './command.js';
import { linesOfUsage } from './usage-table.js';

/** The variable with the key of a gateway that has keys. */
const KEY_VARIABLE = 'INTERLINGUA_KEY';

const NOTES = `With --url a running gateway is asked, with the key of --key or ${KEY_VARIABLE}; its own sums for a key that is no operator.
Else the store of the configuration is read, where it is lmdb or redis; one in memory is asked for where the configuration listens.
Times: 2026-11-28, 2026-11-28T10:00Z, or back from now: 24h, 7d, 2w. They are cut to whole hours, in UTC.
--by minute is of the last hour, cut to whole minutes, and of the machine that is asked with --url.`;

/** How long, in ms, a gateway may take. */
const PATIENCE_MS = 30_000;

/** `interlingua usage`: what was used, by key, model and time. */
export const usage: Command = {
  describe(parser) {
    parser
      .option('--config <file>', 'configuration; found as for serve when left out')
      .option('--url <url>', 'the address of a running gateway')
      .option(
        '--key <key>',
        'a key of that gateway; a variable of the environment keeps it out of the list of processes',
      )
      .option('--by <names>', `${GROUPS.join(', ')}, separated by commas; default key,model`)
      .option('--since <time>', 'default 24h, with --by minute 1h')
      .option('--until <time>', 'default: up to now')
      .option('--json', 'prints the report as JSON')
      .option('--csv', 'prints the rows as CSV')
      .addHelpText('after', `\n${NOTES}`);
  },
  completes: { options: { '--by': GROUPS, '--since': ['1h', '24h', '7d', '30d'] } },
  async run(values) {
    const texts = { by: textOf(values, 'by'), since: textOf(values, 'since'), until: textOf(values, 'until') };
    const period = readPeriod(texts);
    if (values.json === true && values.csv === true) throw new UsageError('--json and --csv exclude each other');
    const url = textOf(values, 'url');
    if (url === undefined && textOf(values, 'key') !== undefined) throw new UsageError('--key is for --url');
    const report =
      url === undefined ? await ownReport(values, period, texts) : await askedReport(url, keyOf(values), texts);
    if (values.json === true) print(JSON.stringify(report, null, 2));
    else if (values.csv === true) process.stdout.write(csvOf(report));
    else for (const line of linesOfUsage(report)) print(line);
    return 0;
  },
};

type Texts = Parameters<typeof periodOf>[0];

function readPeriod(texts: Texts): Period {
  try {
    return periodOf(texts, Date.now());
  } catch (error) {
    throw error instanceof Failure ? new UsageError(`--${error.message}`) : error;
  }
}

function keyOf(values: Values): string {
  return textOf(values, 'key') ?? process.env[KEY_VARIABLE] ?? '';
}

/** From the store of a configuration, else from the gateway that listens where it says. */
async function ownReport(values: Values, period: Period, texts: Texts): Promise<UsageReport> {
  const config = loadConfig(textOf(values, 'config'));
  if (config.usage === undefined) complain('interlingua usage: nothing is counted: the configuration has no `usage`');
  const { store } = config;
  if (store.type === 'memory' || store.type === 'off') {
    // Whatever listens there would get the key.
    if (config.keys.length > 0)
      throw new UsageError(`store.type is ${store.type}: name the running gateway, with --url and ${KEY_VARIABLE}`);
    return askedReport(addressOf(config), '', texts);
  }
  if (period.by.includes('minute'))
    throw new UsageError(`minutes are kept by the running gateway: name it, with --url and ${KEY_VARIABLE}`);
  // Reading makes no store.
  if (store.type === 'lmdb' && !existsSync(join(store.path, 'state.mdb')))
    return readUsage(createMemoryTallies(), period);
  let reason = 'the store cannot be reached';
  const storage = createStorage(store, (why) => {
    reason = `the store cannot be reached: ${why}`;
  });
  if (storage === undefined) throw new Error(reason);
  try {
    return await readUsage(storage.tallies(), period);
  } catch (error) {
    throw error instanceof Failure || store.type === 'lmdb' ? error : new Error(reason);
  } finally {
    await storage.close();
  }
}

function addressOf({ listen: { host, port } }: Config): string {
  return baseOf(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port);
}

/** From a gateway. Rejects with what it says where it gives none. */
async function askedReport(url: string, key: string, texts: Texts): Promise<UsageReport> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url must begin with http:// or https://');
  const query = new URLSearchParams({ format: 'json' });
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) query.set(name, text);
  const answer = await fetch(`${url.replace(/\/+$/, '')}/usage?${query}`, {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => {
    throw new Error(`no gateway answers at ${url}; is it running?`);
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok && isReport(body)) return body;
  const error = isObject(body) && isObject(body.error) ? body.error.message : undefined;
  throw new Error(typeof error === 'string' ? error : `${url} gives no usage (status ${answer.status})`);
}

function isReport(body: unknown): body is UsageReport {
  return isObject(body) && Array.isArray(body.rows) && Array.isArray(body.by) && isObject(body.total);
}
