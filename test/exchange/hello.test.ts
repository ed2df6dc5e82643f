import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Part } from '../../translators/canonical/content.js';
import { createFold } from '../../translators/canonical/fold.js';
import {
  type CanonicalResponse,
  createLosses,
  type DialectId,
  decodeResponse,
  dialectIds,
  dialects,
  isCounted,
  type Loss,
} from '../../translators/index.js';
import { ANSWERS, streamOf } from '../recordings/recordings.js';
import { CORPUS_ABSENT, corpusPresent, recordedExchanges } from '../support/corpus.js';
import {
  ASK,
  EVENT_STREAM,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  vendorsAt,
} from '../support/gateway/harness.js';
import { lossCounts } from '../support/loss-counts.js';
import { crossPairsOf, pairsOf } from '../support/pairs.js';

/** How many losses the header says that strict would count. */
function countedIn(header: unknown): number {
  return header === '0' ? 0 : lossCounts(header).counted;
}

/** Those losses of a stream that strict would count, by the comments in it. */
function countedInside(text: string): Loss[] {
  const said = [...text.matchAll(/^: interlingua-loss (.*)$/gm)].map(([, loss = '']) => JSON.parse(loss) as Loss);
  return said.filter(isCounted);
}

describe('the simulator says Hello', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backends: Object.fromEntries(dialectIds.map((dialect) => [dialect, { dialect, simulator: true }])),
      models: Object.fromEntries(dialectIds.map((dialect) => [dialect, { backend: dialect }])),
    });
  });
  afterAll(() => gateway.close());

  test.each(pairsOf(dialectIds))(
    '%s client, %s backend: whole and streamed, nothing is lost',
    async (client, backend) => {
      for (const { path, body } of [ASK[client](backend), STREAM[client](backend)]) {
        const { status, headers, text } = await send(gateway.url, path, { body });
        expect([status, countedIn(headers['x-interlingua-losses']), countedInside(text)]).toEqual([200, 0, []]);
      }
    },
  );
});

interface Answer {
  readonly name: string;
  readonly dialect: DialectId;
  readonly whole?: unknown;
  readonly stream?: string;
}

/** What servers answered, recorded, as far as it is nothing but a text that ended by itself and without a source. */
function plainAnswers(): Answer[] {
  const recorded = dialectIds.flatMap((dialect) =>
    recordedExchanges(dialect)
      .filter(({ status }) => status === 200)
      .map(({ name, response, stream }) => ({ name, dialect, whole: response, stream: stream?.toString() })),
  );
  const served = ANSWERS.map((recording) => {
    const { name, dialect, response } = recording;
    return { name, dialect, whole: response.body, stream: streamOf(recording) };
  });
  return [...recorded, ...served].filter((answer) => {
    const read = readAnswer(answer);
    return read !== undefined && isPlain(read);
  });
}

function readAnswer({ dialect, whole, stream }: Answer): CanonicalResponse | undefined {
  try {
    return stream === undefined ? decodeResponse(dialect, whole).value : foldOf(dialect, stream);
  } catch {
    return undefined;
  }
}

function foldOf(dialect: DialectId, stream: string): CanonicalResponse | undefined {
  const fold = createFold(dialect);
  const { createStreamDecoder, target } = dialects[dialect];
  const decoder = createStreamDecoder({ losses: createLosses(), domain: 'd', target: target('') }, fold.sink);
  decoder.push(stream);
  decoder.end();
  return fold.response;
}

function isPlain({ parts, finish }: CanonicalResponse): boolean {
  if (finish.kind !== 'end' || finish.raw === '') return false;
  return parts.some((part) => part.kind === 'text' && part.text !== '') && parts.every(isPlainText);
}

function isPlainText(part: Part): boolean {
  if (part.kind !== 'text' || part.state !== undefined || part.phase === 'commentary') return false;
  return (part.citations ?? []).length === 0 && (part.logprobs ?? []).length === 0;
}

const PLAIN = plainAnswers();

describe('servers say something plain', () => {
  let backend: Recorder;
  let gateway: TestGateway;
  beforeAll(async () => {
    backend = await startRecorder();
    gateway = await startGateway(vendorsAt(backend.url));
  });
  afterAll(() => Promise.all([gateway.close(), backend.close()]));

  const pairs = crossPairsOf(dialectIds).filter(([, backend]) => PLAIN.some(({ dialect }) => dialect === backend));
  test.each(pairs)('%s client, %s backend: nothing of it is lost', async (client, dialect) => {
    const broken: unknown[] = [];
    for (const { name, whole, stream } of PLAIN.filter((answer) => answer.dialect === dialect)) {
      backend.reply = (response) => {
        if (stream === undefined) json(response, 200, whole);
        else response.writeHead(200, EVENT_STREAM).end(stream);
      };
      const { path, body } = (stream === undefined ? ASK : STREAM)[client](dialect);
      const { status, headers, text } = await send(gateway.url, path, { body });
      const said = headers['x-interlingua-losses'];
      if (status !== 200 || countedIn(said) > 0) broken.push([name, status, headers['x-interlingua-loss'] ?? text]);
      broken.push(...countedInside(text).map((loss) => [name, loss]));
    }
    expect(broken).toEqual([]);
  });

  const overCorpus = corpusPresent ? test : test.skip;
  overCorpus(`enough was read ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
    for (const dialect of dialectIds) {
      expect(
        PLAIN.filter((answer) => answer.dialect === dialect && answer.stream === undefined).length,
      ).toBeGreaterThan(3);
      expect(
        PLAIN.filter((answer) => answer.dialect === dialect && answer.stream !== undefined).length,
      ).toBeGreaterThan(0);
    }
  });
});
