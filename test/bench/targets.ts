/** What a row of the table is about, and what it should reach. */
export interface Target {
  readonly what: string;
  /** What its figure is a ratio to; absent for figures that stand for themselves. */
  readonly floor?: string;
  /** The unit of the figure; '' for a ratio. */
  readonly unit: string;
  /** Absent where a figure is shown for comparison alone. */
  readonly reach?: number;
  /** The most that the short form lets pass: twice the reach, and more where a short run has not warmed up yet. */
  readonly limit?: number;
}

const PIPE = '`node:http` pipe';
const NODE = '`node -e 0`';
const BYTES = 'parse and print the same bytes';

/**
 * The rows in their order. In all of them less is better. A request is translated with validation, a request
 * and an event from bytes to bytes; what goes through the gateway is measured in processor time.
 */
export const TARGETS = {
  request: { what: 'request of 117 kB', floor: BYTES, unit: '', reach: 1.4, limit: 4 },
  requestCold: { what: 'request of 117 kB, no text of it seen before', floor: BYTES, unit: '', reach: 1.4 },
  requestMixed: { what: 'request of 117 kB, all pairs in turns', floor: BYTES, unit: '', reach: 1.6, limit: 4 },
  event: { what: 'stream event', floor: 'cut, parse, print, frame', unit: '', reach: 0.8, limit: 2.0 },
  stored: { what: 'small request, stored', floor: PIPE, unit: '', reach: 4.5, limit: 14 },
  small: { what: 'small request', floor: PIPE, unit: '', reach: 3.5, limit: 10 },
  relay: { what: 'small request relayed', floor: PIPE, unit: '', reach: 2.0, limit: 4.5 },
  storedCrowd: { what: 'small request of 64 clients, stored', floor: PIPE, unit: '', reach: 4 },
  smallCrowd: { what: 'small request of 64 clients', floor: PIPE, unit: '', reach: 2 },
  relayCrowd: { what: 'small request of 64 clients, relayed', floor: PIPE, unit: '', reach: 1.3 },
  agent: { what: "an agent's request of 90 kB, 200 events apart", floor: PIPE, unit: '', reach: 2 },
  agentStored: { what: "an agent's request, stored", floor: PIPE, unit: '', reach: 2.6 },
  agentRelayed: { what: "an agent's request, relayed", floor: PIPE, unit: '', reach: 1.3 },
  first: { what: 'each of the first 200 requests of a server that is ready for two seconds', unit: 'ms', reach: 0.8 },
  afterPause: { what: 'small request in a burst after a pause of a minute', floor: PIPE, unit: '', reach: 4 },
  storedStream: { what: '200 events, stored', floor: PIPE, unit: '', reach: 2.0, limit: 4.5 },
  stream: { what: '200 events', floor: PIPE, unit: '', reach: 1.2, limit: 4 },
  storedStreamApart: { what: '200 events, each in a packet of its own, stored', floor: PIPE, unit: '' },
  streamApart: { what: '200 events, each in a packet of its own', floor: PIPE, unit: '' },
  peerPortkey: { what: 'small request', floor: '@portkey-ai/gateway', unit: '', reach: 0.25 },
  peerLitellm: { what: 'small request', floor: 'LiteLLM', unit: '' },
  peerLitellmAgent: { what: "an agent's request of 90 kB, 200 events apart", floor: 'LiteLLM', unit: '' },
  peerRosetta: { what: 'small request', floor: 'llm-rosetta', unit: '' },
  peerRosettaAgent: { what: "an agent's request of 90 kB, 200 events apart", floor: 'llm-rosetta', unit: '' },
  peerLibrary: { what: 'request of 117 kB', floor: 'llm-bridge', unit: '' },
  firstByte: {
    what: 'time to the first byte, one client, median',
    floor: 'a direct call',
    unit: 'ms more',
    reach: 1,
  },
  firstByteWorst: { what: 'the same, 99th percentile', floor: 'a direct call', unit: 'ms more', reach: 2 },
  idle: { what: 'memory, nothing open for 20 s', unit: 'MB', reach: 90 },
  open: { what: 'memory, 1,000 translated streams open', unit: 'MB', reach: 120 },
  stalled: { what: 'held for a translated stream whose reader stalls', unit: 'kB', reach: 256 },
  hostile: { what: 'longest wait of a client beside a body of 30 MB', unit: 'ms', reach: 250 },
  help: { what: '`interlingua --help`', floor: NODE, unit: 's more', reach: 0.1 },
  library: { what: "`import 'interlingua/translators'`", floor: NODE, unit: 's more', reach: 0.1 },
  ready: { what: 'a server is ready', floor: NODE, unit: 's more', reach: 0.3 },
  bundle: { what: 'bundle of `translateRequest` from a dialect to another, gzip', unit: 'kB', reach: 60 },
  bundleWay: { what: 'bundle of a pair, one way, with answers and streams, gzip', unit: 'kB', reach: 80 },
  bundleFetch: { what: 'bundle of `createFetch` for a client and a service, gzip', unit: 'kB', reach: 150 },
  bundleSmall: { what: 'bundle of `explainLoss`, of `createSseCutter`, gzip', unit: 'kB', reach: 5 },
  packages: { what: "a user's install: packages", unit: '', reach: 100 },
  install: { what: "a user's install: size on disk", unit: 'MB', reach: 60 },
  conversations: { what: 'finding a conversation among 10,000', floor: 'among 100', unit: '' },
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof TARGETS;
