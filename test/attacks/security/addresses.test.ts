import { describe, expect, test } from '@jest/globals';
import { createFetcher } from '../../../src/downloads/fetch.js';
import { createGuard } from '../../../src/downloads/guard.js';
import { isPublicAddress } from '../../../src/ground/addresses.js';
import { address4, address6, BLOCKS_4, BLOCKS_6, EMBEDDED, edgesOf, numberOf } from './blocks.js';

const guard = createGuard([]);

/** What the guard says of a URL and what it does with a name that leads to the address. */
async function letIn(address: string): Promise<boolean> {
  const host = address.includes(':') ? `[${address}]` : address;
  const byUrl = guard.refuse(new URL(`http://${host}/x`)) === undefined;
  return byUrl || isPublicAddress(address);
}

describe('no special-purpose address is let in (hardening.md row 5)', () => {
  test.each(BLOCKS_4)('%s', async (block) => {
    for (const number of edgesOf(block)) {
      expect([address4(number), await letIn(address4(number))]).toEqual([address4(number), false]);
      for (const [form, embed] of Object.entries(EMBEDDED)) {
        expect([form, embed(number), await letIn(embed(number))]).toEqual([form, embed(number), false]);
      }
    }
  });

  test.each(BLOCKS_6)('%s', async (block) => {
    for (const number of edgesOf(block)) {
      expect([address6(number), await letIn(address6(number))]).toEqual([address6(number), false]);
    }
  });

  test('nor any embedded form of a public one: where it leads is decided elsewhere', async () => {
    for (const [form, embed] of Object.entries(EMBEDDED)) {
      const address = embed(numberOf('8.8.8.8'));
      expect([form, await letIn(address)]).toEqual([form, false]);
    }
  });

  test('what stands just outside of a block of IPv4 is public, unless another block begins there', () => {
    const special = BLOCKS_4.map((block) => edgesOf(block));
    const inBlock = (number: bigint) => special.some(([first = 0n, , last = 0n]) => number >= first && number <= last);
    const outside = special
      .flatMap(([first = 0n, , last = 0n]) => [first - 1n, last + 1n])
      .filter((number) => number >= 0n && number < 1n << 32n && !inBlock(number));
    expect(outside.length).toBeGreaterThan(20);
    for (const number of outside)
      expect([address4(number), isPublicAddress(address4(number))]).toEqual([address4(number), true]);
  });
});

test('a name that leads to any of them is refused when it is connected, also in a list with a public one (hardening.md rows 4, 6)', async () => {
  const addresses = [
    ...BLOCKS_4.flatMap((block) => edgesOf(block).map(address4)),
    ...BLOCKS_6.flatMap((block) => edgesOf(block).map(address6)),
  ];
  let answer: string[] = [];
  const fetcher = createFetcher(
    createGuard([], (_host, _options, done) =>
      done(
        null,
        answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    ),
    { bytes: 1024, deadline: 1000, on: true },
  );
  for (const address of addresses) {
    for (answer of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
      await expect(fetcher.fetch('http://name.example:8081/x', '')).rejects.toMatchObject({
        message: 'the URL does not lead to a public address',
      });
    }
  }
  fetcher.close();
});
