import { faultOf } from './fault.js';

/** What a field of a media request holds. */
export type FieldType = 'text' | 'integer' | 'number' | 'boolean';

const TYPES: Readonly<
  Record<FieldType, { readonly called: string; is(value: unknown): boolean; readonly form?: RegExp }>
> = {
  text: { called: 'a string', is: (value) => typeof value === 'string' },
  integer: { called: 'an integer', is: Number.isSafeInteger, form: /^-?\d{1,15}$/ },
  number: { called: 'a number', is: (value) => typeof value === 'number', form: /^\d{1,9}(?:\.\d{1,6})?$/ },
  boolean: { called: 'true or false', is: (value) => typeof value === 'boolean', form: /^(?:true|false)$/ },
};

/** The value of a JSON field. Throws TranslationError that names it when it is of another type. */
export function checkType<Value>(name: string, type: FieldType, value: Value): Value {
  if (!TYPES[type].is(value)) throw faultOf(name, 'invalid_type', `must be ${TYPES[type].called}`);
  return value;
}

/** The value of a field of a form, all of which are text. Throws TranslationError that names it when it holds none. */
export function parseText(name: string, type: FieldType, text: string): string | number | boolean {
  const { form } = TYPES[type];
  if (form === undefined) return text;
  if (!form.test(text)) throw faultOf(name, 'invalid_type', `must be ${TYPES[type].called}`);
  return type === 'boolean' ? text === 'true' : Number(text);
}
