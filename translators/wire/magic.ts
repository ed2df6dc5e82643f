/** The MIME type of bytes in base64 by how they begin, for sources that name none; undefined when it is none of the common ones. */
export function sniffMime(base64: string): string | undefined {
  if (base64.startsWith('iVBORw0KGgo')) return 'image/png';
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  if (base64.startsWith('R0lGOD')) return 'image/gif';
  if (base64.startsWith('UklGR')) return 'image/webp';
  return base64.startsWith('JVBERi0') ? 'application/pdf' : undefined;
}
