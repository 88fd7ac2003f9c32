// The body of calendar-multiget and addressbook-multiget (RFC 4791 section 7.9, RFC 6352 section 8.7): which members.

import { AppError } from '../../errors.ts';
import type { Steps } from '../../system/steps.ts';
import { isDav } from '../xml-find.ts';
import type { XmlElement } from '../xml-read.ts';
import { type ReportProperties, readWanted } from './wanted.ts';

export interface Multiget extends ReportProperties {
  /** as written, each once; MAX_XML_ELEMENTS says how many there can be */
  hrefs: readonly string[];
}

/** `root`: C:calendar-multiget or CR:addressbook-multiget; a step an href. Throws bad_request, FailedCondition. */
export function* readMultiget(root: XmlElement): Steps<Multiget> {
  const hrefs = new Set<string>();
  for (const child of root.children) {
    if (isDav(child, 'href')) hrefs.add(child.text.trim());
    yield;
  }
  if (hrefs.size === 0) throw new AppError('bad_request', 'A multiget names what it wants.');
  return { ...readWanted(root), hrefs: [...hrefs] };
}
