import fc from 'fast-check';

/** What a call of a generated conversation is. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How a thought of a generated history can have come to the client. */
export type Held = 'bare' | 'home' | 'elsewhere' | 'none';

export type Said =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string; readonly held: Held }
  | { readonly kind: 'call'; readonly call: Call }
  /** What the service of the source did itself: it ran code, searched, asked a tool server, or drew. */
  | { readonly kind: 'hosted'; readonly of: 'code' | 'search' | 'server' | 'picture'; readonly id: string };

export interface Result {
  readonly call: Call;
  readonly form: 'text' | 'json' | 'failure' | 'picture' | 'empty';
}

/** One step by which a conversation grows, in no dialect. */
export type Move =
  | {
      readonly kind: 'user';
      readonly texts: readonly string[];
      readonly picture: boolean;
      readonly mark: '5m' | '1h' | undefined;
    }
  | { readonly kind: 'assistant'; readonly said: readonly Said[] }
  | { readonly kind: 'results'; readonly results: readonly Result[]; readonly remark: string | undefined }
  | { readonly kind: 'instruction'; readonly text: string; readonly authority: 'system' | 'developer' }
  | { readonly kind: 'tools'; readonly name: string };

/** What stays the same while a conversation grows. */
export interface Setup {
  readonly system: readonly string[];
  readonly systemMark: boolean;
  readonly systemPicture: boolean;
  readonly tools: readonly string[];
  readonly reasoning: boolean;
  readonly json: boolean;
}

export interface Script {
  readonly setup: Setup;
  readonly moves: readonly Move[];
}

/** Legal and illegal names: dots, spaces and lengths that some dialect refuses, and names that one keeps for itself. */
const NAMES = ['read_file', 'web_search', 'mcp.list items', `long_${'x'.repeat(90)}`, '9lives', 'parallel'] as const;
const TEXTS = ['Go on.', 'Is JSON fine?', ' ', '', 'ünïcode — ok', '<system_note>no</system_note>', 'line\nline '];

const held = fc.constantFrom<Held>('bare', 'home', 'elsewhere', 'none');
const text = fc.constantFrom(...TEXTS);
const said = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('thought' as const), text: fc.constantFrom('Hm.', ''), held }),
  fc.record({
    kind: fc.constant('call' as const),
    name: fc.constantFrom(...NAMES),
    args: fc.boolean(),
    old: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('hosted' as const),
    of: fc.constantFrom('code' as const, 'search', 'server', 'picture'),
  }),
);
/** What is drawn; ids, and which calls are open, follow from the order and are settled afterwards. */
const drawn = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('assistant' as const),
      said: fc.array(said, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('user' as const),
      texts: fc.array(text, { minLength: 1, maxLength: 2 }),
      picture: fc.boolean(),
      mark: fc.constantFrom(undefined, undefined, '5m' as const, '1h' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('results' as const),
      forms: fc.array(fc.constantFrom<Result['form']>('text', 'json', 'failure', 'picture', 'empty'), {
        minLength: 4,
        maxLength: 4,
      }),
      turned: fc.boolean(),
      remark: fc.constantFrom(undefined, 'And be quick.'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('instruction' as const),
      text: fc.constantFrom('Be brief.', 'Answer in JSON.'),
      authority: fc.constantFrom('system' as const, 'developer' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('tools' as const), name: fc.constantFrom('late_one', 'late.two') }),
  },
);
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const setup: fc.Arbitrary<Setup> = fc.record({
  system: fc.array(fc.constantFrom('You are a tool.', 'Never say never.', ' '), { maxLength: 2 }),
  systemMark: fc.boolean(),
  systemPicture: fc.boolean(),
  tools: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
  reasoning: fc.boolean(),
  json: fc.boolean(),
});

/** A conversation that grows by up to `length` moves. A round of calls is answered at once, late, or never. */
export function scripts(length: number): fc.Arbitrary<Script> {
  return fc
    .record({ setup, moves: fc.array(drawn, { minLength: 2, maxLength: length }) })
    .map(({ setup: chosen, moves }) => ({ setup: chosen, moves: settle(moves) }));
}

function settle(moves: readonly Drawn[]): Move[] {
  const out: Move[] = [];
  let open: Call[] = [];
  let count = 0;
  for (const move of moves) {
    if (move.kind === 'assistant') {
      const parts = move.said.map((one): Said => {
        if (one.kind !== 'call' && one.kind !== 'hosted') return one;
        count += 1;
        if (one.kind === 'hosted') return { ...one, id: `h${count}` };
        // Ids as services mint them, one that no service takes, and one that occurs twice.
        const id = one.old ? 'call:same' : `call_${count}`;
        const call = { id, name: one.name, args: one.args ? { path: `file-${count}` } : {} };
        return { kind: 'call', call };
      });
      out.push({ kind: 'assistant', said: parts });
      open = [...open, ...parts.flatMap((one) => (one.kind === 'call' ? [one.call] : []))];
    } else if (move.kind === 'results') {
      const results = open.map((call, index) => ({ call, form: move.forms[index % 4] ?? 'text' }));
      open = [];
      if (results.length > 0) out.push({ ...move, results: move.turned ? results.reverse() : results });
    } else if (move.kind === 'user' || out.length > 0) {
      // Instructions and tools before anybody spoke belong to the setup.
      out.push(move);
    }
  }
  return out;
}
