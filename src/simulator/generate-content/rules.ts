import { type JsonObject, objectOf, objectsOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';
import { checkFields } from './field-rules.js';
import { toCamelCase } from './read.js';
import { inRuns } from './runs.js';
import { contentShapes } from './shapes.js';
import { checkConfig, checkTools } from './tool-rules.js';
import { checkContents, checkOrder, checkSignatures } from './turn-rules.js';

/** What the rules depend on besides the body. */
export interface ContentReading {
  readonly model: string;
  readonly host: 'dev' | 'cloud';
  /** The first call of each step in the current turn needs a signature. */
  readonly gemini3: boolean;
  readonly state: StateKeeper;
  /** A model that takes what any of them takes: a last model turn, the older role of results, tools of all kinds. */
  readonly takesAll?: boolean;
}

/** Models of 3.x that go on with a last model turn; from 3.6 on, and 3.5 Flash-Lite, they refuse it [G §4.11]. */
const CONTINUES = /^gemini-3(?:-pro|-flash|\.[0-4]|\.5(?!-flash-lite))/;

/** What the service would refuse a generate request for [G §4], the first finding first. */
export function checkGenerate(body: JsonObject, reading: ContentReading): Violation[] {
  const fields = checkFields(body, 'Request', contentShapes(reading.host));
  if (fields.length > 0) return fields;
  const camel = objectOf(toCamelCase(body));
  const takesAll = reading.takesAll === true;
  const old = !takesAll && /^(gemini-[12]|gemma)/.test(reading.model);
  const model = { old, host: reading.host, takesAll };
  return [
    ...checkContents(camel, takesAll || old || CONTINUES.test(reading.model), reading.host, takesAll),
    ...checkOrder(takesAll ? inRuns(camel) : camel, takesAll),
    ...checkSignatures(camel, reading.state, reading.gemini3),
    ...checkTools(camel, model),
    ...checkConfig(camel, model),
    ...checkSafety(camel),
  ];
}

/** At most one setting for each category [G §2.2]. */
function checkSafety({ safetySettings }: JsonObject): Violation[] {
  const seen = new Set<unknown>();
  for (const { category } of objectsOf(safetySettings)) {
    if (seen.has(category)) {
      const message = `* GenerateContentRequest.safety_settings: element has duplicate category ${String(category)}.\n`;
      return [{ message }];
    }
    seen.add(category);
  }
  return [];
}

/** What the service would refuse a count request for: `contents` and the inner request exclude each other [G §1]. */
export function checkCount(body: JsonObject, host: 'dev' | 'cloud', takesAll = false): Violation[] {
  const fields = checkFields(body, 'CountRequest', contentShapes(host));
  if (fields.length > 0) return fields;
  const camel = objectOf(toCamelCase(body));
  const inner = camel.generateContentRequest;
  if (inner !== undefined && camel.contents !== undefined) {
    return [{ message: 'Only one of contents and generate_content_request can be set.' }];
  }
  return checkContents(inner === undefined ? camel : objectOf(inner), true, host, takesAll);
}
