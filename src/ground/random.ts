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
