import type { HostFeature } from './host-words.js';
import type { SchemaRules, Target, TargetRules } from './target.js';
import type { Profile } from './words.js';

/** The target of a profile, with the rules of its dialect: what the host lacks, and that no tool is strict, is in them. */
export function targetOf(rules: TargetRules, { unsupported = [], ...abilities }: Profile): Target {
  return { ...abilities, unsupported: new Set(unsupported), rules: rulesAt(rules, abilities, unsupported) };
}

function rulesAt(
  rules: TargetRules,
  { strictTools }: Pick<Profile, 'strictTools'>,
  unsupported: readonly HostFeature[],
): TargetRules {
  if (strictTools && unsupported.length === 0) return rules;
  return {
    ...rules,
    schemas: strictTools ? rules.schemas : loosened(rules.schemas),
    customTools: rules.customTools && !unsupported.includes('customTools'),
    namespaces: rules.namespaces && !unsupported.includes('namespaces'),
    toolChanges: rules.toolChanges && !unsupported.includes('additionalTools'),
    approvals: rules.approvals && !unsupported.includes('mcp'),
  };
}

/** By the schema rules of a dialect: the loosened ones are made once, the rules that hold them are copied for each target. */
const LOOSE = new WeakMap<SchemaRules, SchemaRules>();

/** Where no tool is strict, nothing fills what was optional in its arguments with null. */
function loosened(schemas: SchemaRules): SchemaRules {
  const known = LOOSE.get(schemas);
  if (known !== undefined) return known;
  const loose: SchemaRules = {
    ...schemas,
    fillsNulls: (schema, of) => of === 'answer' && schemas.fillsNulls(schema, of),
  };
  LOOSE.set(schemas, loose);
  return loose;
}
