import { has } from '../dialects/index.js';
import { BLOCKS, blocksOf, type Sent, speakerOf } from './grown.js';
import type { Move, Script } from './moves.js';

type Json = Record<string, unknown>;

/** Two requests of one conversation, of which the second has one move more. */
export interface Growth {
  readonly script: Script;
  /** The moves of the shorter one. */
  readonly earlier: readonly Move[];
  readonly added: Move;
}

/** Both requests as they are to be compared where the matrix itself makes the earlier part change. */
type Mend = (shorter: Sent, longer: Sent) => readonly [Sent, Sent];

interface Exception {
  readonly name: string;
  readonly why: string;
  readonly applies: (shorter: Sent, longer: Sent, growth: Growth) => boolean;
  readonly mend: Mend;
}

const CONTINUE = /^Continue(?: your last message exactly where it stopped\. Output only the continuation)?\.$/;
const OPENING = '(conversation continues)';
const SYNTHETIC = /Tool call was not completed\.|\[no result: the call was interrupted\]/;

/** Where the prefix may change, and how far (translation.md 2.2 to 2.12). Nothing else may. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    name: 'the wish that a last assistant turn goes on',
    why: 'the target continues no assistant turns; the wish stands only as long as that turn is the last (2.4)',
    applies: ({ elements, dialect }) => CONTINUE.test(String(blocksOf(dialect, elements.at(-1)).at(-1)?.text)),
    mend: (shorter, longer) => [withoutLastBlock(shorter), longer],
  },
  {
    name: 'the mark of a last assistant turn that goes on',
    why: 'the server is told by a flag of the message, which stands only as long as it is the last (translation.md 2.4)',
    applies: ({ elements }) => elements.at(-1)?.prefix === true,
    mend: (shorter, longer) => {
      const { prefix: _prefix, ...last } = shorter.elements.at(-1) ?? {};
      const unmarked = longer.elements.map(({ prefix: _mark, ...element }) => element);
      return [
        { ...shorter, elements: [...shorter.elements.slice(0, -1), last] },
        { ...longer, elements: unmarked },
      ];
    },
  },
  {
    name: 'an instruction at the end that a user speaks after',
    why: 'the service takes it only last or before an assistant; before a user it is a note (2.3)',
    applies: ({ dialect, elements }, _longer, { added }) =>
      has(dialect, 'instructionsBeforeAnswers') &&
      speakerOf(elements.at(-1)) === 'system' &&
      ['user', 'results', 'instruction'].includes(added.kind),
    mend: (shorter, longer) => {
      const end = shorter.elements.findLastIndex((element) => speakerOf(element) !== 'system');
      return [{ ...shorter, elements: shorter.elements.slice(0, end + 1) }, longer];
    },
  },
  {
    name: 'tools that are added in mid-history',
    why: 'the target declares tools at the top only, behind those that were declared (2.6 toolChange); a key that is made of marks is of them too (2.2)',
    applies: ({ dialect }, _longer, { added }) => !has(dialect, 'lateTools') && added.kind === 'tools',
    mend: (shorter, longer) => {
      const known = declarations(shorter);
      return [
        { ...withoutKey(shorter), tools: known },
        { ...withoutKey(longer), tools: declarations(longer).slice(0, known.length) },
      ];
    },
  },
  {
    name: 'the result of a call that the conversation had moved past',
    why: 'what stood in for it gives way to it (2.4 missing result)',
    applies: (_shorter, _longer, { added }) => added.kind === 'results',
    mend: (shorter, longer) => {
      const place = shorter.elements.findIndex((element) => SYNTHETIC.test(JSON.stringify(element)));
      return [{ ...shorter, elements: place < 0 ? shorter.elements : shorter.elements.slice(0, place) }, longer];
    },
  },
  {
    name: 'the picture of an assistant who goes on speaking unasked',
    why: 'it stands behind the whole turn (2.6)',
    applies: (_shorter, _longer, { earlier, added }) =>
      added.kind === 'assistant' && earlier.at(-1)?.kind === 'assistant',
    mend: (shorter, longer) => {
      const end = shorter.elements.findLastIndex((element) => !isPictures(shorter.dialect, element));
      return [{ ...shorter, elements: shorter.elements.slice(0, end + 1) }, longer];
    },
  },
  {
    name: 'an assistant who was the first to speak and now calls',
    why: 'a call wants a user in front of it, a text does not (2.4)',
    applies: (shorter, longer) => {
      const before = shorter.elements.find((element) => speakerOf(element) === 'model');
      const after = longer.elements.find((element) => speakerOf(element) === 'model');
      return isOpened(longer) && !isOpened(shorter) && isCall(longer, after) && !isCall(shorter, before);
    },
    mend: (shorter, longer) => {
      const [first, ...rest] = longer.elements;
      const parts = blocksOf(longer.dialect, first).filter(({ text }) => text !== OPENING);
      return [shorter, { ...longer, elements: parts.length === 0 ? rest : [{ ...first, parts }, ...rest] }];
    },
  },
  {
    name: 'the message that speaks of JSON while no user has spoken',
    why: "it stands in for the user's first words, which may do so themselves (2.10)",
    applies: (shorter, longer, { script, earlier }) =>
      script.setup.json &&
      !earlier.some(({ kind }) => kind === 'user' || kind === 'results') &&
      shorter.elements.some(asksForJson) &&
      !longer.elements.some(asksForJson),
    mend: (shorter, longer) => [
      { ...shorter, elements: shorter.elements.filter((element) => !asksForJson(element)) },
      longer,
    ],
  },
  {
    name: 'cache marks',
    why: 'the last ones are sent, or ours at the ends; a mark is no content: where it stands changes nothing that is cached (2.2)',
    applies: (shorter, longer) => isMarked(shorter) || isMarked(longer),
    mend: (shorter, longer) => [unmarked(shorter), unmarked(longer)],
  },
  {
    name: 'thinking is off in a tool loop that does not begin with it',
    why: 'the service refuses such a loop (2.12, last line; 4.5)',
    applies: (shorter, longer, { script }) =>
      has(shorter.dialect, 'thinkingInLoops') &&
      script.setup.reasoning &&
      (endsInResults(shorter) || endsInResults(longer)),
    mend: (shorter, longer) => [withoutThinking(shorter), withoutThinking(longer)],
  },
];

/** Where the turn itself has nothing that crosses, the wish is said in the user's message before it. */
function withoutLastBlock({ dialect, elements, ...sent }: Sent): Sent {
  const last = elements.at(-1);
  const blocks = blocksOf(dialect, last).slice(0, -1);
  const [block, ...more] = blocks;
  // One text alone is written as a string (translation.md 2.6).
  const content = has(dialect, 'oneMessage') && more.length === 0 && block?.type === 'text' ? block.text : blocks;
  const kept = block === undefined ? [] : [{ ...last, [BLOCKS[dialect]]: content }];
  // Servers that want the assistant to speak behind results are told so in front of the wish (translation.md 3).
  const inserted = block === undefined && elements.at(-2)?.role === 'assistant' && elements.at(-2)?.content === 'Done.';
  return { ...sent, dialect, elements: [...elements.slice(0, inserted ? -2 : -1), ...kept] };
}

function endsInResults({ dialect, elements }: Sent): boolean {
  return blocksOf(dialect, elements.at(-1)).some(({ type }) => type === 'tool_result');
}

function isOpened({ dialect, elements }: Sent): boolean {
  return has(dialect, 'callsAfterUser') && blocksOf(dialect, elements[0]).some(({ text }) => text === OPENING);
}

function isCall({ dialect }: Sent, element: Json | undefined): boolean {
  return has(dialect, 'callsAfterUser') && blocksOf(dialect, element).some((block) => 'functionCall' in block);
}

function isPictures(dialect: Sent['dialect'], element: Json): boolean {
  return blocksOf(dialect, element).every(
    (block) => /^(?:(?:input_)?image|image_url)$/.test(String(block.type)) || 'inlineData' in block,
  );
}

function declarations({ tools }: Sent): unknown[] {
  return (tools as Json[]).flatMap((tool) => tool.functionDeclarations ?? tool);
}

function isMarked(sent: Sent): boolean {
  return has(sent.dialect, 'cacheMarks') && JSON.stringify(sent).includes('"cache_control":');
}

/** Without marks. A text that stands alone is a list where it carries one. */
export function unmarked(sent: Sent): Sent {
  if (!isMarked(sent)) return sent;

  const plain = JSON.parse(JSON.stringify(sent, (key, value) => (key === 'cache_control' ? undefined : value))) as Sent;
  return {
    ...plain,
    elements: plain.elements.map((element) => ({ ...element, content: blocksOf(sent.dialect, element) })),
    rest:
      typeof plain.rest.system === 'string'
        ? { ...plain.rest, system: [{ type: 'text', text: plain.rest.system }] }
        : plain.rest,
  };
}

function asksForJson(element: Json): boolean {
  return speakerOf(element) !== 'user' && JSON.stringify(element).includes('Answer in JSON.');
}

function withoutKey(sent: Sent): Sent {
  const { prompt_cache_key: _key, ...rest } = sent.rest;
  return { ...sent, rest };
}

function withoutThinking(sent: Sent): Sent {
  const { thinking: _thinking, ...rest } = sent.rest;
  return { ...sent, rest };
}

/** Requests that a conversation may make on its way and that no service would answer. */
export const REFUSALS: readonly { readonly message: RegExp; readonly why: string }[] = [
  { message: /^no tool output found for call/, why: 'the history ends in open calls' },
  { message: /^the conversation holds no user content/, why: 'nobody has spoken yet' },
  { message: /^contents is not specified$/, why: 'nobody has spoken yet' },
];
