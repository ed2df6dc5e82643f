/** The documented stand-in for the signature of a call that this service did not make ([G §4] signature rule 5). */
export const STAND_IN = 'skip_thought_signature_validator';
