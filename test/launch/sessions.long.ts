import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LaunchPlace, openLaunchPlace, type Said } from './support.js';

/** What a launch leaves for later ones: that it was the first, and the answers that an agent names again. */

const CLAUDE = ['claude', '--model', 'mine', '--config', 'one.json'];

let room: LaunchPlace;

beforeAll(async () => {
  room = await openLaunchPlace();
});
afterAll(() => room.close());

describe('interlingua launch', () => {
  test('says in three lines what happens when an agent is launched for the first time', async () => {
    const home = mkdtempSync(join(room.place, 'first-'));
    const said = async (agent: string): Promise<string[]> => {
      const words = [agent, '--model', 'mine', '--small', 'own-x', '--config', 'one.json', '--', 'end', '0'];
      return (await room.launch(words, { HOME: home }).outcome).stderr.trim().split('\n');
    };
    const [first, again] = [await said('claude'), await said('claude')];
    expect(first).toEqual([
      expect.stringMatching(
        /^interlingua: Claude Code asks a gateway of its own at http:\/\/127\.0\.0\.1:\d+, which ends with it; /,
      ),
      'interlingua: mine is local (responses) gpt-5; work in the background local (responses) x',
      'interlingua: at its end a line shows what was used; --print shows what is set, --check asks once',
      'interlingua: 0 turns, 0 tokens in, 0 out, 0 losses',
    ]);
    expect(again).toEqual(first.slice(3));
    expect((await said('codex')).length).toBe(5);
  });

  test('a later launch knows the answers of an earlier one, in a folder of the user alone', async () => {
    const respond = async (does: string, env = {}): Promise<Said | undefined> =>
      (await room.launch([...CLAUDE, '--', does, '0'], env).outcome).said[1];
    const first = await respond('respond');
    expect(first?.status).toBe(200);
    const later = `respond:${first?.body.id}`;
    expect((await respond(later))?.status).toBe(200);
    expect(JSON.stringify(room.backend.requests.at(-1)?.body)).toMatch(/Hello.*Hello/);
    const state = join(room.home, '.local', 'state', 'interlingua', 'launch');
    expect(statSync(state).mode & 0o077).toBe(0);
    expect((await respond(later, { XDG_STATE_HOME: join(room.place, 'elsewhere') }))?.status).toBe(400);
  });

  test('a configuration that keeps nothing on disk keeps nothing there in a launch', async () => {
    const one = JSON.parse(readFileSync(join(room.place, 'one.json'), 'utf8'));
    writeFileSync(join(room.place, 'off.json'), JSON.stringify({ ...one, store: { type: 'off' } }));
    const state = join(room.place, 'nothing');
    const words = ['claude', '--model', 'mine', '--config', 'off.json', '--', 'respond', '0'];
    const { said } = await room.launch(words, { XDG_STATE_HOME: state }).outcome;
    expect([said[1]?.status, existsSync(state)]).toEqual([200, false]);
  });
});
