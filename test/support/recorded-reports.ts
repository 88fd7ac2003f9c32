// Reports as real clients have sent them (test/fixtures/dav), and the room contents that they are answered from.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Api } from './gateway.ts';
import { calendarOf, lined, store, toldReport } from './reports.ts';

export const RECORDED_FOLDER = join(import.meta.dirname, '../fixtures/dav');

export interface RecordedReport {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** status and document, as toldReport gives them */
  answer: [number, string];
}

/** By the name of the client. */
export function recordedReports(): [string, RecordedReport[]][] {
  const files = readdirSync(RECORDED_FOLDER).filter((name) => name.endsWith('.txt'));
  return files.sort().map((name) => {
    const blocks = readFileSync(join(RECORDED_FOLDER, name), 'utf8').split(/^>>> /m).slice(1);
    return [basename(name, '.txt'), blocks.map(reportFrom)];
  });
}

/** `>>> path`, headers, an empty line, the body; `<<< status` and the document */
function reportFrom(block: string): RecordedReport {
  const [asked = '', answered = ''] = block.split(/^<<< /m);
  const end = asked.indexOf('\n\n');
  const [path = '', ...headers] = asked.slice(0, end).split('\n');
  const [status] = answered.split('\n', 1);
  return {
    path,
    headers: Object.fromEntries(headers.map((line) => line.split(': ') as [string, string])),
    body: asked.slice(end + 2),
    answer: [Number(status), answered.slice(status!.length + 1)],
  };
}

/** The answers to a client's reports, one after the other; TOKEN in a body is the last token that it was given. */
export async function askedAgain(api: Api, reports: readonly RecordedReport[]): Promise<[number, string][]> {
  const answers: [number, string][] = [];
  let token = '';
  for (const { path, headers, body } of reports) {
    const answer = await api(path, { method: 'REPORT', headers, body: body.replace('TOKEN', token) });
    token = /<D:sync-token>([^<]*)/.exec(await answer.clone().text())?.[1] ?? token;
    answers.push(await toldReport(answer));
  }
  return answers;
}

const STAMP = 'DTSTAMP:20260101T000000Z';

/** What the recorded reports are about. */
export async function storeRecorded(api: Api): Promise<void> {
  const event = (...lines: string[]) => calendarOf('BEGIN:VEVENT', STAMP, ...lines, 'END:VEVENT');
  const task = (...lines: string[]) => calendarOf('BEGIN:VTODO', STAMP, ...lines, 'END:VTODO');
  const single = event('UID:srv-1', 'DTSTART:20260110T100000Z', 'DTEND:20260110T110000Z', 'SUMMARY:one & only');
  await store(api, 'r/Calendar/srv-1.ics', single);
  const series = event('UID:srv-2', 'DTSTART:20260109T080000Z', 'DURATION:PT30M', 'RRULE:FREQ=DAILY;COUNT=3');
  await store(api, 'r/Calendar/srv-2.ics', series);
  await store(api, 'r/Tasks/open.ics', task('UID:open', 'SUMMARY:to do', 'STATUS:NEEDS-ACTION'));
  await store(api, 'r/Tasks/plain.ics', task('UID:plain', 'SUMMARY:without a status'));
  await store(api, 'r/Tasks/done.ics', task('UID:done', 'COMPLETED:20260102T000000Z', 'STATUS:COMPLETED'));
  const card = lined('BEGIN:VCARD', 'VERSION:3.0', 'UID:card-1', 'FN:Zoë', 'N:;Zoë;;;', 'END:VCARD');
  await store(api, 'r/Contacts/card-1.vcf', card);
}
