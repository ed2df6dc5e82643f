import * as z from 'zod';
import { isFamily } from '../../translators/index.js';
import { isExemption, isSampleKey } from '../ground/index.js';
import { patternFault } from '../protocol/index.js';
import { backend, cache, dialect, target } from './backend-schema.js';
import { isDigestOfNothing } from './sample-keys.js';
import { baseUrl, count, numeric, seconds, secret, word } from './values.js';

/** What a file may say. Defaults that depend on other keys are filled in by resolve.ts. */

const megabytes = numeric(z.number().positive().max(4096));

const publicUrl = baseUrl.refine((value) => !value.includes('?'), 'must have no query');

/** An origin as browsers send it. */
const origin = z.string().superRefine((value, context) => {
  if (URL.canParse(value) && new URL(value).origin === value) return;
  context.addIssue({ code: 'custom', message: 'must be an origin such as https://example.com, without a path' });
});

const key = z
  .strictObject({
    name: z.string().regex(/^[\w.:@-]{1,128}$/, 'must be 1 to 128 letters, digits or `.`, `_`, `-`, `:`, `@`'),
    key: secret
      .refine((value) => value.length >= 16, 'must have at least 16 characters; `openssl rand -base64 32` makes one')
      .refine((value) => !isSampleKey(value), 'is a published example key')
      .optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
      .transform((value) => value.toLowerCase())
      .refine((value) => !isDigestOfNothing(value), 'is the digest of no key')
      .optional(),
    models: z.array(word).optional(),
    requestsPerMinute: count.optional(),
    tokensPerMinute: count.optional(),
    concurrency: count.optional(),
    explain: z.enum(['path', 'full']).optional(),
    operator: z.boolean().optional(),
  })
  .superRefine((value, context) => {
    if ((value.key === undefined) === (value.sha256 === undefined)) {
      context.addIssue({ code: 'custom', message: 'needs exactly one of key and sha256' });
    }
  });

const policy = z.enum(['report', 'strict']);

const feature = word.superRefine((pattern, context) => {
  const fault = patternFault(pattern);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const losses = z
  .union([policy, z.strictObject({ policy: policy.default('report'), allow: z.array(feature).default([]) })])
  .default('report')
  .transform((value) => (typeof value === 'string' ? { policy: value, allow: [] } : value));

const limits = z
  .strictObject({
    bodyMb: megabytes.default(64),
    uploadMb: megabytes.default(128),
    jsonDepth: numeric(z.number().int().min(1).max(1000)).default(128),
    jsonValues: count.default(250_000),
    pathBytes: count.default(2048),
    inflateMb: megabytes.default(256),
    eventMb: megabytes.default(64),
    headersSeconds: seconds.default(30),
    bodySeconds: seconds.default(300),
    connectSeconds: seconds.default(10),
    firstByteSeconds: seconds.default(900),
    idleSeconds: seconds.default(300),
    totalSeconds: seconds.default(3600),
    writeIdleSeconds: seconds.default(30),
    heartbeatSeconds: seconds.default(15),
    exchanges: count.default(4096),
    connections: count.default(4096),
    references: count.default(1000),
    historyMb: megabytes.default(64),
    drainSeconds: seconds.default(60),
  })
  .prefault({});

const store = z
  .strictObject({
    type: z.enum(['lmdb', 'memory', 'redis', 'off']).default('memory'),
    path: word.optional(),
    url: z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .refine((value) => URL.canParse(value), 'is not a URL')
      .optional(),
    ttlDays: numeric(z.number().positive().max(36_500)).default(30),
    maxMb: numeric(z.number().positive().max(1_048_576)).default(1024),
    entryMb: megabytes.default(16),
  })
  .superRefine((value, context) => {
    const issue = (key: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [key], message });
    };
    if (value.type === 'redis' && value.url === undefined) issue('url', 'is required for redis');
    if (value.type !== 'redis' && value.url !== undefined) issue('url', `cannot be used with type: ${value.type}`);
    if (value.type !== 'lmdb' && value.path !== undefined) issue('path', `cannot be used with type: ${value.type}`);
  })
  .prefault({});

/** A host name, an address, or a block of addresses. */
const addresses = z.string().superRefine((value, context) => {
  if (!isExemption(value)) context.addIssue({ code: 'custom', message: 'must be a host name or a CIDR block' });
});

const media = z
  .strictObject({
    families: z
      .record(
        z.string().refine((name): boolean => isFamily(name), 'unknown family of media models'),
        z.array(word.regex(/^[^*]*\*?$/, '`*` is only allowed at the end of a pattern')),
      )
      .default({}),
    smallFileMb: megabytes.default(4),
    fileMb: megabytes.default(25),
    blobMinutes: numeric(z.number().positive().max(525_600)).default(60),
    blobMb: numeric(z.number().positive().max(1_048_576)).default(512),
    fetch: z.boolean().default(true),
    fetchMb: megabytes.default(25),
    fetchSeconds: seconds.default(30),
    allowPrivate: z.array(addresses).default([]),
    runningStatus: z.enum(['auto', 'processing', 'in_progress']).default('auto'),
  })
  .prefault({});

export const schema = z.strictObject({
  /** For editors. */
  $schema: z.string().optional(),
  listen: z
    .strictObject({
      host: word.default('127.0.0.1'),
      port: numeric(z.number().int().min(0).max(65535)).default(8080),
      publicUrl: publicUrl.optional(),
      cors: z.array(origin).default([]),
    })
    .prefault({}),
  workers: numeric(z.number().int().min(1).max(1024)).default(1),
  backends: z
    .record(
      z.string().regex(/^[\w.-]{1,64}$/, 'is not a valid backend name: 1 to 64 letters, digits, `.`, `_`, `-`'),
      backend,
    )
    .refine((map) => Object.keys(map).length > 0, 'must name at least one backend'),
  models: z
    .record(word, z.union([target, z.array(target).min(1, 'must hold at least one target')]))
    .refine((map) => Object.keys(map).length > 0, 'must name at least one model')
    .optional(),
  prices: z.enum(['genai-prices']).optional(),
  keys: z.array(key).min(1, 'must hold at least one key, or be left out').optional(),
  open: z.boolean().default(false),
  passthrough: z.union([z.literal(false), z.partialRecord(dialect, z.union([z.literal(false), word]))]).default({}),
  playground: z.boolean().optional(),
  losses,
  translate: z
    .strictObject({
      omitMedia: z.boolean().default(false),
      seedUser: z.boolean().default(false),
      trailingState: z.enum(['drop', 'emit']).default('drop'),
      cache: cache.default('auto'),
    })
    .prefault({}),
  limits,
  store,
  media,
  record: z
    .strictObject({ path: word.optional(), content: z.boolean().default(true), maxMb: megabytes.default(1024) })
    .superRefine((value, context) => {
      if (value.path !== undefined || (value.content && value.maxMb === 1024)) return;
      context.addIssue({
        code: 'custom',
        path: ['path'],
        message: 'is required: it says where exchanges are recorded',
      });
    })
    .prefault({}),
  usage: z.strictObject({ keepDays: numeric(z.number().positive().max(36_500)).default(90) }).optional(),
  log: z
    .strictObject({
      level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      content: z.boolean().default(false),
    })
    .prefault({}),
  live: z
    .union([z.boolean(), z.strictObject({ bodies: z.boolean().default(false) })])
    .default(true)
    .transform((value) => (value === true ? { bodies: false } : value)),
  metrics: z
    .strictObject({ port: numeric(z.number().int().min(0).max(65535)).optional(), host: word.optional() })
    .superRefine((value, context) => {
      if (value.port !== undefined || value.host === undefined) return;
      context.addIssue({ code: 'custom', path: ['host'], message: 'requires port' });
    })
    .prefault({}),
});

/** A configuration as a file or a program gives it. */
export type ConfigInput = z.input<typeof schema>;

/** A configuration that passed the schema. */
export type CheckedConfig = z.output<typeof schema>;
