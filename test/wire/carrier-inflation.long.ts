import { expect, test } from '@jest/globals';
import { deflateSync } from 'fflate';
import { decodeCarrier, INFLATION_LIMIT } from '../../translators/wire/carrier.js';
import { costOf } from '../support/cost.js';
import { deflated } from './forge.js';

test('inflation stops at 16 MiB', () => {
  expect(decodeCarrier(deflated(INFLATION_LIMIT, INFLATION_LIMIT))?.entries[0]?.payload).toHaveLength(INFLATION_LIMIT);
  expect(decodeCarrier(deflated(INFLATION_LIMIT + 1, INFLATION_LIMIT + 1))).toBeUndefined();
});

test('a bomb is left soon after its claim proves false', async () => {
  const bomb = deflateSync(new Uint8Array(INFLATION_LIMIT + 4 * 1024 * 1024));
  const texts = [
    deflated(0, 1, bomb),
    deflated(0, 5000, bomb),
    deflated(0, INFLATION_LIMIT, bomb),
    deflated(0, 1, bomb.slice(0, 10_000)),
  ];
  const read = (): void => expect(texts.map((text) => decodeCarrier(text))).toEqual(texts.map(() => undefined));
  expect(await costOf(read, 800)).toBeLessThan(800);
});
