import fc from 'fast-check';
import type {
  CustomTool,
  FunctionTool,
  HostedTool,
  Tool,
  ToolChoice,
  ToolRef,
} from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import type { JsonObject } from '../../../translators/wire/json.js';
import { objectSchemas, schemas } from '../../schema/arbitraries.js';
import { has } from '../dialects/index.js';
import { VALUES } from './values.js';
import { cache, fields, mostly, NOTHING, rarely, text, toolName } from './words.js';

/** Schemas that clients write, and now and then any other. */
export const schema: fc.Arbitrary<JsonObject> = fc.oneof(
  { arbitrary: fc.constantFrom<JsonObject>(...VALUES.schemas), weight: 5 },
  { arbitrary: objectSchemas, weight: 2 },
  { arbitrary: schemas, weight: 1 },
);

function functionTool(source: DialectId): fc.Arbitrary<FunctionTool> {
  return fields<FunctionTool>({
    kind: fc.constant('function'),
    name: toolName,
    namespace: has(source, 'namespaces') ? rarely(fc.constantFrom('ns', 'crm'), 9) : NOTHING,
    namespaceDescription: has(source, 'namespaces') ? rarely(fc.constant('all of it'), 19) : NOTHING,
    description: rarely(text, 1),
    schema: mostly(schema, 9),
    strict: rarely(fc.boolean(), 2),
    inputExamples: rarely(fc.constantFrom<unknown[]>([{ city: 'x' }], []), 14),
    cache: rarely(cache, 14),
    ext: rarely(fc.constant({ [source]: { defer_loading: true } }), 19),
  });
}

const customTool = (source: DialectId): fc.Arbitrary<CustomTool> =>
  fields<CustomTool>({
    kind: fc.constant('custom'),
    name: toolName,
    namespace: has(source, 'namespaces') ? rarely(fc.constant('ns'), 14) : NOTHING,
    description: rarely(text, 1),
    grammar: rarely(fc.constant({ syntax: 'lark', definition: 'start: "x"' }), 2),
  });

function hostedTool(source: DialectId): fc.Arbitrary<HostedTool> {
  const head = { kind: 'hosted', dialect: source } as const;
  return fc.oneof(
    fields<HostedTool['settings']>({
      allowedDomains: rarely(fc.constant(['a.org'])),
      blockedDomains: rarely(fc.constant(['b.org'])),
      userLocation: rarely(fc.constantFrom<NonNullable<HostedTool['settings']['userLocation']>>(...VALUES.places)),
      contextSize: rarely(fc.constantFrom('low', 'high')),
      maxUses: rarely(fc.integer({ min: 1, max: 9 })),
    }).chain((settings) =>
      fc
        .constantFrom('web_search', 'googleSearch', 'enterpriseWebSearch')
        .map((type): HostedTool => ({ ...head, family: 'webSearch', type, settings })),
    ),
    fc.constantFrom<HostedTool>(...VALUES.hostedTools).map((tool): HostedTool => ({ ...tool, ...head })),
  );
}

/** Generators of every kind of tool. */
export function tools(source: DialectId): {
  readonly function: fc.Arbitrary<FunctionTool>;
  readonly any: fc.Arbitrary<Tool>;
} {
  const declared = functionTool(source);
  return {
    function: declared,
    any: fc.oneof(
      { arbitrary: declared, weight: 12 },
      { arbitrary: customTool(source), weight: has(source, 'customTools') ? 2 : 0 },
      { arbitrary: hostedTool(source), weight: 3 },
      {
        arbitrary: fc.constantFrom<Tool>({
          kind: 'opaque',
          dialect: source,
          type: 'odd_tool',
          raw: { type: 'odd_tool' },
        }),
        weight: 1,
      },
    ),
  };
}

/** More strict tools than one budget has room for ([M §2.8]). */
export function manyStrict(source: DialectId): fc.Arbitrary<Tool[]> {
  return fc
    .array(functionTool(source), { minLength: 18, maxLength: 24 })
    .map((list) => list.map((tool, index) => ({ ...tool, name: `t${index}`, strict: true })));
}

function refTo(tool: Tool): ToolRef {
  switch (tool.kind) {
    case 'function':
    case 'custom':
      return tool.namespace === undefined
        ? { kind: tool.kind, name: tool.name }
        : { kind: tool.kind, name: tool.name, namespace: tool.namespace };
    case 'hosted':
      return tool.family === 'mcp'
        ? { kind: 'mcp', server: tool.settings.server?.label ?? '' }
        : { kind: 'hosted', family: tool.family, type: tool.type };
    case 'client':
      return { kind: 'client', family: tool.family, type: tool.type };
    case 'opaque':
      return { kind: 'opaque', dialect: tool.dialect, raw: tool.raw };
  }
}

/** A choice among declared tools; now and then one that names a tool nobody declared. */
export function toolChoice(declared: readonly Tool[]): fc.Arbitrary<ToolChoice | undefined> {
  const only = fc.oneof(
    {
      arbitrary: fc.subarray([...declared], {
        minLength: Math.min(1, declared.length),
        maxLength: Math.min(3, declared.length),
      }),
      weight: 12,
    },
    {
      arbitrary: fc.constant<readonly Tool[]>([{ kind: 'function', name: 'undeclared' }]),
      weight: declared.length === 0 ? 1 : 0,
    },
  );
  return rarely(
    fields<ToolChoice>({
      mode: fc.constantFrom('auto', 'auto', 'required', 'none'),
      only: rarely(only, 2).map((list) => (list === undefined || list.length === 0 ? undefined : list.map(refTo))),
      parallel: rarely(fc.boolean(), 2),
      validated: rarely(fc.boolean(), 9),
    }).map((choice) => (choice.mode === 'none' ? { ...choice, only: undefined } : choice)),
    1,
  );
}
