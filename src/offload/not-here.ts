/** Thrown in a thread by what the process alone can do. */
export class NotHere extends Error {
  constructor() {
    super('the request is served by the process itself');
  }
}
