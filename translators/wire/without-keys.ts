const URLS = /https?:\/\/[^\s"'<>]+/gi;
const KEYED = /[?&](?:key|token|sig|signature)=/i;
const KEYS = /\b(?:sk|pk|rk)-[A-Za-z0-9*_-]{6,}|\bBearer\s+\S+/g;

/** What a service says, without the keys in it and without the addresses that hold one (hardening.md row 26). */
export function withoutKeys(message: string): string {
  return message.replace(URLS, (url) => (KEYED.test(url) ? '[address removed]' : url)).replace(KEYS, '[key removed]');
}
