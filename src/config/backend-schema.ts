import * as z from 'zod';
import { dialectIds, HOST_FEATURE_NAMES } from '../../translators/index.js';
import { IMAGES_FORMS, KEY_FORMS, VIDEOS_FORMS } from '../dialects/index.js';
import { didYouMean, HEADER_TEXT } from '../ground/index.js';
import { isPresetName, presetNames } from '../presets/index.js';
import { checkOutput, MODEL_KEYS, models } from './model-schema.js';
import { profile } from './profile-schema.js';
import { baseUrl, count, numeric, scope, seconds, secret, word } from './values.js';

/** Headers that belong to the connection and to the form of the body, not to the operator. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'content-type',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'expect',
  'te',
  'trailer',
  'upgrade',
]);

const headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'is not a valid header name')
      .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), 'belongs to the connection and cannot be set'),
    z.string().regex(HEADER_TEXT, 'must be printable ASCII on one line'),
  )
  .transform((map) => Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), value])));

/** One of the dialects. */
export const dialect = z.enum(dialectIds);

const timeouts = z.strictObject({
  connect: seconds.optional(),
  firstByte: seconds.optional(),
  idle: seconds.optional(),
  total: seconds.optional(),
});

/** Paths below a service root, which clients append themselves. */
const ENDPOINT =
  /\/(?:v1\/)?(?:messages|messages\/count_tokens|responses|responses\/input_tokens|chat\/completions|completions|embeddings)$|\/models\/[^/:]+:\w+$/;

/** The root of a service, with a query that goes on each call. */
const root = baseUrl.superRefine((value, context) => {
  if (!URL.canParse(value)) return;
  const { pathname, searchParams } = new URL(value);
  const issue = (message: string): void => context.addIssue({ code: 'custom', message });
  const [endpoint] = ENDPOINT.exec(pathname.replace(/\/+$/, '')) ?? [];
  if (endpoint !== undefined)
    issue(`expected the service root, not an endpoint: drop everything from \`${endpoint}\` on`);
  if (searchParams.has('key')) issue('must not contain credentials: use apiKey or headers');
});

const preset = z
  .string()
  .superRefine((value, context) => {
    if (isPresetName(value)) return;
    const close = didYouMean(value, presetNames);
    const message = `unknown preset; ${close === undefined ? `known: ${presetNames.join(', ')}` : `did you mean \`${close}\`?`}`;
    context.addIssue({ code: 'custom', message });
  })
  // For editors: the check above names the nearest.
  .meta({ enum: presetNames })
  .transform((value) => (isPresetName(value) ? value : undefined));

/** Whether requests get marks of prompt caches. */
export const cache = z.enum(['auto', 'off']);

/** What a host does not support of its dialect. */
const unsupported = z.array(z.enum(HOST_FEATURE_NAMES));

/** A backend as a file may describe it. */
export const backend = z.strictObject({
  preset: preset.optional(),
  dialect: dialect.optional(),
  baseUrl: root.optional(),
  simulator: z.boolean().default(false),
  apiKey: secret.optional(),
  auth: z.enum([...KEY_FORMS, 'client', 'google', 'aws']).optional(),
  region: scope.optional(),
  service: scope.optional(),
  version: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be a version such as 2023-06-01')
    .default('2023-06-01'),
  headers: headers.default({}),
  betas: z.union([z.enum(['all', 'none']), z.array(word)]).default('all'),
  stream: z.enum(['client', 'always']).default('client'),
  state: z.enum(['own', 'none']).optional(),
  countTokens: z.enum(['auto', 'native']).default('auto'),
  cache: cache.optional(),
  images: z.enum(IMAGES_FORMS).optional(),
  videos: z.enum(VIDEOS_FORMS).optional(),
  profile: profile.optional(),
  unsupported: unsupported.optional(),
  models: models.default({}),
  domain: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, `.`, `_` or `-`')
    .optional(),
  timeouts: timeouts.default({}),
  retries: numeric(z.number().int().min(0).max(10)).default(2),
  concurrency: count.optional(),
  queue: numeric(z.number().int().min(0).max(1_000_000)).default(100),
  breaker: z
    .union([
      z.literal(false),
      z.strictObject({
        failures: numeric(z.number().int().min(1).max(1_000_000)).default(5),
        seconds: seconds.default(30),
      }),
    ])
    .prefault({}),
});

/** What a model's name stands for. */
export const target = z
  .strictObject({
    backend: word,
    model: word.optional(),
    weight: numeric(z.number().positive().max(1_000_000)).optional(),
    profile: profile.optional(),
    ...MODEL_KEYS,
  })
  .superRefine(checkOutput);
