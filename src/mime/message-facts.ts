// What of a message is its text, and what is a file that comes with it: said once, for lists, searches, readers, and
// those who send a message on. Pure: the browser runs it, too.

/** A part as every list of parts has it. */
export interface PartFacts {
  /** by which the room server finds it; '' for the outermost multipart */
  number: string;
  /** '' where it says none */
  type: string;
  disposition: string;
  /** '' where it has none */
  name: string;
}

/** what a text has been written as */
const BODY_TEXTS: ReadonlySet<string> = new Set(['', 'text/plain', 'text/html', 'text/x-citadel-variformat']);

/** what a file is called to which the sender gave no name */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  'message/rfc822': 'message.eml',
  'message/global': 'message.eml',
  'text/calendar': 'invitation.ics',
  'application/ics': 'invitation.ics',
  'text/vcard': 'contact.vcf',
  'text/x-vcard': 'contact.vcf',
  'message/delivery-status': 'delivery-report.txt',
  'message/disposition-notification': 'reading-report.txt',
  'text/rfc822-headers': 'original-headers.txt',
  'application/pgp-signature': 'signature.asc',
};
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'application/pdf': '.pdf',
};

/** A message inside a message (RFC 2046 section 5.2.1, RFC 6532). */
export function isMessageType(type: string): boolean {
  return type === 'message/rfc822' || type === 'message/global';
}

/** Meant to be saved rather than shown (RFC 2183 section 2.2). */
export function isAttachment({ disposition }: Pick<PartFacts, 'disposition'>): boolean {
  return disposition.toLowerCase() === 'attachment';
}

/** The sender calls it a file: `inline` says where to show it, not that it is none (RFC 2183 section 2.1). */
export function isMarkedAsFile(part: Pick<PartFacts, 'disposition' | 'name'>): boolean {
  return isAttachment(part) || part.name !== '';
}

/** A file that is not to be shown in place. */
export function isSetApart(part: Pick<PartFacts, 'disposition' | 'name'>): boolean {
  return isMarkedAsFile(part) && part.disposition.toLowerCase() !== 'inline';
}

/** One of the texts that a message may be written as. Of a media type in lower case. */
export function isBodyText(type: string): boolean {
  return BODY_TEXTS.has(type);
}

/**
 * The files of a message: all of its parts but its text. A message inside it is one file, with what that holds.
 * `parts`: without multiparts, and without the wordings of a multipart/alternative that nobody is shown. `isShown`: the
 * text shows it, as it does a picture; what is marked as an attachment is a file all the same.
 */
export function filesAmong<P extends PartFacts>(parts: readonly P[], isShown: (part: P) => boolean): P[] {
  const messages = new Set(parts.filter(({ type }) => isMessageType(type.toLowerCase())).map(({ number }) => number));
  return parts.filter((part) => {
    if (part.number === '' || isInside(part.number, messages)) return false;
    if (isAttachment(part) || messages.has(part.number)) return true;
    return !isShown(part) && (isMarkedAsFile(part) || !isBodyText(part.type.toLowerCase()));
  });
}

/** `'2.1.3'` is inside 2 and 2.1. */
function isInside(number: string, messages: ReadonlySet<string>): boolean {
  for (let dot = number.lastIndexOf('.'); messages.size > 0 && dot > 0; dot = number.lastIndexOf('.', dot - 1)) {
    if (messages.has(number.slice(0, dot))) return true;
  }
  return false;
}

/** What a file is called for people. */
export function fileNameOf({ name, type, number }: PartFacts): string {
  const known = type.toLowerCase();
  return name || (USUAL_NAMES[known] ?? `part-${number}${ENDINGS[known] ?? ''}`);
}
