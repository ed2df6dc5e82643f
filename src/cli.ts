#!/usr/bin/env node
import { faultOfRuntime } from './cli/runtime.js';

// Who reads what is printed may be gone. That is no reason to end, least of all for a server.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const fault = faultOfRuntime(process.versions.node);
if (fault === undefined) {
  const words = process.argv.slice(2);
  // Loaded here, so that a runtime that could not even read the rest gets a message that says what is wrong.
  const { collectAlone, isServing, renewWithFlags } = await import('./cli/flags.js');
  if (isServing(words)) {
    renewWithFlags(process);
    // Before anything is compiled for keeping: V8 takes that only with the flags that it was compiled with.
    collectAlone();
  }
  const { keepCompiledCode } = await import('./cli/compile-cache.js');
  keepCompiledCode();
  const { runCommandLine } = await import('./cli/run.js');
  process.exitCode = await runCommandLine(words);
} else {
  process.stderr.write(`interlingua: ${fault}\n`);
  process.exitCode = 1;
}
