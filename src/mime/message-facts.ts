// Which parts of a message are its text and which are attached files. Lists, search, readers and forwarding share this
// definition, and so does the web client.

/** the fields that every part list has */
export interface PartFacts {
  /** part number at the room server; '' for the outermost multipart */
  number: string;
  /** '' if missing */
  type: string;
  disposition: string;
  /** '' if missing */
  name: string;
}

/** media types of message text */
const BODY_TEXTS: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'text/html',
  'text/enriched',
  'text/richtext',
  'text/x-citadel-variformat',
]);

/** default names of unnamed files */
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

/** The sender wants it saved rather than displayed (RFC 2183 section 2.2). */
export function isAttachment({ disposition }: Pick<PartFacts, 'disposition'>): boolean {
  return disposition.toLowerCase() === 'attachment';
}

/** The sender calls it a file. `inline` says where to show it, not that it is no file (RFC 2183 section 2.1). */
export function isMarkedAsFile(part: Pick<PartFacts, 'disposition' | 'name'>): boolean {
  return isAttachment(part) || part.name !== '';
}

/** A file that is not displayed inline. */
export function isSetApart(part: Pick<PartFacts, 'disposition' | 'name'>): boolean {
  return isMarkedAsFile(part) && part.disposition.toLowerCase() !== 'inline';
}

/** Takes a lower-case media type. */
export function isBodyText(type: string): boolean {
  return BODY_TEXTS.has(type);
}

/**
 * The files of a message: all parts except its text. An embedded message counts as one file, including its contents.
 * `parts` holds no multiparts and no unused alternatives. `isShown`: the text displays the part, as with inline images;
 * an explicit attachment is a file even so.
 */
export function filesAmong<P extends PartFacts>(parts: readonly P[], isShown: (part: P) => boolean): P[] {
  const messages = new Set(parts.filter(({ type }) => isMessageType(type.toLowerCase())).map(({ number }) => number));
  const opened = openedAmong(parts);
  return parts.filter((part) => {
    if (
      part.number === '' ||
      (opened.has(part.number) && !messages.has(part.number)) ||
      isInside(part.number, messages)
    )
      return false;
    if (isAttachment(part) || messages.has(part.number)) return true;
    return !isShown(part) && (isMarkedAsFile(part) || !isBodyText(part.type.toLowerCase()));
  });
}

/** The numbers of parts that hold others: those of a winmail.dat are listed instead of it. */
function openedAmong(parts: readonly PartFacts[]): Set<string> {
  const numbers = new Set(parts.map(({ number }) => number));
  const opened = new Set<string>();
  for (const number of numbers)
    for (let dot = number.lastIndexOf('.'); dot > 0; dot = number.lastIndexOf('.', dot - 1)) {
      const outer = number.slice(0, dot);
      if (numbers.has(outer)) opened.add(outer);
    }
  return opened;
}

/** `'2.1.3'` is inside 2 and inside 2.1 */
function isInside(number: string, messages: ReadonlySet<string>): boolean {
  for (let dot = number.lastIndexOf('.'); messages.size > 0 && dot > 0; dot = number.lastIndexOf('.', dot - 1)) {
    if (messages.has(number.slice(0, dot))) return true;
  }
  return false;
}

/** The file name to display. */
export function fileNameOf({ name, type, number }: PartFacts): string {
  const known = type.toLowerCase();
  return name || (USUAL_NAMES[known] ?? `part-${number}${ENDINGS[known] ?? ''}`);
}
