import * as z from 'zod';
import { type ProfileFlags, TARGET_WORDS, type Word, type Words } from '../../translators/index.js';
import { amount, count, whole, word } from './values.js';

/** Some words of a group, or the group whole. */
function groupOf(words: Words, isWhole: boolean): z.ZodObject {
  const member = ([name, one]: readonly [string, Word]): readonly [string, z.ZodType] => {
    const value = schemaOf(one);
    return [name, isWhole && one.optional !== true ? value : value.optional()];
  };
  return z.strictObject(Object.fromEntries(Object.entries(words).map(member)));
}

function schemaOf(one: Word): z.ZodType {
  switch (one.is) {
    case 'flag':
      return z.boolean();
    case 'map':
      return z.record(z.string(), z.string());
    case 'count':
      return count;
    case 'whole':
      return whole;
    case 'amount':
      return amount;
    case 'one':
      return z.enum(one.of);
    case 'list':
      return z.array(z.enum(one.of));
    case 'group':
      return groupOf(one.words, one.apart !== true);
    default:
      return one satisfies never;
  }
}

type Flags = ProfileFlags & { readonly model?: string };

/** A model name to look up, or flags over the looked-up profile (translation.md 2.1); `model` names the one to look up. */
export const profile = z.union([
  word,
  // The types follow from the same words.
  z.strictObject({ model: word.optional(), ...groupOf(TARGET_WORDS, false).shape }) as z.ZodType<Flags>,
]);
