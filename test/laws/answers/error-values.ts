import fc from 'fast-check';
import { texts, words } from '../values.js';

/** HTTP statuses that services answer with. */
export const statuses = fc.constantFrom(
  400,
  401,
  402,
  403,
  404,
  408,
  409,
  413,
  418,
  422,
  429,
  499,
  500,
  502,
  503,
  504,
  529,
);

/** What errors say. */
export const errorMessages = fc.oneof(
  texts,
  words,
  fc.constantFrom('prompt is too long: 9 tokens > 8 maximum', 'model: gone'),
);
