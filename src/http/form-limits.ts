/** Bounds of one form. Sizes in bytes, times in ms. */
export interface FormLimits {
  /** The whole body. */
  readonly total: number;
  /** One file must be smaller. */
  readonly file: number;
  readonly files: number;
  readonly fields: number;
  /** The text of one field; some hold a picture as a data URL (media.md 3.5.4). */
  readonly field: number;
  /** For the whole body to arrive. */
  readonly deadline: number;
}

/** So many pictures and a mask (media.md 1.3). */
const FILES = 17;
const FIELDS = 64;
const FIELD_BYTES = 28 * 1024 * 1024;

/** The bounds that a form has unless its route says otherwise. */
export function formLimits(given: Pick<FormLimits, 'total' | 'file' | 'deadline'>): FormLimits {
  return { files: FILES, fields: FIELDS, field: FIELD_BYTES, ...given };
}
