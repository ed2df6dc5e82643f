/**
 * The health check of containers: asks `/healthz` of the gateway that the same environment and the same file configure, and
 * exits with 0 when it answers.
 */
import { loadConfig } from '../config/index.js';

/** How long, in ms, an answer may take. */
const PATIENCE_MS = 2000;

/** Addresses that stand for all of a machine, and those that reach it. */
const REACHED: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

const { host, port } = loadConfig().listen;
const name = REACHED[host] ?? (host.includes(':') ? `[${host}]` : host);
const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
  () => undefined,
);
process.exitCode = answer?.ok === true ? 0 : 1;
