#!/usr/bin/env node
import { keepCompiledCode } from './cli/compile-cache.js';
import { isServing, type Renewable, renewWithFlags } from './cli/flags.js';
import { faultOfRuntime } from './cli/runtime.js';

// Who reads what is printed may be gone. That is no reason to end, least of all for a server.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const fault = faultOfRuntime(process.versions.node);
if (fault === undefined) {
  const words = process.argv.slice(2);
  if (isServing(words)) renewWithFlags(process as unknown as Renewable);
  keepCompiledCode();
  // Loaded here, so that a runtime that could not even read the rest gets a message that says what is wrong.
  const { runCommandLine } = await import('./cli/run.js');
  process.exitCode = await runCommandLine(words);
} else {
  process.stderr.write(`interlingua: ${fault}\n`);
  process.exitCode = 1;
}
