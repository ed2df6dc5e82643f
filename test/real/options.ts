import { parseArgs } from 'node:util';
import { isPresetName, type PresetName } from '../../src/presets/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { MODEL, SERVERS } from './servers.js';

/** A server that is already running. */
export interface Given {
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  readonly preset?: PresetName;
  readonly dialects?: readonly FakeDialectName[];
  /** Title and version, as the page names them. */
  readonly title?: string;
}

/** What a command line of `npm run real` asks for. */
export interface Options {
  /** Words of the servers to start, and `simulators`. */
  readonly names: readonly string[];
  readonly given?: Given;
  /** Keeps the run for docs/compatibility.md. */
  readonly save: boolean;
  /** A folder for recordings of all requests that are recorded. */
  readonly record?: string;
  /** Leaves the servers running until it is interrupted. */
  readonly keep: boolean;
}

/** The simulator of the product in place of a server. */
export const SIMULATORS = 'simulators';

/** Reads the command line. Throws for words that mean nothing. */
export function optionsOf(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ url: text, model: text, key: text, preset: text, title: text, record: text },
      dialect: { type: 'string', multiple: true },
      save: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const { url, model = MODEL, key, preset, title, record, save, keep } = values;
  const known = [SIMULATORS, ...Object.keys(SERVERS)];
  for (const name of positionals)
    if (!known.includes(name)) throw new Error(`${name} is no server: ${known.join(', ')}`);
  if (preset !== undefined && !isPresetName(preset)) throw new Error(`there is no preset ${preset}`);
  const dialects = values.dialect?.map((word) => {
    const dialect = FAKE_DIALECTS.find((id) => id === word);
    if (dialect === undefined) throw new Error(`there is no dialect ${word}`);
    return dialect;
  });
  const common = { save, keep, ...(record !== undefined && { record }) };
  if (url === undefined) return { names: positionals.length > 0 ? positionals : known, ...common };
  return {
    names: [],
    given: {
      ...{ url: url.replace(/\/+$/, ''), model },
      ...{ ...(key && { key }), ...(preset && { preset }), ...(dialects && { dialects }), ...(title && { title }) },
    },
    ...common,
  };
}
