export const UNRELEASED: string;
export const KINDS: readonly string[];
export function versionNames(text: string): readonly string[];
export function notesOf(text: string, version: string): string;
export function fold(text: string, version: string): string;
export function withAddress(text: string, address: string): string;
