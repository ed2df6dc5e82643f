import { type JsonObject, objectOf, objectsOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import { type Violation, when } from '../violation.js';
import { checkFields, fault, toCamelCase } from './field-rules.js';
import { inRuns } from './runs.js';
import type { Host } from './shapes.js';
import { checkConfig, checkTools } from './tool-rules.js';
import { checkContents, checkOrder, checkSignatures } from './turn-rules.js';

/** What the rules depend on besides the body. */
export interface ContentReading {
  readonly model: string;
  readonly host: Host;
  /** The first call of each step in the current turn needs a signature. */
  readonly gemini3: boolean;
  readonly state: StateKeeper;
  /** A model that takes what any of them takes: a last model turn, the older role of results, tools of all kinds. */
  readonly takesAll?: boolean;
}

/** Models of 3.x that go on with a last model turn; from 3.5 on they refuse it [G §4.11]. */
const CONTINUES = /^gemini-3(?:-pro|-flash|\.[0-4])/;

/** Models that cannot think as little as others. */
const NEVER_MINIMAL = /^gemini-3\.[7-9]/;

/** What the service would refuse a generate request for [G §4], the first finding first. */
export function checkGenerate(body: JsonObject, reading: ContentReading): Violation[] {
  const { model, host, gemini3, state, takesAll = false } = reading;
  const fields = checkFields(body, 'Request', host);
  if (fields.length > 0) return fields;
  const camel = toCamelCase(body, 'Request', host);
  const old = !takesAll && /^(gemini-[12]|gemma)/.test(model);
  const { thinkingLevel } = objectOf(objectOf(camel.generationConfig).thinkingConfig);
  const tooLittle = NEVER_MINIMAL.test(model) && thinkingLevel === 'MINIMAL';
  const categories = new Set<unknown>();
  const twice = objectsOf(camel.safetySettings).find(
    ({ category }) => categories.size === categories.add(category).size,
  );
  return [
    ...checkContents(camel, takesAll || old || CONTINUES.test(model), host, takesAll),
    ...checkOrder(takesAll ? inRuns(camel) : camel, takesAll),
    ...checkSignatures(camel, state, gemini3),
    ...checkTools(camel, { old, host, takesAll }),
    ...checkConfig(camel, old),
    ...when(tooLittle, 'Thinking level MINIMAL is not supported for this model.'),
    // At most one setting for each category [G §2.2].
    ...fault(twice !== undefined, 'safety_settings', `element has duplicate category ${twice?.category}.`),
  ];
}

/** What the service would refuse a count request for: `contents` and the inner request exclude each other [G §1]. */
export function checkCount(body: JsonObject, host: Host, takesAll = false): Violation[] {
  const fields = checkFields(body, 'CountRequest', host);
  if (fields.length > 0) return fields;
  const camel = toCamelCase(body, 'CountRequest', host);
  const { generateContentRequest: inner, contents } = camel;
  return [
    ...when(
      inner !== undefined && contents !== undefined,
      'Only one of contents and generate_content_request can be set.',
    ),
    ...checkContents(inner === undefined ? camel : objectOf(inner), true, host, takesAll),
  ];
}
