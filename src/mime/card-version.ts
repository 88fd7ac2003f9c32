// Contacts as a Citadel server writes them anew (protocol section 17.2): properties and parameters are those of the
// vCard 3.0 that came, but the version says 2.1, and the frame is in lower case. Programs that read 3.0 miss the frame,
// or read parameters in another way.

const FIRST = /^begin:vcard\r?\n/;
const OLD_VERSION = /^VERSION:2\.1(?=\r?$)/m;
/** what only 2.1 has: such a card came in this version */
const OLD_CODING = /[;=]QUOTED-PRINTABLE[;:]/i;

/** As vCard 3.0, of the same length; what is no such contact as it is. A client can PUT none of version 2.1. */
export function asVersion3(card: Buffer): Buffer {
  if (!FIRST.test(card.toString('latin1', 0, FIRST_BYTES))) return card;
  const text = card.toString('latin1');
  if (!OLD_VERSION.test(text) || OLD_CODING.test(text)) return card;
  const framed = text.replace(/^(?:begin|end):vcard(?=\r?$)/gm, (line) => line.toUpperCase());
  return Buffer.from(framed.replace(OLD_VERSION, 'VERSION:3.0'), 'latin1');
}

const FIRST_BYTES = 'begin:vcard\r\n'.length;
