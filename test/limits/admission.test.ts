import { expect, test } from '@jest/globals';
import type { Gateway } from '../../src/gateway/gateway.js';
import type { ClientCall } from '../../src/http/client-call.js';
import { admitCall, settleCall } from '../../src/limits/admission.js';
import type { Admitted } from '../../src/limits/limiter.js';

/** A limiter that decides when it is told to, and what became of what it admitted. */
function slowLimiter() {
  const seen = { charged: [] as number[], ended: 0 };
  let decide: (admitted: Admitted) => void = () => {};
  const decision = new Promise<Admitted>((resolve) => {
    decide = resolve;
  });
  const admitted: Admitted = {
    limits: {},
    charge: (tokens) => seen.charged.push(tokens),
    end() {
      seen.ended += 1;
    },
  };
  const gateway = { limiter: { admit: () => decision }, meter: {} } as unknown as Gateway;
  return { gateway, seen, decide: () => decide(admitted) };
}

function callOf(): ClientCall {
  const record = { facts: { inputTokens: 3, outputTokens: 4 } };
  return { key: { name: 'k' }, dialect: 'messages', gone: false, record, response: {} } as unknown as ClientCall;
}

test('a client that goes away while the counts are asked holds no place', async () => {
  const { gateway, seen, decide } = slowLimiter();
  const call = callOf();
  const admitted = admitCall(gateway, call, 'conversation');
  call.gone = true;
  settleCall(call);
  decide();
  await expect(admitted).rejects.toThrow('the client went away');
  expect(seen).toEqual({ charged: [], ended: 1 });
  expect(call.admission).toBeUndefined();
});

test('a call is settled once, by whoever holds it last', async () => {
  const { gateway, seen, decide } = slowLimiter();
  const call = callOf();
  decide();
  await admitCall(gateway, call, 'conversation');
  const later = { ...callOf(), admission: call.admission?.handOver() };
  settleCall(call);
  expect(seen).toEqual({ charged: [], ended: 0 });
  settleCall(later);
  settleCall(later);
  expect(seen).toEqual({ charged: [7], ended: 1 });
});
