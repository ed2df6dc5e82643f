import { signal } from '@preact/signals';

/** What stands in the search field of the header: a part of a path or of the name of a model, by which views filter. */
export const search = signal('');

/** Counts the presses of Enter in the search field: views go to the first of what they found. */
export const searchEntered = signal(0);
