import fc from 'fast-check';
import type { CallPart, Part, ResultPart } from '../../../translators/canonical/content.js';
import type { CanonicalRequest, Instruction, Turn } from '../../../translators/canonical/request.js';
import type { ClientTool, FunctionTool } from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { clientPair, clientTools } from './client-tools.js';
import { assistantParts, callPart, resultPart, toolChange, userPart } from './parts.js';
import { placed } from './place.js';
import { settings } from './settings.js';
import { manyStrict, toolChoice, tools } from './tools.js';
import { mostly, NOTHING, rarely, text } from './words.js';

/** One stretch of a conversation, from which turns are made. */
type Step =
  | { readonly kind: 'turn'; readonly turn: Turn }
  | {
      readonly kind: 'loop';
      readonly before: readonly Part[];
      readonly pairs: readonly { readonly call: CallPart; readonly result: ResultPart }[];
      readonly after: readonly Part[];
      readonly manner: Manner;
      readonly odd: OddId;
    };

/** How the results of a step of calls stand in the conversation. */
type Manner = (typeof MANNERS)[number];
const MANNERS = [
  'ordered',
  'ordered',
  'ordered',
  'ordered',
  'ordered',
  'named',
  'reversed',
  'textFirst',
  'missing',
  'open',
  'duplicate',
  'late',
  'orphan',
  'split',
] as const;

/** Odd call ids: a legal one of its own, one as of the pieces of a call, one that targets refuse, none, one for all. */
type OddId = 'legal' | 'split' | 'illegal' | 'none' | 'same';

function idOf(odd: OddId, place: string): string {
  switch (odd) {
    case 'legal':
      return `call_${place}`;
    case 'split':
      return `call_${place.replace(/\d+$/, (digits) => `_${Number(digits) + 1}`)}`;
    case 'illegal':
      return `call:${place} é`;
    case 'none':
      return '';
    case 'same':
      return 'call_same';
  }
}

function turnsOf(steps: readonly Step[]): Turn[] {
  const turns: Turn[] = [];
  steps.forEach((step, at) => {
    if (step.kind === 'turn') {
      turns.push(step.turn);
      return;
    }
    const { pairs, manner } = step;
    const named = manner === 'named' || step.odd === 'none';
    const calls = pairs.map(({ call }, index) => ({ ...call, callId: idOf(step.odd, `${at}x${index}`) }));
    const results = pairs.map(({ call, result }, index): ResultPart => {
      const { callId } = calls[index] ?? call;
      return {
        ...result,
        callId,
        ...(named && { name: call.name }),
        ...(call.freeform !== undefined && { custom: true }),
      };
    });
    const first = calls.slice(0, 1);
    turns.push(
      ...(manner === 'split'
        ? [assistant([...step.before, ...first]), assistant(calls.slice(1))]
        : [assistant([...step.before, ...calls])]),
    );
    if (manner === 'open') return;
    turns.push(...answersOf(results, step.after, manner));
  });
  return turns;
}

function assistant(parts: readonly Part[]): Turn {
  return { role: 'assistant', parts };
}

function user(parts: readonly Part[]): Turn {
  return { role: 'user', parts };
}

function answersOf(results: readonly ResultPart[], after: readonly Part[], manner: Manner): Turn[] {
  const [first, ...rest] = results;
  if (first === undefined) return [user(after)];
  switch (manner) {
    case 'reversed':
      return [user([...results].reverse()), user(after)];
    case 'textFirst':
      return [user([...after, ...results])];
    case 'missing':
      return [user([...rest, ...after, { kind: 'text', text: 'never mind' }])];
    case 'duplicate':
      return [user([...results, { ...first, parts: [{ kind: 'text', text: 'again' }], json: undefined }, ...after])];
    case 'late':
      return [user([...rest, { kind: 'text', text: 'wait' }]), user([first, ...after])];
    case 'orphan':
      return [user([...results, { ...first, callId: 'call_nobody', name: 'nobody' }, ...after])];
    default:
      return [user([...results, ...after])];
  }
}

function instructionTurn(source: DialectId): fc.Arbitrary<Turn> {
  return fc
    .tuple(
      fc.oneof(
        {
          arbitrary: fc.array(
            text.map((words): Part => ({ kind: 'text', text: words })),
            { minLength: 1, maxLength: 2 },
          ),
          weight: 4,
        },
        { arbitrary: toolChange(source).map((part): Part[] => [part]), weight: 1 },
      ),
      fc.constantFrom('system' as const, 'developer' as const),
    )
    .map(([parts, authority]) => ({
      role: 'instruction',
      authority: has(source, 'developers') ? authority : 'system',
      parts,
    }));
}

function conversation(
  source: DialectId,
  domains: Readonly<Record<DialectId, string>>,
  builtIn: readonly ClientTool[],
  like: string | undefined,
): fc.Arbitrary<Turn[]> {
  const said = fc.oneof(
    { arbitrary: fc.array(userPart(source), { minLength: 1, maxLength: 3 }), weight: 30 },
    { arbitrary: fc.constant([]), weight: 1 },
  );
  const told = fc.array(assistantParts(source, domains), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat());
  const turn = (role: Turn['role']) => (parts: readonly Part[]) => ({ kind: 'turn', turn: { role, parts } }) as const;
  const called = callPart(source).map((call) => (like === undefined ? call : { ...call, name: like }));
  const plain = fc.record({ call: called, result: resultPart(source) });
  const pair =
    builtIn.length === 0
      ? plain
      : fc.oneof({ arbitrary: clientPair(source, builtIn), weight: 5 }, { arbitrary: plain, weight: 1 });
  const loop = fc.record({
    kind: fc.constant('loop' as const),
    before: fc.array(assistantParts(source, domains), { maxLength: 2 }).map((parts) => parts.flat()),
    pairs: fc.array(pair, { minLength: 1, maxLength: 3 }),
    after: fc.array(userPart(source), { maxLength: 1 }),
    manner: fc.constantFrom(...MANNERS),
    odd: fc.constantFrom<OddId>('legal', 'legal', 'legal', 'legal', 'legal', 'split', 'illegal', 'none', 'same'),
  });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { arbitrary: said.map(turn('user')), weight: 4 },
    { arbitrary: told.map(turn('assistant')), weight: 3 },
    { arbitrary: loop, weight: 4 },
    {
      arbitrary: instructionTurn(source).map((one) => ({ kind: 'turn', turn: one }) as const),
      weight: has(source, 'instructionTurns') ? 1 : 0,
    },
  );
  const opening = fc.array(said.map(turn('user')), { minLength: 1, maxLength: 1 });
  const closing = mostly(said.map(turn('user')), 2);
  return fc
    .tuple(mostly(opening, 9), fc.array(step, { maxLength: 4 }), closing)
    .map(([first, middle, last]) => turnsOf([...(first ?? []), ...middle, ...(last === undefined ? [] : [last])]))
    .filter((turns) => turns.length > 0);
}

function instructions(source: DialectId): fc.Arbitrary<Instruction[]> {
  const part = userPart(source).filter(
    (one): one is Instruction['parts'][number] =>
      one.kind === 'text' || (one.kind === 'media' && has(source, 'instructionMedia')),
  );
  return fc.array(
    fc.record({
      authority: has(source, 'developers')
        ? fc.constantFrom('system' as const, 'developer' as const)
        : fc.constant('system' as const),
      parts: fc.array(part, { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: has(source, 'developers') ? 3 : 1 },
  );
}

/** Functions of a client that are called as what stands for a built-in tool. */
const NAMESAKES: readonly FunctionTool[] = ['bash', 'computer'].map((name) => ({ kind: 'function', name }));

/**
 * Requests as a decoder of `source` could have given them, and wider: every kind of part and tool, all settings, histories
 * that break every rule of pairing. Every node names its own canonical place. `domains` are those whose state may occur.
 */
export function requests(
  source: DialectId,
  domains: Readonly<Record<DialectId, string>>,
): fc.Arbitrary<CanonicalRequest> {
  const declared = fc.oneof(
    { arbitrary: fc.constant([]), weight: 20 },
    { arbitrary: fc.array(tools(source).any, { minLength: 1, maxLength: 4 }), weight: 40 },
    { arbitrary: manyStrict(source), weight: 1 },
  );
  const builtIn = fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    { arbitrary: fc.tuple(clientTools(source), rarely(fc.constant(true), 9)), weight: 1 },
  );
  const namesake = has(source, 'namedClientTools') ? NOTHING : rarely(fc.constantFrom(...NAMESAKES));
  return fc.tuple(declared, builtIn, namesake).chain(([functions, [client = [], hidden], like]) => {
    const own = like === undefined || client.length === 0 ? functions : [...functions, like];
    const list = hidden === true ? functions : [...own, ...client];
    return fc
      .tuple(
        settings(source),
        instructions(source),
        conversation(source, domains, client, hidden === true ? undefined : like?.name),
        toolChoice(list),
      )
      .map(([rest, leading, turns, choice]) =>
        placed({
          ...rest,
          source,
          instructions: leading,
          turns,
          tools: list,
          ...(choice !== undefined && { toolChoice: choice }),
          ...(has(source, 'prefill') && turns.at(-1)?.role === 'assistant' && { prefill: true }),
        }),
      );
  });
}
