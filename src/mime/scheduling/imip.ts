// Scheduling messages as mail (RFC 6047): readable text and the iCalendar object.

import { MAX_SUMMARY_CHARACTERS } from '../../limits/mime.ts';
import { encodeAll } from '../coding/encoded-words.ts';
import { MIME_VERSION } from '../coding/transfer.ts';
import { calendarText } from '../objects/calendar-text.ts';
import { writeComponent } from '../objects/components.ts';
import { type Component, textOf } from '../objects/content-lines.ts';
import { type SchedulingMessage, schedulingObject } from './object.ts';

export interface SchedulingMail {
  /** safe for a command line: encoded words where needed */
  subject: string;
  /** MIME header and body, with LF line ends */
  body: Buffer;
}

/** no line of base64 starts like it */
const BOUNDARY = '=_vestibule_scheduling_=';
const LEAD: Readonly<Record<SchedulingMessage['method'], string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Reply',
};
const ANSWERS: Readonly<Record<string, string>> = {
  ACCEPTED: 'Accepted',
  DECLINED: 'Declined',
  TENTATIVE: 'Tentatively accepted',
};

/** The mail for all recipients of a message. */
export function schedulingMail({ method, calendar }: SchedulingMessage): SchedulingMail {
  const source = writeComponent(calendar);
  const [first] = schedulingObject(calendar)?.parts.values() ?? [];
  const lead = (method === 'REPLY' && ANSWERS[answerIn(first)]) || LEAD[method];
  const summary = first ? textOf(first, 'SUMMARY').replace(/\s+/g, ' ') : '';
  const subject = summary === '' ? lead : `${lead}: ${[...summary].slice(0, MAX_SUMMARY_CHARACTERS).join('')}`;
  const text = `${lead}\n\n${calendarText(source)}\n`;
  const lines = [
    MIME_VERSION,
    `Content-type: multipart/alternative; boundary="${BOUNDARY}"`,
    '',
    ...part('text/plain; charset=utf-8', text),
    ...part(`text/calendar; method=${method}; charset=utf-8`, source),
    `--${BOUNDARY}--`,
    '',
  ];
  return { subject: /^[ -{}~]*$/.test(subject) ? subject : encodeAll(subject), body: Buffer.from(lines.join('\n')) };
}

function part(type: string, text: string): string[] {
  const coded = Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
  return [`--${BOUNDARY}`, `Content-type: ${type}`, 'Content-transfer-encoding: base64', '', coded];
}

function answerIn(component: Component | undefined): string {
  return (
    component?.lines
      .find(({ name }) => name === 'ATTENDEE')
      ?.params.get('PARTSTAT')
      ?.toUpperCase() ?? ''
  );
}
