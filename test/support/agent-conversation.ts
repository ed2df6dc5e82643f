import type { DialectId } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';

/** A long agent conversation in each dialect, written by hand from one neutral script: material for benchmarks and laws. */

const PARAGRAPH =
  'The build runs in three steps: it resolves the workspace, compiles every package in order of dependency and then ' +
  'links the outputs. "Quotes", back\\slashes and ünïcode — all of it occurs in real files.\n';

const TOOL_NAMES = ['read_file', 'write_file', 'list_folder', 'search', 'run_command', 'fetch_page'] as const;

const QUESTION = 'Find out why the build is slow and mend it.';

/** `steps` rounds of call and result with about 1.6 kB each; 60 steps make about 100 kB. */
export function agentConversation(dialect: DialectId, steps: number): Readonly<Record<string, unknown>> {
  const rounds = Array.from({ length: steps }, (_, step) => ({
    thought: `Step ${step}: look at the next file before changing anything.`,
    id: `call_${step.toString(36).padStart(6, '0')}`,
    name: TOOL_NAMES[step % TOOL_NAMES.length] ?? 'read_file',
    args: { path: `packages/core/src/module-${step}.ts`, lines: [step, step + 40], recursive: step % 2 === 0 },
    result: `${PARAGRAPH.repeat(5)}line ${step}`,
  }));
  const tools = TOOL_NAMES.map((name) => toolOf(name, 1));
  const last = 'Go on until the tests are green.';
  const system = PARAGRAPH.repeat(12);
  return CONVERSATIONS[dialect]({ system, question: QUESTION, rounds, tools, schema: SCHEMA, last });
}

/**
 * What coding agents send first, as far as its parts go: `tools` with about 2 kB each, instructions of about `system` paragraphs
 * of 200 bytes, and one question. 24 tools and 200 paragraphs make about 90 kB.
 */
export function agentOpening(
  dialect: DialectId,
  { tools, system }: { readonly tools: number; readonly system: number },
): Readonly<Record<string, unknown>> {
  return CONVERSATIONS[dialect]({
    system: PARAGRAPH.repeat(system),
    question: QUESTION,
    rounds: [],
    tools: Array.from({ length: tools }, (_, index) => toolOf(`${TOOL_NAMES[index % 6]}_${index}`, tools > 6 ? 9 : 1)),
    schema: SCHEMA,
    last: 'Begin with the slowest package.',
  });
}

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path below the workspace.' },
    lines: { type: 'array', items: { type: 'integer' }, description: 'First and last line.' },
    recursive: { type: 'boolean' },
  },
  required: ['path'],
};

function toolOf(name: string, paragraphs: number): { readonly name: string; readonly description: string } {
  return { name, description: `Use ${name} for what its name says. ${PARAGRAPH.repeat(paragraphs)}` };
}

export interface AgentScript {
  readonly system: string;
  readonly question: string;
  readonly rounds: readonly {
    readonly thought: string;
    readonly id: string;
    readonly name: string;
    readonly args: object;
    readonly result: string;
  }[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly schema: object;
  readonly last: string;
}

const CONVERSATIONS = tableOf('agentConversation');
