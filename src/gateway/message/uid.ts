// The UID inside a calendar object, a contact or a note (RFC 5545 section 3.8.4.7, RFC 6350 section 6.7.6): the name
// under which a groupware room will know the message that holds it.

const HAS_UID = /^text\/(calendar|vcard|x-vcard|directory|vnote|x-vnote)\b|^application\/ics\b/i;

/** The first UID of `source`, unfolded; empty where there is none or the type has none. */
export async function uidOf(contentType: string, source: AsyncIterable<Buffer>): Promise<string> {
  if (!HAS_UID.test(contentType.trim())) return '';
  const text = Buffer.concat(await Array.fromAsync(source))
    .toString('utf8')
    .replace(/\r?\n[ \t]/g, '');
  return /(?:^|[\r\n])UID(?:;[^:\r\n]*)?:([^\r\n]*)/i.exec(text)?.[1]?.trim() ?? '';
}
