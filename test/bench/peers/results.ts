import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readData } from '../../support/frames.js';
import { PACKAGE_ROOT } from '../../support/package-root.js';

/** The files of test/sdk whose tests are counted. */
export const GROUPS = ['text', 'tools', 'reasoning', 'output', 'errors'] as const;

/** By client and backend (`messages, responses`) and by file: tests that passed, and all that ran, whole and streamed. */
export type Pairs = Readonly<
  Record<string, Readonly<Partial<Record<(typeof GROUPS)[number], readonly [passed: number, run: number]>>>>
>;

/** One gateway in front of the fakes of all dialects. */
export interface Result {
  readonly version: string;
  readonly date: string;
  readonly pairs: Pairs;
  /** How often each test failed, the most frequent first. */
  readonly failed: Readonly<Record<string, number>>;
}

/** Processor time in ms, ours and theirs in turns. */
export interface Speed {
  readonly date: string;
  /** Ours. */
  readonly version: string;
  readonly machine: string;
  readonly rows: readonly {
    readonly what: string;
    readonly peer: string;
    readonly ours: number;
    readonly theirs: number;
    readonly ratio: number;
  }[];
}

/** What a person says of a peer, beside what was measured. */
export interface Peer {
  readonly title: string;
  readonly about: string;
  /** How it was configured, and why so. */
  readonly configured: string;
  /** What it does better than we do. */
  readonly better: readonly string[];
}

/** Where `npm run bench:peers` writes. */
export const RESULTS = join(PACKAGE_ROOT, 'test/bench/peers/results');

/** The runs by the name of their file, ours first. */
export function readResults(): ReadonlyMap<string, Result> {
  const names = readdirSync(RESULTS).map((file) => file.replace('.yaml', ''));
  const peers = names.filter((name) => name !== 'speed' && name !== 'interlingua').sort();
  return new Map(['interlingua', ...peers].map((name) => [name, readData(`bench/peers/results/${name}.yaml`)]));
}

export function readSpeed(): Speed {
  return readData('bench/peers/results/speed.yaml');
}

/** By the names of the runs. */
export function readPeers(): Readonly<Record<string, Peer>> {
  return readData('bench/peers/peers.yaml');
}
