import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../support/load/random.js';
import { type Attack, modelTo } from './attacks.js';

/** Whom the attacker attacks, and as whom. */
export interface Target {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly agent: Agent;
}

/** How often each finding was tried, by how it ended: a status, `left`, or the fault of the connection. */
export type Tried = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Attacker {
  readonly tried: Tried;
  /** Which findings were being tried at some time between two, in ms. */
  during(from: number, to: number): readonly number[];
  /** Attacks until the time is over, so many at a time. */
  run(seconds: number, lanes: number): Promise<void>;
}

/** How long, in ms, the attacker waits for an answer. */
const PATIENCE_MS = 10_000;
/** Connections that are held open at once, and for how long, in ms. */
const HELD = 20;
const HOLD_MS = 3000;

/** A key that sends a mixture of attacks, the same for the same chances. */
export function createAttacker(target: Target, kinds: readonly (readonly Attack[])[], random: Random): Attacker {
  const tried: Record<string, Record<string, number>> = {};
  const note = (row: number, how: string): void => {
    const ends = tried[`row ${row}`] ?? {};
    tried[`row ${row}`] = ends;
    ends[how] = (ends[how] ?? 0) + 1;
  };
  const spans: { readonly row: number; readonly from: number; to: number }[] = [];
  /** Notes when it was tried, and how it ended. */
  const spanned = async <T>(row: number, work: () => Promise<T>): Promise<T> => {
    const span = { row, from: performance.now(), to: Number.POSITIVE_INFINITY };
    spans.push(span);
    const result = await work();
    span.to = performance.now();
    return result;
  };
  const send = (attack: Attack): Promise<void> =>
    spanned(attack.row, async () => note(attack.row, (await sendAttack(target, attack)).how));

  /** Stores a long conversation, and asks for one item of it many times. */
  const store = async (): Promise<void> => {
    const post = (previous: string | undefined): Attack => ({
      row: 12,
      path: '/v1/responses',
      body: Buffer.from(
        JSON.stringify({
          model: modelTo('messages'),
          input: `[[store 1 0 text well]] ${'word '.repeat(200_000)}`,
          previous_response_id: previous,
        }),
      ),
    });
    let id: string | undefined;
    for (let turn = 0; turn < 4; turn += 1) {
      const { how, text } = await spanned(12, () => sendAttack(target, post(id)));
      note(12, how);
      id = /"id": ?"(resp_[^"]+)"/.exec(text)?.[1] ?? id;
    }
    const look: Attack = { row: 12, path: `/v1/responses/${id}/input_items?limit=1` };
    await Promise.all([1, 2, 3, 4].map(() => send(look)));
  };

  /** Bodies that never end, of the key (15), and behind an answer that came at once (14). */
  const hold = async (): Promise<void> => {
    const row = random.chance(0.5) ? 15 : 14;
    const head = row === 15 ? `Authorization: Bearer ${target.key}\r\n` : '';
    await spanned(row, () =>
      Promise.all(Array.from({ length: HELD }, async () => note(row, await holdOpen(target.port, head)))),
    );
  };

  const one = async (): Promise<void> => {
    const place = random.below(kinds.length + 2);
    const kind = kinds[place];
    if (kind === undefined) return place === kinds.length ? store() : hold();
    const attack = kind[random.below(kind.length)];
    if (attack !== undefined) await send(attack);
  };

  return {
    tried,
    during: (from, to) => spans.flatMap((span) => (span.from < to && span.to > from ? [span.row] : [])),
    async run(seconds, lanes) {
      const end = performance.now() + seconds * 1000;
      const lane = async (): Promise<void> => {
        while (performance.now() < end) {
          await one();
          await delay(random.below(20));
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    },
  };
}

/** Never rejects. Of the answer the first 64 kB are read as text. */
function sendAttack(
  { url, agent, key }: Target,
  attack: Attack,
): Promise<{ readonly how: string; readonly text: string }> {
  const { path, headers, body, leaveAfterMs, anybody } = attack;
  return new Promise((resolve) => {
    let how = 'left';
    let text = '';
    const outgoing = request(url, {
      path,
      method: body === undefined ? 'GET' : 'POST',
      agent,
      headers: {
        ...(anybody !== true && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
        ...headers,
      },
    });
    const patience = setTimeout(() => outgoing.destroy(), PATIENCE_MS);
    let leaving: NodeJS.Timeout | undefined;
    outgoing.on('finish', () => {
      if (leaveAfterMs !== undefined) leaving = setTimeout(() => outgoing.destroy(), leaveAfterMs);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (how === 'left' && error.message !== 'socket hang up') how = error.code ?? error.message;
    });
    outgoing.on('response', (response) => {
      how = String(response.statusCode);
      response.on('data', (piece: Buffer) => {
        if (text.length < 64 * 1024) text += piece.toString('latin1');
      });
      response.on('error', () => {});
    });
    outgoing.on('close', () => {
      clearTimeout(patience);
      clearTimeout(leaving);
      resolve({ how, text });
    });
    outgoing.end(body);
  });
}

function holdOpen(port: number, head: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let status = 'held';
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? status;
    });
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    );
    const drip = setInterval(() => socket.write(' '), 500);
    const end = setTimeout(() => socket.destroy(), HOLD_MS);
    socket.on('close', () => {
      clearInterval(drip);
      clearTimeout(end);
      resolve(status);
    });
  });
}
