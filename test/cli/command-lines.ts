import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { PROGRAM } from '../support/gateway/program.js';

/** What a command line gave. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs what stands on its standard input, and prints what each gave. */
const TOGETHER = `
const { runCommandLine } = await import(process.env.COMMANDS);
const { text } = await import('node:stream/consumers');
const print = process.stdout.write.bind(process.stdout);
// A command that ends its process soon, whatever it forgot, would end those behind it.
const end = process.exit.bind(process);
process.exit = () => {};
const runs = [];
for (const words of JSON.parse(await text(process.stdin))) {
  const run = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk) => {
      run[name] += chunk;
      return true;
    };
  }
  run.code = await runCommandLine(words);
  runs.push(run);
}
print(JSON.stringify(runs), () => end(0));
`;

/**
 * Runs command lines of the built program one after the other in one process, whose start costs more than all of them.
 * They read no standard input, and start nothing that stays. Gives what each of them gave.
 */
export async function runTogether(
  folder: string,
  lines: readonly (readonly string[])[],
  env: Record<string, string>,
): Promise<(line: readonly string[]) => Run> {
  const COMMANDS = pathToFileURL(join(dirname(PROGRAM), 'cli', 'run.js')).href;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TOGETHER], {
    cwd: folder,
    env: { ...process.env, ...env, COMMANDS },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(lines));
  const runs: Run[] = JSON.parse(await text(child.stdout));
  const found = new Map(lines.map((line, index) => [line.join(' '), runs[index]] as const));
  return (line) => {
    const run = found.get(line.join(' '));
    if (run === undefined) throw new Error(`${line.join(' ')} was not run`);
    return run;
  };
}
