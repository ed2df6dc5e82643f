import { randomFillSync } from 'node:crypto';

/** Random bytes are drawn in one go for many ids: a draw of its own costs more than everything else here. */
const pool = Buffer.allocUnsafe(4096);
let at = pool.length;

/** 128 random bits as 32 hex digits. */
export function randomHex(): string {
  if (at === pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  const hex = pool.toString('hex', at, at + 16);
  at += 16;
  return hex;
}

/** 12 hex digits of the time in milliseconds, and the 32 of {@link randomHex}: what is made later sorts behind, so that a store writes it beside. */
export function timedHex(): string {
  return timeHex() + randomHex();
}

/** The nonce of an exchange: the ids of its answers begin with what stands before the dash. */
export function timedNonce(): string {
  return `${timeHex()}-${randomHex()}`;
}

function timeHex(): string {
  return Date.now().toString(16).padStart(12, '0');
}
