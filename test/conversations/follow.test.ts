import { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import type { BackgroundJob } from '../../src/conversations/background-job.js';
import { followJob } from '../../src/conversations/follow.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import type { ClientCall } from '../../src/http/client-call.js';

/** A client that reads nothing until it is told to. */
class Slow extends ServerResponse {
  text = '';
  reads = false;
  override write(piece: unknown): boolean {
    this.text += String(piece);
    return this.reads;
  }
  override writeHead(): this {
    return this;
  }
  override end(): this {
    return this;
  }
}

function stage() {
  const response = new Slow(Object.assign(Object.create(null), { method: 'GET' }));
  const call = { request: {}, response, dialect: 'responses', id: 'req_1', gone: false, record: {} };
  const limits = { heartbeatSeconds: 60, writeIdleSeconds: 60 };
  const listeners = new Set<() => void>();
  const frames: string[] = [];
  const run = {
    frames,
    over: false,
    answer: { status: 'completed' },
    listen(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    response,
    call: call as unknown as ClientCall,
    gateway: { config: { limits } } as unknown as Gateway,
    run: run as unknown as BackgroundJob & { over: boolean },
    frames,
    listeners,
    tell() {
      for (const listener of listeners) listener();
    },
  };
}

test('a client that does not read is not written to, and gets everything once it does', async () => {
  const { response, call, gateway, run, frames, listeners, tell } = stage();
  frames.push('0', '1');
  const ended = followJob(gateway, call, run, 0);
  expect(response.text).toBe('1');
  for (let n = 2; n < 100; n += 1) frames.push(`,${n}`);
  tell();
  expect(response.text).toBe('1');
  run.over = true;
  tell();
  expect(listeners.size).toBe(1);
  response.reads = true;
  response.emit('drain');
  await ended;
  expect(response.text).toBe(frames.slice(1).join(''));
  expect(listeners.size).toBe(0);
});

test('a client that goes away is listened for no more', async () => {
  const { call, gateway, run, listeners } = stage();
  const ended = followJob(gateway, call, run, -1);
  expect(listeners.size).toBe(1);
  call.running?.abort();
  await ended;
  expect(listeners.size).toBe(0);
  const late = stage();
  late.call.gone = true;
  await followJob(late.gateway, late.call, late.run, -1);
  expect(late.listeners.size).toBe(0);
});
