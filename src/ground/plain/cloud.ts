/** A cloud whose credentials are fetched. */
export type Cloud = 'google' | 'aws';
