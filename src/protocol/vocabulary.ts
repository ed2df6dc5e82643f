/** The vocabulary by which tokens are estimated: large, and therefore loaded where something is to be counted. */
export { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
