/** How the file is opened, by everybody who does. */
export const FILE_OPTIONS = {
  maxDbs: 40,
  compression: true,
  // With batches by turn of the event loop lmdb makes a promise for each that nobody holds: a commit that fails rejects
  // it, and ends the process.
  eventTurnBatching: false,
} as const;

/** The exit code of a look at a file that found damage. */
export const DAMAGED = 65;
