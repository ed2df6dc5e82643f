import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KEYS, openStage, type Stage } from '../../conversations/stage.js';
import { send } from '../../support/gateway/harness.js';

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  ({ url } = await stage.gateway({ type: 'memory' }));
});
afterAll(() => stage.close());

const as = (key: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[key]}` });

/** What test/conversations/isolation.test.ts asks of other answers, of one that is made in the background. */
test('an answer of the background can be followed, cancelled and deleted by its own caller only (hardening.md row 32)', async () => {
  for (const stream of [false, true]) {
    const body = { model: 'messages', input: 'say something', background: true, stream };
    const made = await send(url, '/v1/responses', { headers: as('a'), body });
    const id = /resp_il[0-9a-f]{44}/.exec(made.text)?.[0] ?? '';
    expect(id).not.toBe('');
    const never = `${id.slice(0, 9)}${'0'.repeat(id.length - 9)}`;
    const attempts = [
      ['GET', ''],
      ['GET', '?stream=true'],
      ['GET', '?stream=true&starting_after=0'],
      ['GET', '/input_items'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const;
    for (const [method, rest] of attempts) {
      const tell = async (one: string) => {
        const { status, text } = await send(url, `/v1/responses/${one}${rest}`, { method, headers: as('b') });
        return [status, text.replaceAll(one, 'ID')];
      };
      const unknown = await tell(never);
      expect([method, rest, unknown[0]]).toEqual([method, rest, 404]);
      for (const shape of [id, id.toUpperCase(), `${id}0`, id.slice(0, -1), id.replace('resp_il', 'resp_')]) {
        expect([shape, await tell(shape)]).toEqual([shape, unknown]);
      }
    }
    const own = await send(url, `/v1/responses/${id}`, { headers: as('a') });
    expect([own.status, own.body.id]).toEqual([200, id]);
    expect(own.body.status).not.toBe('cancelled');
  }
});
