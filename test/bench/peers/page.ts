import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../support/package-root.js';
import { GROUPS, type Peer, type Result, readPeers, readResults, readSpeed } from './results.js';

/** The page, and where the part that the runs make stands in it. */
export const PAGE = join(PACKAGE_ROOT, 'docs', 'comparison.md');
export const MARKS = /(?<=<!-- comparison -->\n)[\s\S]*?(?=<!-- end of comparison -->)/;

const LETTERS = { messages: 'M', responses: 'R', generateContent: 'G', chatCompletions: 'H' } as const;
const DIALECTS = Object.keys(LETTERS) as readonly (keyof typeof LETTERS)[];
const PAIRS = DIALECTS.flatMap((client) => DIALECTS.map((backend) => [client, backend] as const));

/** What each file of tests asks, for the head of a table. */
const ASKED = {
  text: 'text, usage',
  tools: 'tools',
  reasoning: 'reasoning',
  output: 'schemas, pictures, ends',
  errors: 'errors',
} as const satisfies Readonly<Record<(typeof GROUPS)[number], string>>;

/** The failing tests that are named for each peer. */
const NAMED = 6;

/** The part of docs/comparison.md that the runs make. */
export function printComparison(): string {
  const results = readResults();
  const peers = readPeers();
  const names = [...results.keys()];
  const title = (name: string): string => peers[name]?.title ?? name;
  return [
    '## What was run\n',
    tableOf(
      ['', 'Version', 'Run', 'What it is, and how it was configured'],
      [...results].map(([name, { version, date }]) => [
        title(name),
        version,
        date,
        `${peerOf(peers, name).about} ${peerOf(peers, name).configured}`,
      ]),
    ),
    '\n## Fidelity\n',
    'Passed tests, whole and streamed. M is messages, R responses, G generateContent, H chat completions; client > backend. A pair without',
    'a figure has no route there and does not count.\n',
    tableOf(
      ['', ...PAIRS.map(([client, backend]) => `${LETTERS[client]}>${LETTERS[backend]}`), 'Together', 'Without errors'],
      [
        ['tests', ...PAIRS.map((pair) => String(sumOf(results.get('interlingua'), pair)[1])), '', ''],
        ...names.map((name) => rowOf(title(name), results.get(name))),
      ],
    ),
    '\nThe same by what the tests ask:\n',
    tableOf(
      ['', ...GROUPS.map((group) => ASKED[group])],
      names.map((name) => [title(name), ...GROUPS.map((group) => share(groupSum(results.get(name), group)))]),
    ),
    '\n## What falls short most often, and what is better there than here\n',
    ...names.slice(1).flatMap((name) => portrait(title(name), peerOf(peers, name), results.get(name))),
    '## Cost\n',
    `${readSpeed().date}, interlingua ${readSpeed().version}, ${readSpeed().machine}. Processor time of an exchange, chat completions to messages, ours and theirs in turns:\n`,
    tableOf(
      ['', 'Beside', 'Theirs', 'Ours', 'Ours of theirs'],
      readSpeed().rows.map(({ what, peer, ours, theirs, ratio }) => [
        what,
        peer,
        `${theirs} ms`,
        `${ours} ms`,
        `${Math.round(ratio * 100)} %`,
      ]),
    ),
  ].join('\n');
}

function peerOf(peers: Readonly<Record<string, Peer>>, name: string): Peer {
  const peer = peers[name];
  if (peer === undefined) throw new Error(`test/bench/peers/peers.yaml has no ${name}`);
  return peer;
}

type Sum = readonly [passed: number, run: number];

function add(sums: readonly (Sum | undefined)[]): Sum {
  return sums.reduce<Sum>(([passed, run], sum) => [passed + (sum?.[0] ?? 0), run + (sum?.[1] ?? 0)], [0, 0]);
}

function sumOf(result: Result | undefined, [client, backend]: readonly [string, string]): Sum {
  return add(Object.values(result?.pairs[`${client}, ${backend}`] ?? {}));
}

function groupSum(result: Result | undefined, group: (typeof GROUPS)[number]): Sum {
  return add(Object.values(result?.pairs ?? {}).map((groups) => groups[group]));
}

function rowOf(title: string, result: Result | undefined): readonly string[] {
  const sums = PAIRS.map((pair) => sumOf(result, pair));
  return [
    title,
    ...sums.map(([passed, run]) => (run === 0 ? '' : String(passed))),
    share(add(sums)),
    share(withoutErrors(result)),
  ];
}

function withoutErrors(result: Result | undefined): Sum {
  return add(GROUPS.filter((group) => group !== 'errors').map((group) => groupSum(result, group)));
}

function share([passed, run]: Sum): string {
  return run === 0 ? '' : `${passed} of ${run}, ${Math.round((100 * passed) / run)} %`;
}

function portrait(title: string, { better }: Peer, result: Result | undefined): readonly string[] {
  const failed = Object.entries(result?.failed ?? {}).slice(0, NAMED);
  return [
    `### ${title}\n`,
    `Fails most often: ${failed.map(([test, times]) => `*${test}* (${times})`).join('; ')}.\n`,
    'Better than ours:\n',
    `${better.map((line) => `- ${line}`).join('\n')}\n`,
  ];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
