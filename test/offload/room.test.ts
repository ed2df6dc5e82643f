import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Asked, createRoom, type Reservation } from '../../src/offload/room.js';

/** In the unit of these tests a body of 1 is work of 6, and 3 as long as it is open. */
const SIZES = { work: 24, open: 1000, waiting: 100 };
const PATIENCE = 1000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A room, and who is in it. */
function stage(sizes = SIZES) {
  const room = createRoom(sizes, PATIENCE, () => Date.now());
  const inside: string[] = [];
  const held = new Map<string, Reservation>();
  const refused: string[] = [];
  const asked = new Map<string, Asked>();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return {
    inside,
    refused,
    /** `a1` is a body of key `a`; `-1` one of a caller that shares with nobody. */
    async ask(name: string, bytes: number): Promise<void> {
      const one = room.take(name.startsWith('-') ? undefined : name.slice(0, 1), bytes);
      asked.set(name, one);
      one.held.then(
        (place) => {
          inside.push(name);
          held.set(name, place);
        },
        (thrown: Error) => refused.push(`${name}: ${thrown.message}`),
      );
      await settle();
    },
    async sent(name: string): Promise<void> {
      held.get(name)?.sent();
      await settle();
    },
    async leave(name: string): Promise<void> {
      held.get(name)?.leave();
      await settle();
    },
    async abort(name: string): Promise<void> {
      asked.get(name)?.abort();
      await settle();
    },
    async later(ms: number): Promise<void> {
      await jest.advanceTimersByTimeAsync(ms);
    },
  };
}

const FULL = 'the gateway has too many large bodies to work on';

describe('one key leaves others half of the room', () => {
  test('however much it wants, another comes in at once', async () => {
    const { ask, inside } = stage();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await ask(name, 2);
    expect(inside).toEqual(['a1']);
    await ask('b1', 2);
    expect(inside).toEqual(['a1', 'b1']);
  });

  test('a body that is larger than its share comes in alone of its key, and keeps out no other key', async () => {
    const { ask, inside, leave } = stage();
    await ask('a1', 50);
    await ask('a2', 1);
    await ask('b1', 2);
    expect(inside).toEqual(['a1', 'b1']);
    await leave('a1');
    expect(inside).toEqual(['a1', 'b1', 'a2']);
  });

  test('who shares with nobody has all of it', async () => {
    const { ask, inside } = stage();
    for (const name of ['-1', '-2', '-3']) await ask(name, 2);
    expect(inside).toEqual(['-1', '-2']);
  });

  test('what waits of one key is bounded, and another key still waits', async () => {
    const { ask, inside, refused } = stage({ ...SIZES, waiting: 12 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) await ask(name, 2);
    expect(inside).toEqual(['a1']);
    expect(refused).toEqual([]);
    await ask('a5', 2);
    expect(refused).toEqual([`a5: ${FULL}`]);
    for (const name of ['b1', 'b2']) await ask(name, 2);
    expect([inside, refused.length]).toEqual([['a1', 'b1'], 1]);
  });

  test('what is open of one key is bounded after its requests were sent', async () => {
    const { ask, inside, sent, leave } = stage({ ...SIZES, open: 24 });
    for (const name of ['a1', 'a2', 'a3']) {
      await ask(name, 2);
      await sent(name);
    }
    expect(inside).toEqual(['a1', 'a2']);
    await ask('b1', 2);
    expect(inside).toEqual(['a1', 'a2', 'b1']);
    await leave('a1');
    expect(inside).toEqual(['a1', 'a2', 'b1', 'a3']);
  });
});

describe('room is served in turn', () => {
  test('keys one after the other, and bodies of a key in the order of coming', async () => {
    const { ask, inside, sent } = stage({ ...SIZES, work: 12 });
    await ask('-1', 2);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) await ask(name, 1);
    expect(inside).toEqual(['-1']);
    await sent('-1');
    expect(inside).toEqual(['-1', 'a1', 'b1']);
    await sent('a1');
    await sent('b1');
    expect(inside).toEqual(['-1', 'a1', 'b1', 'c1', 'a2']);
  });

  test('a small body passes a large one of another key until that has waited for half of its patience', async () => {
    const { ask, inside, sent, later } = stage();
    await ask('a1', 2);
    await ask('b1', 1);
    await ask('c1', 2);
    expect(inside).toEqual(['a1', 'b1']);
    await ask('d1', 1);
    expect(inside).toEqual(['a1', 'b1', 'd1']);
    await later(PATIENCE / 2);
    await sent('b1');
    await ask('e1', 1);
    expect(inside).toEqual(['a1', 'b1', 'd1']);
    await sent('d1');
    expect(inside).toEqual(['a1', 'b1', 'd1', 'c1']);
  });

  test('room is given back when the request is sent, and what is given back twice counts once', async () => {
    const { ask, inside, sent, leave } = stage();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await ask(name, 2);
    await sent('a1');
    await sent('a1');
    expect(inside).toEqual(['a1', 'a2']);
    await leave('a1');
    await leave('a1');
    expect(inside).toEqual(['a1', 'a2']);
    await leave('a2');
    expect(inside).toEqual(['a1', 'a2', 'a3']);
  });
});

describe('who waits', () => {
  test('is refused when the patience ends, and what it waited with is free', async () => {
    const { ask, refused, inside, later } = stage({ ...SIZES, waiting: 4 });
    await ask('a1', 2);
    await ask('a2', 2);
    await later(PATIENCE);
    expect(refused).toEqual([`a2: ${FULL}`]);
    await ask('a3', 2);
    expect([inside, refused]).toEqual([['a1'], [`a2: ${FULL}`]]);
  });

  test('leaves the row when its client goes away', async () => {
    const { ask, abort, leave, refused, inside } = stage();
    for (const name of ['a1', 'a2', 'a3']) await ask(name, 2);
    await abort('a2');
    expect(refused).toEqual(['a2: the client went away']);
    await leave('a1');
    expect(inside).toEqual(['a1', 'a3']);
    await abort('a3');
    expect(refused).toHaveLength(1);
  });
});
