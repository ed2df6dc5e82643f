import type { FakeDialectName, Reply, ReplyCall } from '../support/fake-backend/index.js';
import { createSession, type SessionOptions, type ToolSpec, type TurnUsage } from '../support/sessions/index.js';

/** How many requests an agent sends in a session. */
const TURNS = 30;

const SENTENCE =
  'Read a file before you change it, keep to the style of what is there, run the tests of the room that you touched, ' +
  'and say in "one plain sentence" what you did — ünïcode and back\\slashes occur in real files.\n';

/** Some 4,000 tokens of standing orders. */
const SYSTEM = Array.from({ length: 80 }, (_, rule) => `${rule + 1}. ${SENTENCE}`).join('');

const NAMES = [
  'read_file',
  'write_file',
  'edit_file',
  'list_folder',
  'search_text',
  'run_command',
  'run_tests',
  'fetch_page',
  'ask_user',
  'show_diff',
  'commit',
  'make_plan',
] as const;

const TOOLS: readonly ToolSpec[] = NAMES.map((name) => ({
  name,
  description: `Use ${name} for what its name says. ${SENTENCE}`,
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Path below the workspace.' },
      lines: { type: 'array', items: { type: 'integer', minimum: 1 }, description: 'First and last line.' },
      mode: { type: 'string', enum: ['text', 'bytes'] },
      recursive: { type: 'boolean' },
    },
    required: ['path'],
  },
}));

/** Every tenth answer ends a task, the others go on with one call or with two at once. */
function endsTask(turn: number): boolean {
  return turn % 10 === 9;
}

/** What the model says in each turn: thoughts, now and then a text, and calls of tools. */
export const REPLIES: readonly Reply[] = Array.from({ length: TURNS }, (_, turn) => {
  const reasoning = `Step ${turn}: the next file tells whether the cause is where I think it is.`;
  if (endsTask(turn)) return { kind: 'text', reasoning, text: `Task ${(turn + 1) / 10} is done. ${SENTENCE}` };
  const call = (index: number): ReplyCall => ({
    name: NAMES[(turn * 5 + index) % NAMES.length] ?? 'read_file',
    arguments: { path: `src/room-${turn}/file-${index}.ts`, lines: [turn + 1, turn + 41], recursive: index === 0 },
  });
  const calls = turn % 3 === 2 ? [call(0), call(1)] : [call(0)];
  return { kind: 'reasoning+calls', reasoning, calls, ...(turn % 4 === 1 ? { text: `Looking at room ${turn}.` } : {}) };
});

/** Runs the session and gives the usage that the client was told, turn by turn. Every third answer is streamed. */
export async function runAgent(
  client: FakeDialectName,
  url: string,
  options: Pick<SessionOptions, 'model' | 'apiKey'>,
): Promise<readonly TurnUsage[]> {
  const session = createSession(client, url, {
    ...options,
    system: SYSTEM,
    tools: TOOLS,
    reasoning: true,
    agent: true,
  });
  const told: TurnUsage[] = [];
  session.user('Find out why the build is slow and mend it.');
  for (let turn = 0; turn < TURNS; turn += 1) {
    const { calls, usage } = await session.send({ stream: turn % 3 === 1 });
    told.push(usage);
    if (calls.length === 0) session.user(`Good. Now the next one: task ${turn}.`);
    else session.results(calls.map(({ id, name }, index) => ({ id, name, output: outputOf(turn, index) })));
  }
  return told;
}

/** Results of some hundred to some thousand bytes. */
function outputOf(turn: number, index: number): string {
  const lines = Array.from({ length: 2 + ((turn * 7) % 8) }, (_, line) => `${turn}.${index}.${line}: ${SENTENCE}`);
  return lines.join('');
}
