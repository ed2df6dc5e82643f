/** For what nobody waits for, and whose failure is no news. */
export function ignore(): void {}
