import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { viewOf } from '../sdk/wire-view.js';
import type { FakeDialectName, RecordedRequest, Reply } from '../support/fake-backend/index.js';
import type { Agent, Task } from './agents.js';
import { type Outcome, runAgent } from './run.js';
import { startTap, type Tapped } from './tap.js';

/** What stands in the file that an agent is to read. */
export const NOTE = 'The kettle is on the left.';

/** What the model says at the end. */
export const END = 'The note tells where the kettle is.';

/** A model that has the note read, and then tells what it says. */
export function modelFor(agent: Agent, dialect: FakeDialectName): (request: RecordedRequest) => Reply {
  const calls = agent.calls('cat note.txt');
  return (request) => {
    if (viewOf(dialect, request, 'schema') !== undefined) return { kind: 'json', value: agent.verdict };
    if (viewOf(dialect, request, 'results').length > 0) return { kind: 'text', text: END };
    const declared = viewOf(dialect, request, 'toolNames');
    const call = calls.find(({ name }) => declared.includes(name));
    if (call === undefined) throw new Error(`none of the tools runs a command: ${declared.join(' ')}`);
    return { kind: 'reasoning+calls', reasoning: 'The note has to be read.', calls: [call] };
  };
}

/** Lets an agent read the note through the gateway at `url`; gives what it said and what was on the wire. */
export async function readNote(
  agent: Agent,
  { url, ...task }: Omit<Task, 'prompt' | 'home'>,
): Promise<{ readonly outcome: Outcome; readonly exchanges: readonly Tapped[] }> {
  const tap = await startTap(url);
  const place = mkdtempSync(join(tmpdir(), 'interlingua-agents-'));
  try {
    const [home, folder] = [join(place, 'home'), join(place, 'work')];
    mkdirSync(home);
    mkdirSync(folder);
    writeFileSync(join(folder, 'note.txt'), `${NOTE}\n`);
    const outcome = await runAgent(
      agent,
      { ...task, url: tap.url, home, prompt: 'What does note.txt tell?' },
      folder,
      90,
    );
    return { outcome, exchanges: tap.exchanges };
  } finally {
    await tap.close();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}
