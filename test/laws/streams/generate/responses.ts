import fc from 'fast-check';
import { frameStream, framing, type WireEvent, type WireStream } from './framing.js';
import { anyItem, cutItem, type Item } from './response-items.js';
import { maybe, riffle, seldom, type Wire } from './values.js';

const BASE: Wire = {
  id: 'resp_01',
  object: 'response',
  created_at: 1_760_000_000,
  completed_at: null,
  model: 'gpt-5-2025-08-07',
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'auto',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage: null,
  user: null,
};

const usage: fc.Arbitrary<Wire | null> = fc.constantFrom<Wire | null>(
  {
    input_tokens: 120,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 11 },
    total_tokens: 150,
  },
  {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 4 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  },
  { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
  null,
);

interface Ending {
  readonly type: string;
  readonly fields: Wire;
  /** The answer ends inside its last item. */
  readonly cut: boolean;
  /** Said before the last word. */
  readonly error?: Wire;
  /** Whether the last word comes at all. */
  readonly said: boolean;
}

const COMPLETED: Ending = {
  type: 'response.completed',
  fields: { status: 'completed', completed_at: 1_760_000_009, service_tier: 'default' },
  cut: false,
  said: true,
};

function incomplete(reason: string): Ending {
  return {
    type: 'response.incomplete',
    fields: { status: 'incomplete', incomplete_details: { reason } },
    cut: true,
    said: true,
  };
}

const FAILURE = { code: 'server_error', message: 'It broke.' };
const FAILED: Ending = {
  type: 'response.failed',
  fields: { status: 'failed', error: FAILURE, usage: null },
  cut: true,
  said: true,
};
const NESTED = { type: 'error', error: { type: 'server_error', ...FAILURE, param: null } };

const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(COMPLETED) },
  { weight: 3, arbitrary: fc.constant(incomplete('max_output_tokens')) },
  fc.constantFrom(incomplete('content_filter'), incomplete('max_messages'), incomplete('new_reason')),
  fc.constantFrom<Ending>(
    FAILED,
    { ...FAILED, error: NESTED },
    { ...FAILED, error: NESTED, said: false },
    { ...FAILED, error: { type: 'error', ...FAILURE, param: null }, said: false },
  ),
);

const strange: fc.Arbitrary<Wire | 'progress'> = fc.constantFrom<Wire | 'progress'>(
  { type: 'keepalive' },
  { type: 'response.future_thing', value: 1 },
  'progress',
);

/** Legal streams of this dialect ([R §5]), and of hosts that take its liberties. */
export const responsesStream: fc.Arbitrary<WireStream> = fc
  .record({
    items: fc.array(anyItem, { maxLength: 5 }),
    last: maybe(cutItem),
    ending,
    usage,
    queued: fc.boolean(),
    picks: maybe(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 })),
    strangers: fc.array(fc.tuple(fc.nat(), strange), { maxLength: 3 }),
    numbered: fc.boolean(),
    rotates: seldom(10),
    silentOutput: seldom(10),
    framing,
  })
  .map((spec) => {
    const { type, fields, cut, error, said } = spec.ending;
    const makers = [...spec.items, ...(spec.last === undefined ? [] : [spec.last])];
    const items: Item[] = makers.map((make, index) => make(index, cut && index === makers.length - 1));
    // Services announce items in order; some of them end late.
    const events: Wire[] =
      spec.picks === undefined ? items.flatMap((item) => item.events) : interleaved(items, spec.picks);
    const running = { ...BASE, status: spec.queued ? 'queued' : 'in_progress' };
    for (const [at, one] of spec.strangers) {
      const event = one === 'progress' ? { type: 'response.in_progress', response: BASE } : one;
      events.splice(at % (events.length + 1), 0, event);
    }
    const output = spec.silentOutput ? [] : items.map(({ node }) => node);
    const last = { type, response: { ...BASE, usage: spec.usage, ...fields, output } };
    const all: Wire[] = [
      { type: 'response.created', response: running },
      ...(spec.queued ? [{ type: 'response.queued', response: running }] : []),
      { type: 'response.in_progress', response: BASE },
      ...events,
      ...(error === undefined ? [] : [error]),
      ...(said ? [last] : []),
    ];
    const framed = all.map((event, sequence_number): WireEvent => {
      const id =
        typeof event.item_id === 'string' && spec.rotates ? { item_id: `${event.item_id}${sequence_number}` } : {};
      const data = { ...event, ...id, ...(spec.numbered && { sequence_number }) };
      return { name: String(event.type), data, finishes: event === last };
    });
    return frameStream(framed, spec.framing, spec.picks !== undefined);
  });

function interleaved(items: readonly Item[], picks: readonly number[]): Wire[] {
  const out: Wire[] = [];
  for (let at = 0; at < items.length; at += 2) {
    const [first, second] = [items[at]?.events ?? [], items[at + 1]?.events ?? []];
    out.push(...first.slice(0, 1), ...riffle([first.slice(1), second], picks));
  }
  return out;
}
