import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { connectResponses } from '../support/clients.js';
import { createWorkplace, type Served, until } from '../support/gateway/program.js';

/** A full disk costs stored answers their `store: true` and nothing else (attacks.md finding 5). */
const place = createWorkplace();
afterAll(() => place.end());

const CAN_LIMIT = spawnSync('prlimit', ['--version']).status === 0;
const LIMITED = CAN_LIMIT ? '' : ' (skipped: there is no prlimit on this machine)';

/** Text that nothing compresses by much. */
function noise(length: number): string {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

function configure(path: string): string {
  const config = {
    backends: { sim: { dialect: 'messages', simulator: true } },
    store: { type: 'lmdb', path },
  };
  return place.file(`config-${Math.random().toString(36).slice(2)}.json`, JSON.stringify(config));
}

/** Lets the process write no byte beyond what the file of its store has; all others go on as before. */
function limitFiles({ child }: Served, limit: string): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${limit}:`]);
}

async function ask(served: Served, previous?: string, stream = false): Promise<{ id: string; store: unknown }> {
  const client = connectResponses(served.url);
  const body = { model: 'sim', input: noise(20_000), previous_response_id: previous };
  if (!stream) {
    const answer = await client.responses.create(body);
    expect(answer.output_text).not.toBe('');
    return { id: answer.id, store: Object(answer).store };
  }
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === 'response.completed') return { id: event.response.id, store: Object(event.response).store };
  }
  throw new Error('the stream has no last word');
}

async function isKnown(served: Served, id: string): Promise<boolean> {
  const answer = await fetch(`${served.url}/v1/responses/${id}`);
  await answer.text();
  return answer.status === 200;
}

/** Asks, one after the other and at once, until answers are not kept any more. */
async function fill(served: Served): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) if ((await ask(served)).store === false) return;
  throw new Error('the store takes everything');
}

(CAN_LIMIT ? test : test.skip)(
  `a disk that is full ends nobody, and storing goes on when it has room${LIMITED}`,
  async () => {
    const served = await place.serve(['--config', configure('store')]);
    const before = await ask(served);
    expect(before.store).toBe(true);
    limitFiles(served, String(statSync(join(place.folder, 'store', 'state.mdb')).size));
    await fill(served);
    // Several commits at once, in one transaction and in several.
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(served, before.id, n % 2 === 0)));
    expect(answers.map(({ store }) => store)).toEqual(answers.map(() => false));
    expect(await Promise.all(answers.map(({ id }) => isKnown(served, id)))).toEqual(answers.map(() => false));
    // What was promised is still there.
    expect(await isKnown(served, before.id)).toBe(true);
    expect(served.child.exitCode).toBeNull();
    const reasons = () => served.entries().filter(({ msg }) => msg === 'an answer could not be stored');
    await until(() => reasons().length >= 12, 'twelve reasons');
    expect(reasons()[0]?.reason).toBe('the store file cannot be written; is the disk full?');

    limitFiles(served, 'unlimited');
    const after = await ask(served, before.id);
    expect(after.store).toBe(true);
    expect(await isKnown(served, after.id)).toBe(true);
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(0);
  },
);

const small = join(place.folder, 'small');
mkdirSync(small);
const CAN_MOUNT = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]).status === 0;
const MOUNTED = CAN_MOUNT ? '' : ' (skipped: nothing can be mounted here)';

(CAN_MOUNT ? test : test.skip)(`a start on a full disk without a store says so in one line${MOUNTED}`, async () => {
  try {
    writeFileSync(join(small, 'rest'), Buffer.alloc(2 ** 20));
    const child = place.start(['serve', '--port', '0', '--config', configure(join(small, 'store'))]);
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, errors]).toEqual([1, expect.stringMatching(/^[^\n]*store\.path[^\n]*\(ENOSPC\)[^\n]*\n$/)]);
  } finally {
    spawnSync('umount', [small]);
  }
});
