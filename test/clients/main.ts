import { runOf, SIMULATED, saveRun } from '../compatibility/results.js';
import { FAKE_DIALECTS } from '../support/fake-backend/index.js';
import { isThere } from '../support/programs.js';
import { knownIn } from './known.js';
import { attemptIn, LANGUAGES, runProgram } from './languages.js';
import { openScene } from './scene.js';
import { judge, type Row, readRow } from './verdict.js';

/**
 * `npm run clients:LANGUAGE` asks the built gateway with that language's clients: whole, streamed, slowly streamed and broken
 * answers of all four backends. It prints passed of run for each client and backend, and what fell. Exits with 1 where
 * something fell that is not known, or something known no longer falls; with 0, and a sentence, where the clients cannot be
 * had. `--save` keeps the run for docs/compatibility.md.
 */
const [, , name = '', ...words] = process.argv;
const language = LANGUAGES[name];
if (language === undefined) throw new Error(`a language is one of ${Object.keys(LANGUAGES).join(', ')}`);
process.exitCode = await run();

async function run(): Promise<number> {
  if (language === undefined) return 1;
  const { title, tools } = language;
  const missing = tools.find((tool) => !isThere(tool));
  if (missing !== undefined) return skip(`${missing} is not on this machine`);
  const seconds = stopwatch();
  for (const command of language.install()) {
    const failure = attemptIn(name, command);
    if (failure !== undefined) return skip(`they cannot be installed here: ${failure}`);
  }
  for (const command of language.build()) {
    const failure = attemptIn(name, command);
    if (failure === undefined) continue;
    console.error(failure);
    return 1;
  }
  const ready = seconds();
  const rows: Row[] = [];
  const known = knownIn('clients/known.yaml')[name] ?? [];
  const scene = await openScene();
  try {
    const failure = await runProgram(name, language.program(), scene.told, (line) => {
      const row = readRow(line);
      if (row !== undefined) rows.push(row);
    });
    const { text, good } = judge(rows, known);
    console.log(`${text}\n`);
    const times = `${ready} s to install, ${seconds() - ready} s to run`;
    console.log(
      `Clients of ${title}: ${rows.filter(({ why }) => why === null).length} of ${rows.length} passed, ${times}`,
    );
    if (failure !== undefined) console.error(failure);
    if (failure === undefined && words.includes('--save')) {
      const backends = Object.fromEntries(FAKE_DIALECTS.map((id) => [id, { group: SIMULATED, endpoint: id }]));
      const command = `npm run clients:${name}`;
      saveRun(`clients-${name}`, runOf({ language: name, command, rows, known, backends }));
    }
    return failure === undefined && good ? 0 : 1;
  } finally {
    await scene.close();
  }
}

function skip(reason: string): number {
  console.log(`The clients of ${language?.title} are left out: ${reason}`);
  return 0;
}

/** Whole seconds since now. */
function stopwatch(): () => number {
  const begun = performance.now();
  return () => Math.round((performance.now() - begun) / 1000);
}
