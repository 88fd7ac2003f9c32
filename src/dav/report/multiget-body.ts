// The body of calendar-multiget and addressbook-multiget (RFC 4791 section 7.9, RFC 6352 section 8.7): which members.

import { AppError } from '../../errors.ts';
import { childrenNamed } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { DAV_NAMESPACE } from '../xml-write.ts';
import { type ReportProperties, readWanted } from './wanted.ts';

export interface Multiget extends ReportProperties {
  /** as written, each once; MAX_XML_ELEMENTS says how many there can be */
  hrefs: readonly string[];
}

/** `root`: C:calendar-multiget or CR:addressbook-multiget. Throws bad_request, FailedCondition. */
export function readMultiget(root: XmlElement): Multiget {
  const hrefs = new Set(childrenNamed(root, DAV_NAMESPACE, 'href').map(({ text }) => text.trim()));
  if (hrefs.size === 0) throw new AppError('bad_request', 'A multiget names what it wants.');
  return { ...readWanted(root), hrefs: [...hrefs] };
}
