import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createWorkplace, PROGRAM } from '../support/gateway/program.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import type { Row } from './measure.js';

const ROUNDS = 9;
const LIBRARY = pathToFileURL(join(PACKAGE_ROOT, 'dist/translators/node/index.js')).href;

/** How much longer than `node -e 0` it takes until something is there, in seconds. */
export async function benchStart(): Promise<readonly Row[]> {
  const place = createWorkplace();
  const nothing = (): number => seconds(['-e', '0']);
  const figures = { help: [] as number[], library: [] as number[], ready: [] as number[] };
  try {
    const config = {
      backends: { b: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9' } },
      models: { m: { backend: 'b' } },
    };
    const file = place.file('bench.json', JSON.stringify(config));
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.help.push(seconds([PROGRAM, '--help']) - nothing());
      figures.library.push(seconds(['--input-type=module', '-e', `await import('${LIBRARY}')`]) - nothing());
      const begun = performance.now();
      const { child, exit } = await place.serve(['--config', file]);
      figures.ready.push((performance.now() - begun) / 1000 - nothing());
      child.kill('SIGKILL');
      await exit;
    }
  } finally {
    await place.end();
  }
  return (['help', 'library', 'ready'] as const).map((target) => ({ target, figures: figures[target] }));
}

function seconds(args: readonly string[]): number {
  const begun = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return (performance.now() - begun) / 1000;
}
