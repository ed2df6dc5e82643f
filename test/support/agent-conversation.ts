/** A long agent conversation in each dialect, written by hand from one neutral script: material for benchmarks and laws. */

export interface AgentConversation {
  readonly messages: Record<string, unknown>;
  readonly responses: Record<string, unknown>;
  readonly generateContent: Record<string, unknown>;
}

const PARAGRAPH =
  'The build runs in three steps: it resolves the workspace, compiles every package in order of dependency and then ' +
  'links the outputs. "Quotes", back\\slashes and ünïcode — all of it occurs in real files.\n';

const TOOL_NAMES = ['read_file', 'write_file', 'list_folder', 'search', 'run_command', 'fetch_page'] as const;

/** `steps` rounds of call and result with about 1.6 kB each; 60 steps make about 100 kB. */
export function agentConversation(steps: number): AgentConversation {
  const system = PARAGRAPH.repeat(12);
  const question = 'Find out why the build is slow and mend it.';
  const rounds = Array.from({ length: steps }, (_, step) => ({
    thought: `Step ${step}: look at the next file before changing anything.`,
    id: `call_${step.toString(36).padStart(6, '0')}`,
    name: TOOL_NAMES[step % TOOL_NAMES.length] ?? 'read_file',
    args: { path: `packages/core/src/module-${step}.ts`, lines: [step, step + 40], recursive: step % 2 === 0 },
    result: `${PARAGRAPH.repeat(5)}line ${step}`,
  }));
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Path below the workspace.' },
      lines: { type: 'array', items: { type: 'integer' }, description: 'First and last line.' },
      recursive: { type: 'boolean' },
    },
    required: ['path'],
  };
  const tools = TOOL_NAMES.map((name) => ({ name, description: `Use ${name} for what its name says. ${PARAGRAPH}` }));
  const last = 'Go on until the tests are green.';
  return {
    messages: {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      system,
      tools: tools.map((tool) => ({ ...tool, input_schema: schema })),
      messages: [
        { role: 'user', content: question },
        ...rounds.flatMap(({ thought, id, name, args, result }) => [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: thought },
              { type: 'tool_use', id, name, input: args },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
        ]),
        { role: 'user', content: last },
      ],
    },
    responses: {
      model: 'gpt-5',
      max_output_tokens: 4096,
      instructions: system,
      tools: tools.map((tool) => ({ type: 'function', ...tool, parameters: schema, strict: false })),
      input: [
        { role: 'user', content: question },
        ...rounds.flatMap(({ thought, id, name, args, result }) => [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: thought, annotations: [] }] },
          { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
          { type: 'function_call_output', call_id: id, output: result },
        ]),
        { role: 'user', content: last },
      ],
    },
    generateContent: {
      systemInstruction: { parts: [{ text: system }] },
      generationConfig: { maxOutputTokens: 4096 },
      tools: [{ functionDeclarations: tools.map((tool) => ({ ...tool, parametersJsonSchema: schema })) }],
      contents: [
        { role: 'user', parts: [{ text: question }] },
        ...rounds.flatMap(({ thought, id, name, args, result }) => [
          { role: 'model', parts: [{ text: thought }, { functionCall: { id, name, args } }] },
          { role: 'user', parts: [{ functionResponse: { id, name, response: { output: result } } }] },
        ]),
        { role: 'user', parts: [{ text: last }] },
      ],
    },
  };
}
