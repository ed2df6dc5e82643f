import type { ConfigInput } from '../../src/config/schema.js';
import type { DialectId } from '../../translators/index.js';
import { filePart, formHeaders, formOf, type SentPart } from '../media/form.js';
import { COUNTING, tableOf } from '../support/dialects/index.js';
import { messageHead } from '../support/faulty-backend.js';
import { ASK, DIALECTS, EVENT_STREAM, FRAMES, likeVendor, STREAM, WHOLE } from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';
import { countOf } from '../support/requests.js';

export type BackendInput = ConfigInput['backends'][string];

/** One kind of exchange: what a client sends, which backend it goes to, and how that answers, step by step. */
export interface Cell {
  readonly name: string;
  readonly backend: Omit<BackendInput, 'baseUrl'>;
  /** The family of media models whose rules the request follows. */
  readonly family?: 'img-multi' | 'img-legacy' | 'video-2';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** What is asked for first, with its answer: the thing that this cell is about. */
  readonly before?: {
    readonly path: string;
    readonly body: (model: string) => object;
    readonly answer: (id: string) => object;
  };
  /** `model` leads to the backend of this cell alone; `id` is what came of `before`. */
  readonly path: (model: string, id: string) => string;
  readonly body?: (model: string) => string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer in pieces; the first is its head. */
  readonly steps: readonly string[];
  /** A piece that may be sent without end behind the first `after` ones. */
  readonly endless?: { readonly after: number; readonly piece: string };
}

const PLAIN_STEPS = [
  messageHead('200 OK', { 'content-type': 'application/json', 'content-length': 100_000 }),
  `{"a":"${'x'.repeat(40_000)}`,
];
const STREAM_HEAD = messageHead('200 OK', EVENT_STREAM);

export const DELTA = tableOf('deltaFrame');

/** A frame with 30 KB of text that ends nothing. */
export function longDelta(dialect: DialectId): string {
  const frame = FRAMES[dialect]('x'.repeat(30_000))[DELTA[dialect] + 1] ?? '';
  return frame.replace('"finishReason":"STOP"', '"x":0');
}

/** Conversations: nine pairs, plain and streamed. */
const conversations = DIALECTS.flatMap((client) =>
  DIALECTS.flatMap((dialect): Cell[] => {
    const frames = FRAMES[dialect]('Hello there');
    const common = { backend: likeVendor(dialect), method: 'POST' } as const;
    return [
      {
        ...common,
        name: `${client} over ${dialect}`,
        path: (model) => ASK[client](model).path,
        body: (model) => JSON.stringify(ASK[client](model).body),
        steps: PLAIN_STEPS,
      },
      {
        ...common,
        name: `${client} over ${dialect}, streamed`,
        path: (model) => STREAM[client](model).path,
        body: (model) => JSON.stringify(STREAM[client](model).body),
        steps: [STREAM_HEAD, ...frames.slice(0, -1)],
        endless: {
          after: DELTA[dialect] + 1,
          piece: longDelta(dialect),
        },
      },
    ];
  }),
);

/** Token counts, which some backends count themselves. */
const counts = COUNTING.flatMap((client) =>
  COUNTING.map((dialect): Cell => {
    return {
      name: `${client} counted by ${dialect}`,
      backend: { ...likeVendor(dialect), countTokens: 'native' },
      method: 'POST',
      path: (model) => countOf(client, model).path,
      body: (model) => JSON.stringify(countOf(client, model).body),
      steps: PLAIN_STEPS,
    };
  }),
);

const PICTURE = png({ width: 64, height: 64 });

/** The four kinds of backends that make pictures. */
const PAINTERS = {
  routes: { dialect: 'responses' },
  generateContent: { dialect: 'generateContent' },
  responses: { dialect: 'responses', images: 'responses' },
  predict: { dialect: 'generateContent', images: 'predict' },
} as const satisfies Record<string, Omit<BackendInput, 'baseUrl'>>;

function pictureForm(model: string, more: readonly SentPart[]): Buffer {
  return formOf([filePart('image', PICTURE, 'a.png', 'image/png'), { name: 'model', value: model }, ...more]);
}

const images = Object.entries(PAINTERS).flatMap(([kind, backend]): Cell[] => {
  const common = { backend, family: 'img-multi', method: 'POST', steps: PLAIN_STEPS } as const;
  const generation: Cell = {
    ...common,
    name: `a picture through ${kind}`,
    path: () => '/v1/images/generations',
    body: (model) => JSON.stringify({ model, prompt: 'a cat', n: 1 }),
  };
  const form = (path: string, more: readonly SentPart[]): Cell => ({
    ...common,
    name: `${path} through ${kind}`,
    path: () => path,
    body: (model) => pictureForm(model, more),
    headers: { 'content-type': formHeaders(Buffer.alloc(0))['content-type'] ?? '' },
  });
  if (kind === 'predict') return [generation];
  return [
    generation,
    form('/v1/images/edits', [{ name: 'prompt', value: 'a hat' }]),
    { ...form('/v1/images/variations', []), family: 'img-legacy' },
  ];
});

/** Several calls for one request, and frames of pictures. */
const manyPictures: readonly Cell[] = [
  {
    name: 'three pictures through generateContent',
    backend: PAINTERS.generateContent,
    family: 'img-multi',
    method: 'POST',
    path: () => '/v1/images/generations',
    body: (model) => JSON.stringify({ model, prompt: 'a cat', n: 3 }),
    steps: PLAIN_STEPS,
  },
  {
    name: 'a streamed picture',
    backend: PAINTERS.routes,
    family: 'img-multi',
    method: 'POST',
    path: () => '/v1/images/generations',
    body: (model) => JSON.stringify({ model, prompt: 'a cat', stream: true }),
    steps: [
      STREAM_HEAD,
      `event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","partial_image_index":0,"b64_json":"AAAA"}\n\n`,
    ],
  },
];

const videos: readonly Cell[] = (['a', 'b'] as const).map((format) => ({
  name: `a video of format ${format}`,
  backend: { dialect: 'responses', videos: format },
  family: 'video-2',
  method: 'POST',
  path: () => '/v1/videos',
  body: (model) => JSON.stringify({ model, prompt: 'a cat' }),
  steps: PLAIN_STEPS,
}));

const VIDEO: Cell['before'] = {
  path: '/v1/videos',
  body: (model) => ({ model, prompt: 'a cat' }),
  answer: (id) => ({ id, object: 'video', model: 'sora-2', status: 'completed', progress: 100, created_at: 1 }),
};

const ofVideos: readonly Cell[] = (
  [
    ['GET', ''],
    ['GET', '/content'],
    ['DELETE', ''],
  ] as const
).map(([method, below]) => ({
  name: `${method} of a video${below}`,
  backend: likeVendor('responses'),
  family: 'video-2',
  before: VIDEO,
  method,
  path: (_model, id) => `/v1/videos/${id}${below}`,
  steps: below === '' ? PLAIN_STEPS : PLAIN_STEPS.map((step) => step.replace('application/json', 'video/mp4')),
}));

const ofAnswers: readonly Cell[] = (
  [
    ['GET', '', PLAIN_STEPS],
    ['GET', '?stream=true', [STREAM_HEAD, ...FRAMES.responses('Hello there').slice(0, 3)]],
    ['DELETE', '', PLAIN_STEPS],
    ['GET', '/input_items', PLAIN_STEPS],
    ['POST', '/cancel', PLAIN_STEPS],
  ] as const
).map(([method, below, steps]) => ({
  name: `${method} of an answer${below}`,
  backend: likeVendor('responses'),
  before: {
    path: '/v1/responses',
    body: (model) => ASK.responses(model).body,
    answer: (id) => ({ ...WHOLE.responses('kept'), id, store: true }),
  },
  method,
  path: (_model, id) => `/v1/responses/${id}${below}`,
  steps,
}));

/** The last turn of a conversation that is to be shortened. */
const TRIGGER = [{ role: 'user', content: 'Hello' }, { type: 'compaction_trigger' }];

const compactions: readonly Cell[] = DIALECTS.flatMap((dialect): Cell[] => [
  {
    name: `a compaction by ${dialect}`,
    backend: likeVendor(dialect),
    method: 'POST',
    path: () => '/v1/responses/compact',
    body: (model) => JSON.stringify({ model, input: 'Hello' }),
    steps: PLAIN_STEPS,
  },
  ...[false, true].map(
    (stream): Cell => ({
      name: `a compaction in a conversation by ${dialect}${stream ? ', streamed' : ''}`,
      backend: likeVendor(dialect),
      method: 'POST',
      path: () => '/v1/responses',
      body: (model) => JSON.stringify({ model, input: TRIGGER, stream }),
      steps:
        stream && dialect === 'responses'
          ? [STREAM_HEAD, ...FRAMES.responses('Hello there').slice(0, -1)]
          : PLAIN_STEPS,
    }),
  ),
]);

export const CELLS: readonly Cell[] = [
  ...conversations,
  ...counts,
  ...images,
  ...manyPictures,
  ...videos,
  ...ofVideos,
  ...ofAnswers,
  ...compactions,
];
