import fc from 'fast-check';
import type {
  CanonicalRequest,
  OutputFormat,
  ReasoningSettings,
  Sampling,
} from '../../../translators/canonical/request.js';
import type { DialectId } from '../../../translators/index.js';
import { allSettings } from '../../support/members.js';
import { has, lawTableOf } from '../dialects/index.js';
import { schema } from './tools.js';
import { fields, rarely } from './words.js';

const sampling: fc.Arbitrary<Sampling> = fields<Sampling>({
  temperature: rarely(fc.constantFrom(0, 0.2, 1, 1.5, 2), 1),
  topP: rarely(fc.constantFrom(0, 0.5, 0.95, 0.99, 1), 2),
  topK: rarely(fc.constantFrom(1, 40)),
  seed: rarely(fc.constantFrom(0, 7, -5, 2 ** 31, 2 ** 40)),
  presencePenalty: rarely(fc.constantFrom(0, 0.5, -1)),
  frequencyPenalty: rarely(fc.constantFrom(0, 0.5)),
});

const output: fc.Arbitrary<OutputFormat> = fc.oneof(
  fc.constantFrom<OutputFormat>({ kind: 'text' }, { kind: 'json' }),
  fields<OutputFormat>({
    kind: fc.constant('schema'),
    schema,
    name: rarely(fc.constantFrom('response', 'answer', 'not legal!'), 1),
    description: rarely(fc.constant('what it is')),
    strict: rarely(fc.boolean(), 1),
  }),
  fc.constant<OutputFormat>({ kind: 'enum', schema: { type: 'string', enum: ['yes', 'no'] }, enum: ['yes', 'no'] }),
);

const reasoning: fc.Arbitrary<ReasoningSettings> = fc
  .record({
    how: fc.oneof(
      fc.constantFrom<Partial<ReasoningSettings>>(
        { mode: 'off' },
        { mode: 'on' },
        { mode: 'default' },
        { mode: 'on', budget: -1 },
        { mode: 'default', effort: 'high' },
        { mode: 'on', effort: 'low', budget: 5000 },
        { mode: 'on', interleave: 'between_tools' },
      ),
      fc
        .constantFrom('minimal', 'low', 'medium', 'high', 'xhigh', 'max')
        .map((effort): Partial<ReasoningSettings> => ({ mode: 'on', effort })),
      fc
        .constantFrom(1, 128, 1024, 3000, 8192, 24576, 32768, 65536, 200_000)
        .map((budget): Partial<ReasoningSettings> => ({ mode: 'on', budget })),
    ),
    show: fc.constantFrom<ReasoningSettings['show']>(
      'default',
      'default',
      'none',
      'summary',
      'auto',
      'concise',
      'detailed',
    ),
  })
  .map(({ how, show }) => ({ mode: 'default', ...how, show }));

const HELD = lawTableOf('heldSettings');

/** Everything of a request that is no conversation and no tool. */
export type Settings = Omit<
  CanonicalRequest,
  'source' | 'instructions' | 'turns' | 'tools' | 'toolChoice' | 'at' | 'nativeOnly' | 'prefill'
>;

/** The fields that are drawn by hand. */
const DRAWN: ReadonlySet<string> = new Set([
  ...['stream', 'verbosity', 'stop', 'maxOutput', 'maxToolCalls', 'candidates', 'logprobs', 'modalities', 'image'],
  ...['speech', 'mediaResolution', 'safety', 'cache', 'user', 'metadata', 'tier', 'truncate', 'include'],
]);

/** All settings, each absent more often than not. */
export function settings(source: DialectId): fc.Arbitrary<Settings> {
  const special = fields<Settings>({
    model: fc.constant('the-model'),
    stream: fc.boolean(),
    output: rarely(output, 3),
    verbosity: rarely(fc.constantFrom('low', 'medium', 'high'), 9),
    reasoning: rarely(reasoning, 1),
    sampling: rarely(sampling, 2).map((one) => (one && Object.keys(one).length === 0 ? undefined : one)),
    stop: rarely(fc.array(fc.constantFrom('END', '\n\n', ' ', 'a', 'b', 'c', '###'), { maxLength: 7 }), 9),
    maxOutput: rarely(fc.constantFrom(1, 10, 16, 1000, 2000, 5000, 64_000, 1_000_000), 1),
    maxToolCalls: rarely(fc.constantFrom(1, 5), 9),
    candidates: rarely(fc.constantFrom(1, 1, 1, 2), 19),
    logprobs: rarely(fc.constantFrom({}, { top: 3 }, { top: 20 }, { top: 30 }), 14),
    modalities: rarely(fc.constantFrom(['text'], ['text', 'image'], ['image'], ['audio']), 29),
    image: rarely(fc.constantFrom({ aspectRatio: '16:9' }, { aspectRatio: '1:1', size: '2K' }), 29),
    speech: rarely(fc.constant({ voice: 'Kore' }), 29),
    mediaResolution: rarely(fc.constantFrom('low', 'high'), 19),
    safety: rarely(fc.constant([{ category: 'harassment', threshold: 'block_none' }]), 19),
    cache: rarely(
      fc.constantFrom(
        { key: 'k' },
        { key: 'k'.repeat(80) },
        { auto: true },
        { auto: true, ttl: '1h' },
        { auto: true, ttl: '24h' },
        { auto: true, ttl: '5m' },
        ...(has(source, 'cachedPrompts') ? [{ resource: 'cachedContents/1' }] : []),
      ),
      14,
    ),
    user: rarely(fc.constantFrom('u1', 'u'.repeat(70), 'u'.repeat(300)), 9),
    metadata: rarely(fc.constantFrom<Record<string, string>>({ team: 'a' }, { 'Not Fit': 'X' }, {}), 9),
    tier: rarely(
      fc.constantFrom('auto', 'default', 'flex', 'priority', 'standard_only', 'odd').map((value) => ({
        dialect: source,
        value,
      })),
      9,
    ),
    state: rarely(
      fc.oneof(
        { arbitrary: fc.constantFrom({ store: true }, { store: false }), weight: 9 },
        { arbitrary: fc.constantFrom(...HELD[source]), weight: 1 },
      ),
      14,
    ),
    truncate: rarely(fc.boolean(), 14),
    include: rarely(
      fc.constant(
        has(source, 'includes') ? ['message.input_image.image_url', 'reasoning.encrypted_content'] : undefined,
      ),
      9,
    ),
    ext: rarely(fc.constant({ [source]: { zz_top: [1] } }), 19),
  });
  return fc.tuple(special, plain()).map(([drawn, more]) => ({ ...more, ...drawn }));
}

/** What tables of members name beside the fields above. */
function plain(): fc.Arbitrary<Partial<Settings>> {
  const more = allSettings().filter(
    ({ field, sample }) => sample !== undefined && !field.includes('.') && !DRAWN.has(field),
  );
  return fields<Partial<Settings>>(
    Object.fromEntries(more.map(({ field, sample }) => [field, rarely(fc.constant(sample), 9)])),
  );
}
