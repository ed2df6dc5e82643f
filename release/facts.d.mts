export const PLACES: readonly { readonly file: string; readonly pattern: RegExp }[];
export const LICENCES: readonly string[];
export const SAID_OTHERWISE: Readonly<Record<string, string>>;
export const COPIED: Readonly<Record<string, string>>;
