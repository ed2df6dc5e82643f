import { _, Ajv, type KeywordCxt, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { Json, JsonObject } from '../../translators/wire/json.js';

/** The drafts whose reading differs: up to 7 a tuple is a list in `items`, from 2020-12 on it is `prefixItems`. */
export type Draft = '7' | '2020';

/**
 * Whether a value is accepted; undefined where ajv itself fails: its code for `patternProperties` beside `oneOf` throws, and
 * beside `dependentSchemas` its `unevaluated*` forgets what the node itself evaluated.
 */
export type Verdict = (value: Json) => boolean | undefined;

// `ownProperties`: without it every object has a property called `constructor`.
const OPTIONS: Options = { strict: false, validateSchema: false, logger: false, ownProperties: true };

// The module is CommonJS whose types say otherwise.
const addFormats = addFormatsModule as unknown as (ajv: unknown) => void;

/** ajv does not see a property by that name, neither in schemas nor in values, so both get another one for it. */
function renamed<Value extends Json>(value: Value): Value {
  const text = JSON.stringify(value);
  return text.includes('__proto__') ? JSON.parse(text.replaceAll('__proto__', 'proto__')) : value;
}

/** `oneOf` as `anyOf`: the code of ajv's own `anyOf` under the other name. */
function anyOfCode(cxt: KeywordCxt): void {
  const { gen } = cxt;
  const valid = gen.let('valid', false);
  const one = gen.name('_valid');
  gen.block(() => {
    for (const [index] of cxt.schema.entries()) {
      const branch = cxt.subschema({ keyword: 'oneOf', schemaProp: index, compositeRule: true }, one);
      gen.assign(valid, _`${valid} || ${one}`);
      if (cxt.mergeValidEvaluated(branch, one) !== true) gen.if(_`!${valid}`);
    }
  });
  cxt.result(
    valid,
    () => cxt.reset(),
    () => cxt.error(true),
  );
}

/** How a schema is read: by a draft, and `looseOneOf` as a service does that reads `oneOf` as `anyOf` [G §3.2 item 1]. */
export interface Reading {
  readonly draft?: Draft;
  readonly looseOneOf?: boolean;
}

function compiled(schema: JsonObject | boolean, { draft, looseOneOf }: Reading): Verdict {
  const ajv = draft === '7' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats(ajv);
  if (looseOneOf === true) {
    ajv.removeKeyword('oneOf');
    ajv.addKeyword({ keyword: 'oneOf', schemaType: 'array', trackErrors: true, code: anyOfCode });
  }
  const text = JSON.stringify(schema);
  if (text.includes('"dependentSchemas":') && text.includes('"unevaluated')) return () => undefined;
  const validate = ajv.compile(typeof schema === 'boolean' ? schema : renamed(schema));
  return (value) => {
    try {
      return validate(renamed(value)) === true;
    } catch {
      return undefined;
    }
  };
}

/** Compiling takes most of the time of these tests, and one schema is sent on many ways. */
const KNOWN = new Map<string, Verdict>();
const KEPT = 500;

/** The verdict of ajv on values of a schema; formats that ajv-formats knows are asserted. */
export function verdict(schema: JsonObject | boolean, { draft = '2020', looseOneOf = false }: Reading = {}): Verdict {
  const key = `${draft} ${looseOneOf} ${JSON.stringify(schema)}`;
  const found = KNOWN.get(key) ?? compiled(schema, { draft, looseOneOf });
  if (KNOWN.size >= KEPT) KNOWN.clear();
  KNOWN.set(key, found);
  return found;
}
