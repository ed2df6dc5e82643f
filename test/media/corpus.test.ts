import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CORPUS_ABSENT, recordedExchanges } from '../support/corpus.js';
import { readWireForm } from '../support/fake-backend/media/form.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';
import { formHeaders, formOf, type SentPart } from './form.js';

const corpus = recordedExchanges('images');

/** A part of a recorded form. */
interface RecordedPart {
  readonly name: string;
  readonly filename?: string;
  readonly value?: string;
  readonly data_base64?: string;
}

function sentPart({ name, filename, value = '', data_base64: base64 }: RecordedPart): SentPart {
  return base64 === undefined
    ? { name, value }
    : { name, filename, value: Buffer.from(base64, 'base64'), type: 'application/octet-stream' };
}

if (corpus.length === 0) {
  test.skip(`recorded exchanges ${CORPUS_ABSENT}`, () => {});
} else {
  describe('a recorded exchange over a backend with the image routes', () => {
    let backend: Recorder;
    let gateway: TestGateway;
    beforeAll(async () => {
      backend = await startRecorder();
      gateway = await startGateway({
        backends: { any: { dialect: 'responses', baseUrl: backend.url } },
        limits: { drainSeconds: 1 },
      });
    });
    afterAll(async () => {
      await gateway.close();
      await backend.close();
    });

    for (const { name, operation, status, request, response } of corpus) {
      if (request === undefined) continue;
      const asked: Tree = request;
      test(`${name} passes, and its answer comes back as it is`, async () => {
        backend.seen.length = 0;
        backend.reply = (reply) => json(reply, status, response);
        const parts: readonly RecordedPart[] | undefined = asked.multipart;
        const form = parts === undefined ? undefined : formOf(parts.map(sentPart));
        const answer = await send(gateway.url, `/v1/images/${operation}`, {
          body: form ?? asked,
          ...(form !== undefined && { headers: formHeaders(form) }),
        });
        expect([answer.status, answer.body]).toEqual([status, response]);
        const [sent] = backend.seen;
        if (parts === undefined) {
          expect(JSON.parse(sent?.body ?? '')).toEqual(asked);
          return;
        }
        // The recorder reads texts: the bytes of files are looked at elsewhere.
        const names = readWireForm(sent?.headers['content-type'], Buffer.from(sent?.body ?? '')).map((part) => [
          part.name,
          part.type,
        ]);
        const files = parts.filter((part) => part.filename !== undefined);
        const images = files.filter((part) => part.name !== 'mask');
        const texts = parts.filter((part) => part.filename === undefined && part.name !== 'model');
        expect(names).toEqual([
          ...texts.map((part) => [part.name, undefined]),
          ...parts.filter((part) => part.name === 'model').map(() => ['model', undefined]),
          ...images.map(() => [images.length > 1 ? 'image[]' : 'image', 'image/png']),
          ...files.filter((part) => part.name === 'mask').map(() => ['mask', 'image/png']),
        ]);
      });
    }
  });
}
