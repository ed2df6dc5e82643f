/** Takes facts with an optional message, or a message alone. */
type WriteLine = (facts: unknown, message?: string) => void;

/** Writes lines of the log. */
export interface Logger {
  /** The lowest level that is written, as `log.level` of the configuration names it. May be set at any time. */
  level: string;
  isLevelEnabled(level: string): boolean;
  readonly trace: WriteLine;
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  readonly fatal: WriteLine;
}
